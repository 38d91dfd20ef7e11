// integrations/java/explore/org/hotseat/explore/Decisions.java — what the strategy has decided.
package org.hotseat.explore;

/** Asks the strategy, and records its answers in the form that {@link Replay} reads. */
final class Decisions {
  private final Strategy strategy;
  private final StringBuilder text = new StringBuilder();
  private int count;

  Decisions(Strategy strategy) {
    this.strategy = strategy;
  }

  int decide(Strategy.Kind kind, int options) {
    return record(strategy.decide(kind, options));
  }

  /** Which of the options happens; a single option needs no decision. */
  int pick(Options options) {
    return options.size() == 1 ? 0
        : record(strategy.pick(options.strands(), options.runnable(), options.size()));
  }

  void paused(Strand strand) {
    strategy.paused(strand);
  }

  private int record(int decision) {
    if (decision != 0) {
      text.append(text.isEmpty() ? "" : " ").append(count).append(':').append(decision);
    }
    ++count;
    return decision;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
