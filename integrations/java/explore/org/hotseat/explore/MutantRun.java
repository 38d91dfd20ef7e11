// integrations/java/explore/org/hotseat/explore/MutantRun.java — do the models notice?
package org.hotseat.explore;

import java.io.IOException;
import java.util.List;
import java.util.function.Predicate;

/** Runs the scenarios of the model with each mutant, until one fails. */
record MutantRun(Sources sources, Model model, double scale, Predicate<String> only) {
  private static final long SEED = 1;

  /** A few schedules of each scenario first, then more. */
  private static final int[] EFFORTS = {20, 200, 2000};

  /** Schedules of the scenario that noticed it before. */
  private static final int LIKELY = 500;

  /**
   * A mutant that nothing can notice is searched for with less effort than one that must be found.
   */
  private static final int EFFORT_FOR_EQUIVALENT = 3;

  /** Returns true if each is noticed, or listed as equivalent and not noticed. */
  boolean tryAll(List<Mutant> mutants) throws IOException {
    int tried = 0;
    int caught = 0;
    int equivalent = 0;
    int problems = 0;
    long start = System.nanoTime();
    for (Mutant each : mutants) {
      if (!only.test(each.name())) {
        continue;
      }
      ++tried;
      Explorer.Result result;
      try {
        String text = each.appliedTo(sources.original(each.type()));
        List<Scenario> scenarios = model.scenarios(each.type(), text);
        result = notice(each, scenarios);
        requireReplay(scenarios, result);
      } catch (IllegalStateException broken) {
        System.out.println("BROKEN    " + each.name() + ": " + broken.getMessage());
        ++problems;
        continue;
      }
      boolean isListed = !each.equivalent().isEmpty();
      boolean isCaught = result.failure() != null;
      if (isCaught) {
        ++caught;
      } else if (isListed) {
        ++equivalent;
      }
      if (isCaught == isListed) {
        ++problems;
      }
      String verdict = isCaught ? isListed ? "LISTED" : "caught" : isListed ? "equal" : "SURVIVED";
      System.out.printf("%-9s %s%s%n", verdict, each.name(), isCaught
          ? ": " + result.scenario() + ": " + firstLine(result.failure()) : "");
    }
    System.out.printf("%d mutants, %d caught, %d equivalent, %d problems, %d s%n", tried, caught,
        equivalent, problems, (System.nanoTime() - start) / 1_000_000_000);
    return problems == 0 && tried > 0;
  }

  private static String firstLine(Throwable failure) {
    String message = failure instanceof Failure ? failure.getMessage() : failure.toString();
    return message.length() > 90 ? message.substring(0, 90) + "..." : message;
  }

  /** The printed decisions must lead to the same failure again. */
  private static void requireReplay(List<Scenario> scenarios, Explorer.Result result) {
    for (Scenario each : scenarios) {
      if (result.failure() != null && each.name().equals(result.scenario())) {
        Strategy again = new Replay(result.decisions());
        again.begin();
        Throwable failure = Explorer.once(each, again, false).failure();
        if (failure == null || !firstLine(failure).equals(firstLine(result.failure()))) {
          throw new IllegalStateException("its schedule fails otherwise when it is replayed");
        }
      }
    }
  }

  private Explorer.Result notice(Mutant mutant, List<Scenario> scenarios) {
    Explorer.Result result = null;
    for (Scenario each : scenarios) {
      if (each.name().equals(mutant.noticedBy())) {
        result = new Explorer(2, LIKELY, LIKELY, LIKELY, SEED).explore(each);
        if (result.failure() != null) {
          return result;
        }
      }
    }
    int[] efforts =
        mutant.equivalent().isEmpty() ? EFFORTS : new int[] {EFFORT_FOR_EQUIVALENT};
    for (int i = 0; i < efforts.length; ++i) {
      int count = (int) Math.max(1, efforts[i] * scale);
      Explorer explorer = new Explorer(2, count, count, count, SEED + i);
      for (Scenario each : scenarios) {
        result = explorer.explore(each);
        if (result.failure() != null) {
          return result;
        }
      }
    }
    return result;
  }
}
