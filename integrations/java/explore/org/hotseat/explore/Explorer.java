// integrations/java/explore/org/hotseat/explore/Explorer.java — a scenario under many schedules.
package org.hotseat.explore;

/** How many schedules of each kind are tried. */
record Explorer(int bound, int bounded, int walks, int priorities, long seed) {
  /**
   * A schedule that fails, and how many were tried until then; no schedule fails if the failure is
   * null.
   */
  record Result(String scenario, int schedules, Throwable failure, String decisions) {}

  /** Explores until the first schedule that fails. */
  Result explore(Scenario scenario) {
    Result result = tryAll(scenario, new Bounded(bound), bounded, 0);
    if (result.failure == null) {
      result = tryAll(scenario, new Walk(seed), walks, result.schedules);
    }
    if (result.failure == null) {
      result = tryAll(scenario, new Priorities(seed), priorities, result.schedules);
    }
    return result;
  }

  private static Result tryAll(Scenario scenario, Strategy strategy, int limit, int before) {
    int count = 0;
    while (count < limit && strategy.begin()) {
      ++count;
      Run run = once(scenario, strategy, false);
      if (run.failure() != null) {
        return new Result(scenario.name(), before + count, run.failure(), run.decisions());
      }
    }
    return new Result(scenario.name(), before + count, null, "");
  }

  /** Runs one schedule. */
  static Run once(Scenario scenario, Strategy strategy, boolean tracing) {
    Run run = new Run(strategy, tracing);
    Runnable check = scenario.begin(run);
    run.execute();
    if (run.failure() == null) {
      try {
        check.run();
      } catch (Throwable thrown) {
        run.fail(thrown);
      }
    }
    return run;
  }
}
