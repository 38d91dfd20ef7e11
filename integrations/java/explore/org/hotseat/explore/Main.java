// integrations/java/explore/org/hotseat/explore/Main.java — the command line of the explorer.
package org.hotseat.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Explores the scenarios of the model, or checks that they notice mutants.
 *
 * <pre>
 *   models SOURCES CLASSES                  all scenarios
 *   mutants SOURCES CLASSES                 each mutant of model/mutants.txt
 *   replay SOURCES CLASSES SCENARIO SCHEDULE   one schedule, step by step
 * </pre>
 *
 * <p>SOURCES is the folder integrations/java, CLASSES one for compiled classes. The environment
 * variable HOTSEAT_EXPLORE_SCALE multiplies the number of schedules, HOTSEAT_EXPLORE_ONLY chooses
 * scenarios, or mutants, by a regular expression.
 */
public final class Main {
  private static final long SEED = 19;

  private Main() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length < 3) {
      System.err.println("models | mutants | replay SCENARIO SCHEDULE; see Main.java");
      System.exit(2);
    }
    Path folder = Path.of(arguments[1]);
    Sources sources = new Sources(folder.resolve("src"), folder.resolve("model"));
    Model model = new Model(sources, Files.createDirectories(Path.of(arguments[2])));
    boolean isWell = switch (arguments[0]) {
      case "models" -> exploreAll(model.scenarios());
      case "mutants" -> new MutantRun(sources, model, scale(), only())
          .tryAll(Mutant.read(folder.resolve("model/mutants.txt")));
      case "replay" -> replay(model.scenarios(), arguments[3], arguments[4]);
      default -> throw new IllegalArgumentException(arguments[0]);
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
    int count = (int) (300 * scale());
    Explorer explorer = new Explorer(scale() > 10 ? 3 : 2, count, count, count, SEED);
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
        System.out.println("replay \"" + each.name() + "\" \"" + result.decisions() + "\"");
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
