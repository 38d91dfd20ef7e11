// integrations/java/explore/org/hotseat/explore/Mutant.java — a bug that is planted on purpose.
package org.hotseat.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A patch of one class.
 *
 * @param old text that the class contains exactly once
 * @param noticedBy the scenario to try first; empty for any
 * @param equivalent why no schedule can notice it; empty if one must
 */
record Mutant(String name, String type, String old, String changed, String noticedBy,
    String equivalent) {
  /**
   * Reads a file of mutants: "= name", "@ class", "- a line of the old text", "+ a line of the new
   * text", "> the scenario that notices it", "~ why it is equivalent". All else is comment.
   */
  static List<Mutant> read(Path file) throws IOException {
    List<Mutant> mutants = new ArrayList<>();
    String name = null;
    String type = "";
    List<String> old = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    String noticedBy = "";
    String equivalent = "";
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.add("= end");
    for (String line : lines) {
      String rest = line.length() > 2 ? line.substring(2) : "";
      switch (line.isEmpty() ? ' ' : line.charAt(0)) {
        case '=' -> {
          if (name != null) {
            mutants.add(new Mutant(name, type, String.join("\n", old),
                String.join("\n", changed), noticedBy, equivalent));
          }
          name = rest;
          old.clear();
          changed.clear();
          noticedBy = "";
          equivalent = "";
        }
        case '@' -> type = rest;
        case '-' -> old.add(rest);
        case '+' -> changed.add(rest);
        case '>' -> noticedBy = rest;
        case '~' -> equivalent = rest;
        default -> { }
      }
    }
    return mutants;
  }

  /** The text of its class with the bug. */
  String appliedTo(String text) {
    int at = text.indexOf(old);
    if (old.isEmpty() || at < 0 || text.indexOf(old, at + 1) >= 0) {
      throw new IllegalStateException("the old text is not there exactly once");
    }
    return text.substring(0, at) + changed + text.substring(at + old.length());
  }
}
