// integrations/java/explore/org/hotseat/explore/Model.java — compiles the library for the model.
package org.hotseat.explore;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The classes of the model, unchanged or with one mutant, in a class loader of their own. */
final class Model {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Shared by all: it keeps the classes of the JDK open. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private static final class Text extends SimpleJavaFileObject {
    private final String text;

    Text(String name, String text) {
      super(URI.create("string:///org/hotseat/" + name + ".java"), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreErrors) {
      return text;
    }
  }

  private final Sources sources;
  private final Path folder;
  private final Path base;

  /** @param folder where classes are written */
  Model(Sources sources, Path folder) throws IOException {
    this.sources = sources;
    this.folder = folder;
    base = Files.createDirectories(folder.resolve("base"));
    Map<String, String> texts = new TreeMap<>();
    for (String name : sources.names()) {
      texts.put(name, sources.prepared(name, sources.original(name)));
    }
    Map<String, String> all = new TreeMap<>(sources.model());
    all.putAll(texts);
    List<CompilationUnitTree> units = new ArrayList<>();
    StringWriter messages = new StringWriter();
    JavacTask task = task(all, null, List.of("--release", "21", "-Xlint:all"), messages);
    task.parse().forEach(units::add);
    task.analyze();
    if (!messages.toString().isEmpty()) {
      throw new IllegalStateException("the model does not compile:\n" + messages);
    }
    all.putAll(marked(task, units, texts));
    compile(all, base, List.of());
  }

  /** The scenarios of the unchanged model. */
  List<Scenario> scenarios() {
    return load(List.of(base));
  }

  /** The scenarios of a model in which one class has another text. */
  List<Scenario> scenarios(String name, String text) throws IOException {
    Map<String, String> texts = Map.of(name, sources.prepared(name, text));
    List<CompilationUnitTree> units = new ArrayList<>();
    JavacTask task = task(texts, null, onBase(), new StringWriter());
    task.parse().forEach(units::add);
    task.analyze();
    Path mutated = Files.createDirectories(folder.resolve("mutant"));
    clear(mutated);
    compile(marked(task, units, texts), mutated, onBase());
    return load(List.of(mutated, base));
  }

  /** Removes the previous mutant's classes. */
  private static void clear(Path mutated) throws IOException {
    try (Stream<Path> files = Files.walk(mutated)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
  }

  private List<String> onBase() {
    return List.of("-cp", base + ":" + System.getProperty("java.class.path"));
  }

  private static Map<String, String> marked(
      JavacTask task, List<CompilationUnitTree> units, Map<String, String> texts) {
    Trees trees = Trees.instance(task);
    Map<String, String> result = new TreeMap<>();
    for (CompilationUnitTree unit : units) {
      String name = Path.of(unit.getSourceFile().toUri().getPath()).getFileName().toString()
          .replace(".java", "");
      if (texts.containsKey(name)) {
        result.put(name, new PlainFields(trees, unit).rewrite(texts.get(name)));
      }
    }
    return result;
  }

  private static void compile(Map<String, String> texts, Path into, List<String> options)
      throws IOException {
    StringWriter messages = new StringWriter();
    if (!task(texts, into, options, messages).call()) {
      throw new IllegalStateException("does not compile:\n" + messages);
    }
  }

  private static JavacTask task(Map<String, String> texts, Path into, List<String> options,
      StringWriter messages) throws IOException {
    List<String> all = new ArrayList<>(List.of("-proc:none"));
    all.addAll(options);
    if (into != null) {
      all.addAll(List.of("-d", into.toString()));
    }
    List<Text> units = new ArrayList<>();
    texts.forEach((name, text) -> units.add(new Text(name, text)));
    return (JavacTask) COMPILER.getTask(messages, FILES, null, all, null, units);
  }

  @SuppressWarnings("unchecked")
  private static List<Scenario> load(List<Path> folders) {
    try {
      URL[] urls = new URL[folders.size()];
      for (int i = 0; i < urls.length; ++i) {
        urls[i] = folders.get(i).toUri().toURL();
      }
      // Not closed: classes are loaded when first needed.
      URLClassLoader loader = new URLClassLoader(urls, Model.class.getClassLoader());
      loader.setDefaultAssertionStatus(true);
      return (List<Scenario>) loader.loadClass("org.hotseat.Scenarios")
          .getMethod("all").invoke(null);
    } catch (ReflectiveOperationException | IOException broken) {
      throw new IllegalStateException("the scenarios of the model", broken);
    }
  }
}
