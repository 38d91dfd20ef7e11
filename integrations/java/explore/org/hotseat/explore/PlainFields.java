// integrations/java/explore/org/hotseat/explore/PlainFields.java — shows plain accesses to Races.
package org.hotseat.explore;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;

/**
 * Rewrites the text of a class: {@code waiter.line} becomes {@code Plain.read(waiter,
 * "Waiter.line").line}, and the same with {@code write}. The class {@code Plain} is in the model.
 */
final class PlainFields extends TreePathScanner<Void, Void> {
  /**
   * Fields that are read without order on purpose, everywhere or in one method. The owner is
   * compared with the reader itself, or shown for monitoring; what a spinner has learnt is a hint.
   */
  private static final Set<String> RACY =
      Set.of("LockCore.owner in isOwner", "LockCore.owner in owner", "Spinner.learnt");

  private record Edit(int at, String text) {}

  private final Trees trees;
  private final SourcePositions positions;
  private final CompilationUnitTree unit;
  private final List<Edit> edits = new ArrayList<>();
  private String method = "";

  PlainFields(Trees trees, CompilationUnitTree unit) {
    this.trees = trees;
    this.unit = unit;
    positions = trees.getSourcePositions();
  }

  /** Returns the rewritten text of the unit, which must have been analyzed. */
  String rewrite(String text) {
    scan(unit, null);
    edits.sort(Comparator.comparingInt(Edit::at));  // Stable: of two at one place, the outer first.
    StringBuilder result = new StringBuilder();
    int copied = 0;
    for (Edit each : edits) {
      result.append(text, copied, each.at).append(each.text);
      copied = each.at;
    }
    return result.append(text, copied, text.length()).toString();
  }

  @Override
  public Void visitMethod(MethodTree tree, Void unused) {
    method = tree.getName().toString();
    super.visitMethod(tree, null);
    method = "";
    return null;
  }

  @Override
  public Void visitIdentifier(IdentifierTree tree, Void unused) {
    Element field = trees.getElement(getCurrentPath());
    if (isPlain(field)) {
      int start = (int) positions.getStartPosition(unit, tree);
      edits.add(new Edit(start, "Plain." + access() + "(this, " + name(field) + ")."));
    }
    return super.visitIdentifier(tree, null);
  }

  @Override
  public Void visitMemberSelect(MemberSelectTree tree, Void unused) {
    Element field = trees.getElement(getCurrentPath());
    if (isPlain(field)) {
      int start = (int) positions.getStartPosition(unit, tree);
      int end = (int) positions.getEndPosition(unit, tree.getExpression());
      edits.add(new Edit(start, "Plain." + access() + "("));
      edits.add(new Edit(end, ", " + name(field) + ")"));
    }
    return super.visitMemberSelect(tree, null);
  }

  private boolean isPlain(Element element) {
    if (element == null || element.getKind() != ElementKind.FIELD
        || element.getModifiers().contains(Modifier.STATIC)
        || element.getModifiers().contains(Modifier.FINAL)
        || !element.getEnclosingElement().toString().startsWith("org.hotseat.")) {
      return false;
    }
    String name = simpleName(element);
    return !RACY.contains(name) && !RACY.contains(name + " in " + method);
  }

  private static String simpleName(Element field) {
    return field.getEnclosingElement().getSimpleName() + "." + field.getSimpleName();
  }

  private static String name(Element field) {
    return '"' + simpleName(field) + '"';
  }

  private String access() {
    TreePath path = getCurrentPath();
    Tree parent = path.getParentPath().getLeaf();
    boolean isWritten = switch (parent) {
      case AssignmentTree assignment -> assignment.getVariable() == path.getLeaf();
      case CompoundAssignmentTree assignment -> assignment.getVariable() == path.getLeaf();
      case UnaryTree unary -> switch (unary.getKind()) {
        case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT -> true;
        default -> false;
      };
      default -> false;
    };
    return isWritten ? "write" : "read";
  }
}
