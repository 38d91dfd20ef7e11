// integrations/java/src/org/hotseat/LockWord.java — the word of a lock, and the guard of its line.
package org.hotseat;

import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Supplier;

/**
 * The word is a set of bits:
 *
 * <pre>
 *   LOCKED    a thread owns the lock
 *   LINE      the line is not empty; changed under the guard only
 *   SPINNER   a running thread watches the word, and takes the lock when it is free
 *   CALLED    the first of the line was woken, and takes the lock if it is free when it runs
 *   URGENT    the first of the line came in vain: the next release must hand over to it
 * </pre>
 *
 * <p>Orders: (A) taking the lock is an acquire, (R) releasing it a release; each is one
 * read-modify-write of the word, and so are all its other changes. (B) and (F) are those of
 * the guard.
 */
abstract class LockWord implements Serializable {
  private static final long serialVersionUID = 1;

  static final int LOCKED = 1;
  static final int LINE = 2;
  static final int SPINNER = 4;
  static final int CALLED = 8;
  static final int URGENT = 16;

  private static final int GUARD_TRIES = 256;

  private static final VarHandle WORD;
  private static final VarHandle GUARD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      WORD = lookup.findVarHandle(LockWord.class, "word", int.class);
      GUARD = lookup.findVarHandle(LockWord.class, "guard", int.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  // Not serialized: a lock that is read back is free.
  private transient int word;
  private transient int guard;

  /** Only to decide what to try: the change itself fails if the word differs by then. */
  final int look() {
    return (int) WORD.getOpaque(this);
  }

  /** (A) Takes the lock if it is free in the word that was seen, and drops some bits. */
  final boolean tryTake(int seen, int dropped) {
    return (seen & LOCKED) == 0 && change(seen, (seen | LOCKED) & ~dropped);
  }

  /** (A), (R) or neither, as the bits say. */
  final boolean change(int seen, int wanted) {
    return WORD.compareAndSet(this, seen, wanted);
  }

  final void set(int bits) {
    int before = (int) WORD.getAndBitwiseOr(this, bits);
    assert (before & LOCKED) != 0;
  }

  final void clear(int bits) {
    int before = (int) WORD.getAndBitwiseAnd(this, ~bits);
    assert (before & LOCKED) != 0;
  }

  /** (B) acquire, with (F). Held for about ten instructions, and never across a suspension. */
  final void lockGuard() {
    for (int tries = 1; !GUARD.weakCompareAndSetAcquire(this, 0, 1); ++tries) {
      if (tries % GUARD_TRIES == 0) {
        HandOver.letOthersRun();  // The thread that holds it has lost the processor.
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Returns what {@code look} sees under the guard. It may allocate, so it may throw. */
  final <T> T underGuard(Supplier<T> look) {
    lockGuard();
    try {
      return look.get();
    } finally {
      unlockGuard();
    }
  }

  /** (F) release, with (B). */
  final void unlockGuard() {
    GUARD.setRelease(this, 0);
  }
}
