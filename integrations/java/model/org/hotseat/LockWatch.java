// integrations/java/model/org/hotseat/LockWatch.java — what must hold of a lock at every step.
package org.hotseat;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Sees each change of a word, a guard or a turn, and checks it against the rules. */
final class LockWatch {
  /** As the explorer sets it in LockCore. */
  static final int PASS_OVER_LIMIT = 2;
  static final int MISS_LIMIT = 2;

  /** What is known about one lock. */
  private static final class Known {
    List<Waiter> line = List.of();
    Waiter urgent;
    Thread spinner;
    Thread guardian;
    int passedOver;
  }

  private final Map<LockCore, Known> locks = new IdentityHashMap<>();
  private final Map<Waiter, Integer> misses = new IdentityHashMap<>();

  private Known known(LockCore core) {
    return locks.computeIfAbsent(core, unused -> new Known());
  }

  void changed(Object object, String name, int before, int after) {
    switch (name) {
      case "LockWord.word" -> wordChanged((LockCore) object, before, after);
      case "LockWord.guard" -> guardChanged((LockCore) object, before, after);
      case "Waiter.turn" -> turnChanged((Waiter) object, before, after);
      default -> { }
    }
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      Here.run.fail(rule);
    }
  }

  private static boolean has(int word, int bits) {
    return (word & bits) != 0;
  }

  private void wordChanged(LockCore core, int before, int after) {
    require(!has(after, LockWord.LINE)
        || has(after, LockWord.LOCKED | LockWord.SPINNER | LockWord.CALLED),
        "L1: no thread sees to the line");
    if (core.isFair()) {
      require(!has(after, LockWord.LINE) || has(after, LockWord.LOCKED),
          "L3: a fair lock is free while threads wait");
      require(!has(after, LockWord.SPINNER | LockWord.CALLED | LockWord.URGENT),
          "a fair lock spins or calls");
    }
    Known known = known(core);
    if (has(before, LockWord.LINE) && !has(before, LockWord.CALLED)
        && has(before, LockWord.LOCKED) && !has(after, LockWord.LOCKED)) {
      require(!has(before, LockWord.URGENT), "the first is passed over although it is urgent");
      if (!has(after, LockWord.CALLED) && has(after, LockWord.LINE)) {
        require(++known.passedOver < PASS_OVER_LIMIT, "the line is passed over too often");
      }
    }
    spinnerChanged(known, before, after);
  }

  private static void spinnerChanged(Known known, int before, int after) {
    Thread self = Thread.currentThread();
    if (!has(before, LockWord.SPINNER) && has(after, LockWord.SPINNER)) {
      known.spinner = self;
    } else if (has(before, LockWord.SPINNER) && !has(after, LockWord.SPINNER)) {
      require(known.spinner == self, "a thread ends the spinning of another one");
      known.spinner = null;
    }
  }

  private void guardChanged(LockCore core, int before, int after) {
    Known known = known(core);
    Thread self = Thread.currentThread();
    if (after != 0) {
      require(before == 0, "two threads have the guard");
      known.guardian = self;
      World.requireC1();  // A thread that waits for a guard may yield.
      return;
    }
    require(known.guardian == self, "a thread gives back a guard that is not its own");
    known.guardian = null;
    Here.run.observe(() -> lineChanged(core, known));
  }

  /** The guard is released: everything it protects is consistent. */
  private static void lineChanged(LockCore core, Known known) {
    List<Waiter> line = listOf(core.line());
    int word = core.look();
    require(has(word, LockWord.LINE) == !line.isEmpty(), "LINE does not tell about the line");
    urgencyChanged(known, line, has(word, LockWord.URGENT));
    boolean isFirstCalled = !line.isEmpty() && line.get(0).turn() == Waiter.CALLED;
    require(has(word, LockWord.CALLED) == isFirstCalled, "CALLED does not tell about the first");
    for (int i = 1; i < line.size(); ++i) {
      require(line.get(i).turn() == Waiter.WAITING, "one that is not the first is called");
    }
    List<Waiter> stayed = new ArrayList<>(known.line);
    stayed.retainAll(line);
    require(stayed.equals(line.subList(0, Math.min(stayed.size(), line.size()))),
        "the line is not in order of arrival");
    for (Waiter each : known.line) {
      if (!line.contains(each)) {
        require(each.thread == Thread.currentThread()
            || (each == known.line.get(0) && each.turn() == Waiter.GRANTED),
            "a waiter is out of the line, and neither left nor got the lock in its turn");
      }
    }
    if (line.isEmpty() || known.line.isEmpty() || line.get(0) != known.line.get(0)) {
      known.passedOver = 0;
    }
    known.line = line;
  }

  /** URGENT belongs to one waiter, from its last call in vain until it has left the line. */
  private static void urgencyChanged(Known known, List<Waiter> line, boolean isUrgent) {
    Waiter first = line.isEmpty() ? null : line.get(0);
    if (known.urgent != null) {
      require(isUrgent == (first == known.urgent), "URGENT does not tell about the first");
    } else if (isUrgent) {
      require(first != null && first.thread == Thread.currentThread(), "URGENT, but no thread is");
    }
    known.urgent = isUrgent ? first : null;
  }

  private static List<Waiter> listOf(WaiterLine line) {
    List<Waiter> waiters = new ArrayList<>();
    Waiter previous = null;
    for (Waiter each = line.first(); each != null; each = each.following) {
      require(each.previous == previous && each.line == line, "the links of a line are broken");
      waiters.add(each);
      previous = each;
    }
    require(line.length() == waiters.size(), "the length of a line is wrong");
    return waiters;
  }

  /** A wait ends once: WAITING and CALLED may alternate, GRANTED is final. */
  private void turnChanged(Waiter waiter, int before, int after) {
    switch (after) {
      case Waiter.CALLED -> require(before == Waiter.WAITING, "called again");
      case Waiter.GRANTED -> require(before == Waiter.WAITING, "granted, but not waiting");
      default -> {
        require(before == Waiter.CALLED, "waits again, but was not called");
        require(misses.merge(waiter, 1, Integer::sum) <= MISS_LIMIT, "called in vain too often");
      }
    }
  }

  /** At the end of a schedule nothing is left behind. */
  static void requireFree(ExchangeLock lock, LockCore core) {
    require(core.look() == 0, "the word is not 0 at the end");
    require(!lock.isLocked() && core.owner() == null && core.holds() == 0, "it is still owned");
    require(core.line().isEmpty() && core.line().length() == 0, "threads are left in the line");
  }
}
