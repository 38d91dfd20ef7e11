// integrations/java/model/org/hotseat/World.java — what a scenario consists of.
package org.hotseat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;

/** The threads and locks of one schedule, and a section that one thread may be in. */
final class World {
  /** Where the threads of a scenario run. */
  enum Kind {
    PLATFORM, ONE_CARRIER, TWO_CARRIERS, TWO_POOLS, MIXED
  }

  /** What a thread does. */
  interface Body {
    void run() throws Exception;
  }

  private static final Field CORE = field(ExchangeLock.class, "core");
  private static final Field TAKING = field(Carrier.class, "taking");

  private final Kind kind;
  private final CarrierPool pool;

  /** Null if all virtual threads have the same pool. */
  private final CarrierPool otherPool;
  private final List<ExchangeLock> locks = new ArrayList<>();
  private int started;

  World(Kind kind) {
    this.kind = kind;
    pool = switch (kind) {
      case PLATFORM -> null;
      case ONE_CARRIER, TWO_POOLS, MIXED -> new CarrierPool(1);
      case TWO_CARRIERS -> new CarrierPool(2);
    };
    otherPool = kind == Kind.TWO_POOLS ? new CarrierPool(1) : null;
  }

  private static Field field(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException missing) {
      throw new ExceptionInInitializerError(missing);
    }
  }

  private static Object get(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException impossible) {
      throw new AssertionError(impossible);
    }
  }

  ExchangeLock lock(boolean fair) {
    ExchangeLock lock = new ExchangeLock(fair);
    locks.add(lock);
    return lock;
  }

  /** Adds a thread that starts at once; kinds and pools take turns if there are several. */
  Thread thread(String name, Body body) {
    boolean isOdd = started++ % 2 != 0;
    boolean takesOther = isOdd && (kind == Kind.MIXED || kind == Kind.TWO_POOLS);
    return new Thread(name, takesOther ? otherPool : pool, false, () -> {
      try {
        body.run();
      } catch (RuntimeException | Error thrown) {
        throw thrown;
      } catch (Exception thrown) {
        throw new AssertionError("a thread ended with an exception", thrown);
      }
      requireC1();
    });
  }

  /** C1: while a virtual thread runs code of its own, the slot is empty and takes nothing. */
  static void requireC1() {
    Carrier carrier = Carrier.current();
    if (carrier != null) {
      Here.run.observe(() -> {
        require(!carrier.hasNext(), "C1: something is left in the slot");
        require(!(boolean) get(TAKING, carrier), "C1: the slot takes what comes");
      });
    }
  }

  /** The nudge looks after the slots at any time, not only when a carrier is blocked. */
  void setNudgeEarly() {
    pool.setNudgeEarly();
  }

  /** How many threads wait for a lock, for {@link Thread#until}. */
  static int waiting(ExchangeLock lock) {
    return ((LockCore) get(CORE, lock)).line().length();
  }

  static boolean isUrgent(ExchangeLock lock) {
    return (((LockCore) get(CORE, lock)).look() & LockWord.URGENT) != 0;
  }

  static int missesOfFirst(ExchangeLock lock) {
    Waiter first = ((LockCore) get(CORE, lock)).line().first();
    return first == null ? 0 : first.missed;
  }

  static void require(boolean holds, String what) {
    if (!holds) {
      Here.run.fail(what);
    }
  }

  /** After the last thread. */
  void requireEnd() {
    for (ExchangeLock each : locks) {
      LockWatch.requireFree(each, (LockCore) get(CORE, each));
    }
  }
}
