// integrations/java/bench/org/hotseat/bench/Settings.java — the command line.
package org.hotseat.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What to measure, and how often. The parent passes its own settings to its children. */
final class Settings {
  static final String HELP = """
      Usage: integrations/java/bench.sh [OPTION VALUE]...
        --carriers 1,2,4,8                        how many carriers
        --sections 0,250,500,1000,2500,5000,7500  ns to spin in the section
        --range large|small                       primes near 2^20, or 2^14: parallel part
        --tasks 5000                              virtual threads
        --seed 1                                  of the primes' choice
        --repetitions 5                           JVMs for each contender
        --rounds 2                                runs of each section length in each JVM
        --run-ms 300                              length of a run
        --warm-up-ms 1500                         of each JVM, at least
        --contenders A,B                          of REENTRANT_DEFAULT, REENTRANT_OURS, EXCHANGE
        --jvm-args "-XX:..."                      more for the JVMs that are measured
        --output FILE                             results as JSON
      """;

  int[] carriers = {1, 2, 4, 8};
  long[] sections = {0, 250, 500, 1000, 2500, 5000, 7500};
  boolean isLarge = true;
  int tasks = 5000;
  long seed = 1;
  int repetitions = 5;
  int rounds = 2;
  long runMillis = 300;
  long warmUpMillis = 1500;
  List<Contender> contenders = List.of(Contender.values());
  List<String> jvmArguments = List.of();
  String output = "";

  private Settings() {}

  static Settings parse(String[] arguments) {
    Settings settings = new Settings();
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a value");
      }
      try {
        settings.set(arguments[i], arguments[i + 1]);
      } catch (NumberFormatException wrong) {
        throw new IllegalArgumentException(arguments[i] + ": no number: " + arguments[i + 1]);
      }
    }
    return settings;
  }

  private void set(String name, String value) {
    String[] list = value.split(",");
    switch (name) {
      case "--carriers" -> carriers = Arrays.stream(list).mapToInt(Integer::parseInt).toArray();
      case "--sections" -> sections = Arrays.stream(list).mapToLong(Long::parseLong).toArray();
      case "--range" -> isLarge = isLarge(value);
      case "--tasks" -> tasks = Integer.parseInt(value);
      case "--seed" -> seed = Long.parseLong(value);
      case "--repetitions" -> repetitions = Integer.parseInt(value);
      case "--rounds" -> rounds = Integer.parseInt(value);
      case "--run-ms" -> runMillis = Long.parseLong(value);
      case "--warm-up-ms" -> warmUpMillis = Long.parseLong(value);
      case "--contenders" ->
          contenders = Arrays.stream(list).map(Contender::valueOf).toList();
      case "--jvm-args" -> jvmArguments = List.of(value.split(" +"));
      case "--output" -> output = value;
      default -> throw new IllegalArgumentException("no such option: " + name);
    }
  }

  private static boolean isLarge(String value) {
    return switch (value) {
      case "large" -> true;
      case "small" -> false;
      default -> throw new IllegalArgumentException("--range: large or small, not " + value);
    };
  }

  String range() {
    return isLarge ? "large" : "small";
  }

  /** The command line of a child. */
  List<String> forChild(Contender contender, int carrierCount) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("--contenders", contender.name()));
    line.addAll(List.of("--carriers", Integer.toString(carrierCount)));
    line.addAll(List.of("--sections",
        String.join(",", Arrays.stream(sections).mapToObj(Long::toString).toList())));
    line.addAll(List.of("--range", range()));
    line.addAll(List.of("--tasks", Integer.toString(tasks)));
    line.addAll(List.of("--seed", Long.toString(seed)));
    line.addAll(List.of("--run-ms", Long.toString(runMillis)));
    line.addAll(List.of("--warm-up-ms", Long.toString(warmUpMillis)));
    return line;
  }
}
