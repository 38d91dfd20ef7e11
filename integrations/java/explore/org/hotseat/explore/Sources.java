// integrations/java/explore/org/hotseat/explore/Sources.java — the library's text, for the model.
package org.hotseat.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The real sources beside a modelled machine. The model has classes with the names of the few
 * through which threads interact, such as {@code Thread}, {@code VarHandle} and {@code
 * LockSupport}, in the package of the library. There they take precedence over those of {@code
 * java.lang}, and over others whose import is removed. So the sources are those that run in
 * production; nothing in them knows of the model.
 */
final class Sources {
  /** They need a real pool, or are not code. */
  private static final Set<String> LEFT_OUT = Set.of("Nudge", "ExchangeScheduler", "package-info");

  /** Smaller, so that a few threads and sections reach the limits. */
  private static final Map<String, Map<String, Integer>> SMALLER = Map.of(
      "LockCore", Map.of("PASS_OVER_LIMIT", 2, "MISS_LIMIT", 2),
      "LockWord", Map.of("GUARD_TRIES", 2),
      "Spinner", Map.of("MOST_NANOS", 2_000, "IDLE_NANOS", 3_000, "LOOKS_PER_CLOCK", 1,
          "BRIEF_LOOKS", 1),
      "Carrier", Map.of("SLOT_LIMIT", 2));

  private static final Pattern IMPORT =
      Pattern.compile("^import [\\w.]+\\.(\\w+);$", Pattern.MULTILINE);

  private final Map<String, String> real = new TreeMap<>();
  private final Map<String, String> model;

  Sources(Path library, Path modelled) throws IOException {
    model = read(modelled);
    for (Map.Entry<String, String> each : read(library).entrySet()) {
      if (!LEFT_OUT.contains(each.getKey()) && !model.containsKey(each.getKey())) {
        real.put(each.getKey(), each.getValue());
      }
    }
  }

  private static Map<String, String> read(Path folder) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder.resolve("org/hotseat"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        texts.put(name, Files.readString(file));
      }
    }
    return texts;
  }

  /** The modelled classes, unchanged. */
  Map<String, String> model() {
    return model;
  }

  /** The names of the library's classes that run in the model. */
  List<String> names() {
    return List.copyOf(real.keySet());
  }

  /** The text of a library class as it is in its file. */
  String original(String name) {
    if (!real.containsKey(name)) {
      throw new IllegalArgumentException("no " + name + " in the model");
    }
    return real.get(name);
  }

  /** The text of class {@code name} with smaller limits and without the machine's imports. */
  String prepared(String name, String text) {
    String result = IMPORT.matcher(text).replaceAll(found ->
        model.containsKey(found.group(1)) ? "" : Matcher.quoteReplacement(found.group()));
    for (Map.Entry<String, Integer> each : SMALLER.getOrDefault(name, Map.of()).entrySet()) {
      Matcher constant = Pattern.compile(each.getKey() + " = [\\d_]+;").matcher(result);
      if (!constant.find()) {
        throw new IllegalStateException(name + " has no constant " + each.getKey());
      }
      result = constant.replaceFirst(each.getKey() + " = " + each.getValue() + ";");
    }
    return result;
  }
}
