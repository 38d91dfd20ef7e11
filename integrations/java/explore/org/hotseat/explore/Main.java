// integrations/java/explore/org/hotseat/explore/Main.java — the command line of the explorer.
package org.hotseat.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Explores the scenarios of the model, or checks that they notice mutants; {@code explore_java}
 * names the two folders.
 *
 * <p>The environment variable HOTSEAT_EXPLORE_SCALE multiplies the number of schedules,
 * HOTSEAT_EXPLORE_ONLY selects scenarios, or mutants, by a regular expression, and
 * HOTSEAT_EXPLORE_PROCESSORS is the size of the machine.
 */
public final class Main {
  private static final String USAGE = """
      explore_java models                      all scenarios of the model
      explore_java mutants                     each mutant of model/mutants.txt
      explore_java replay SCENARIO SCHEDULE    one schedule, step by step

      HOTSEAT_EXPLORE_SCALE=100                a hundred times as many schedules
      HOTSEAT_EXPLORE_ONLY='signal'            scenarios, or mutants, with that in their name
      HOTSEAT_EXPLORE_PROCESSORS=1             the machine has one processor, not 2
      """;
  private static final long SEED = 19;

  /** Of the three ways to choose schedules, random walks notice the most mutants. */
  private static final int WALKS = 3;

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    String command = arguments.length < 3 ? "" : arguments[0];
    int expected = command.equals("replay") ? 5 : 3;
    if (arguments.length != expected || !Set.of("models", "mutants", "replay").contains(command)) {
      System.err.print(USAGE);
      System.exit(2);
    }
    Path folder = Path.of(arguments[1]);
    Sources sources = new Sources(folder.resolve("src"), folder.resolve("model"));
    Model model = new Model(sources, Files.createDirectories(Path.of(arguments[2])));
    boolean isWell = switch (command) {
      case "models" -> exploreAll(model.scenarios());
      case "mutants" -> new MutantRun(sources, model, scale(), only())
          .tryAll(Mutant.read(folder.resolve("model/mutants.txt")));
      default -> replay(model.scenarios(), arguments[3], arguments[4]);
    };
    System.exit(isWell ? 0 : 1);
  }

  private static double scale() {
    return Double.parseDouble(System.getenv().getOrDefault("HOTSEAT_EXPLORE_SCALE", "1"));
  }

  private static Predicate<String> only() {
    return Pattern.compile(System.getenv().getOrDefault("HOTSEAT_EXPLORE_ONLY", "")).asPredicate();
  }

  private static boolean exploreAll(List<Scenario> scenarios) {
    int count = (int) Math.max(1, 200 * scale());
    Explorer explorer = new Explorer(scale() > 10 ? 3 : 2, count, WALKS * count, count, SEED);
    long schedules = 0;
    int explored = 0;
    int failed = 0;
    for (Scenario each : scenarios) {
      if (!only().test(each.name())) {
        continue;
      }
      long start = System.nanoTime();
      Explorer.Result result = explorer.explore(each);
      schedules += result.schedules();
      ++explored;
      System.out.printf("%-60s %8d schedules %6d ms%n", each.name(), result.schedules(),
          (System.nanoTime() - start) / 1_000_000);
      if (result.failure() != null) {
        ++failed;
        System.out.println("FAILED: " + result.failure());
        result.failure().printStackTrace(System.out);
        System.out.printf("explore_java replay \"%s\" \"%s\"%n", each.name(), result.decisions());
      }
    }
    System.out.println(explored + " scenarios, " + schedules + " schedules, " + failed + " failed");
    return failed == 0 && explored > 0;
  }

  private static boolean replay(List<Scenario> scenarios, String name, String schedule) {
    for (Scenario each : scenarios) {
      if (each.name().equals(name)) {
        Strategy strategy = new Replay(schedule);
        strategy.begin();
        Run run = Explorer.once(each, strategy, true);
        if (run.failure() != null) {
          run.failure().printStackTrace(System.out);
        }
        return run.failure() == null;
      }
    }
    throw new IllegalArgumentException("no scenario " + name);
  }
}
