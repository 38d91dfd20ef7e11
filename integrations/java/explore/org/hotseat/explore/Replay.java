// integrations/java/explore/org/hotseat/explore/Replay.java — a schedule that was seen before.
package org.hotseat.explore;

import java.util.HashMap;
import java.util.Map;

/** One schedule, given as the decisions that are not 0: "12:1 40:2". */
final class Replay implements Strategy {
  private final Map<Integer, Integer> decisions = new HashMap<>();
  private int position;
  private boolean begun;

  Replay(String schedule) {
    for (String each : schedule.isBlank() ? new String[0] : schedule.trim().split("[ ,]+")) {
      String[] parts = each.split(":");
      decisions.put(Integer.valueOf(parts[0]), Integer.valueOf(parts[1]));
    }
  }

  @Override
  public boolean begin() {
    boolean isFirst = !begun;
    begun = true;
    return isFirst;
  }

  @Override
  public int decide(Kind kind, int options) {
    return Math.min(decisions.getOrDefault(position++, 0), options - 1);
  }
}
