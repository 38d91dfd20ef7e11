// integrations/java/tests/org/hotseat/ApiTest.java — everything that ReentrantLock has.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTest {
  /** Makes protected members visible. */
  private static class OpenLock extends ExchangeLock {
    private static final long serialVersionUID = 1;

    @SuppressWarnings("serial")  // Its interface is not serializable, but it is.
    private final Condition changed = newCondition();

    OpenLock(boolean fair) {
      super(fair);
    }

    Thread owner() {
      return getOwner();
    }

    List<Thread> queued() {
      return List.copyOf(getQueuedThreads());
    }

    List<Thread> waiting() {
      return List.copyOf(getWaitingThreads(changed));
    }
  }

  private final OpenLock lock = new OpenLock(false);

  private static boolean isVisible(Executable each) {
    return (each.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
  }

  private static void assertSameSignature(Executable theirs, Executable ours) {
    int compared = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.FINAL | Modifier.STATIC;
    assertEquals(theirs.getModifiers() & compared, ours.getModifiers() & compared,
        () -> "modifiers of " + theirs);
    assertEquals(Set.of(theirs.getExceptionTypes()), Set.of(ours.getExceptionTypes()),
        () -> "exceptions of " + theirs);
  }

  @Test
  void everyMethodOfReentrantLockIsHere() throws Exception {
    int compared = 0;
    for (Method theirs : ReentrantLock.class.getDeclaredMethods()) {
      if (isVisible(theirs)) {
        Method ours =
            ExchangeLock.class.getDeclaredMethod(theirs.getName(), theirs.getParameterTypes());
        assertEquals(theirs.getGenericReturnType(), ours.getGenericReturnType(),
            () -> "result of " + theirs);
        assertSameSignature(theirs, ours);
        ++compared;
      }
    }
    assertTrue(compared >= 19, "ReentrantLock of JDK 21 has 19 methods");
    for (Constructor<?> theirs : ReentrantLock.class.getDeclaredConstructors()) {
      if (isVisible(theirs)) {
        assertSameSignature(theirs,
            ExchangeLock.class.getDeclaredConstructor(theirs.getParameterTypes()));
      }
    }
    assertEquals(ReentrantLock.class.getModifiers(), ExchangeLock.class.getModifiers());
    assertEquals(Set.of(ReentrantLock.class.getInterfaces()),
        Set.of(ExchangeLock.class.getInterfaces()));
    assertTrue(lock.newCondition() instanceof Serializable);
  }

  @Test
  void fairnessIsThatOfTheConstructor() {
    assertFalse(new ExchangeLock().isFair());
    assertFalse(new ExchangeLock(false).isFair());
    assertTrue(new ExchangeLock(true).isFair());
  }

  /** What a call throws, or else what it returns. */
  private static Object outcome(Callable<Object> call) {
    try {
      return call.call();
    } catch (Exception thrown) {
      return thrown.getClass();
    }
  }

  private static List<Object> questionsAbout(
      Condition asked, Predicate<Condition> has,
      ToIntFunction<Condition> count) {
    return List.of(outcome(() -> has.test(asked)), outcome(() -> count.applyAsInt(asked)));
  }

  /** Null, a condition of another lock, of another kind of lock, and one of the lock itself. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void questionsAboutConditionsAreRefusedAsByReentrantLock(boolean isOwner) {
    ReentrantLock theirs = new ReentrantLock();
    if (isOwner) {
      theirs.lock();
      lock.lock();
    }
    List<Condition> askedThem = Arrays.asList(
        null, new ReentrantLock().newCondition(), lock.newCondition(), theirs.newCondition());
    List<Condition> askedUs = Arrays.asList(
        null, new ExchangeLock().newCondition(), theirs.newCondition(), lock.newCondition());
    for (int i = 0; i < askedUs.size(); ++i) {
      assertEquals(
          questionsAbout(askedThem.get(i), theirs::hasWaiters, theirs::getWaitQueueLength),
          questionsAbout(askedUs.get(i), lock::hasWaiters, lock::getWaitQueueLength));
      int index = i;
      Object expected = questionsAbout(askedThem.get(i), theirs::hasWaiters,
          theirs::getWaitQueueLength).get(0);
      assertEquals(expected instanceof Class<?> ? expected : List.of(),
          outcome(() -> lock.getWaitingThreads(askedUs.get(index))));
    }
    assertThrows(NullPointerException.class, () -> theirs.hasQueuedThread(null));
    assertThrows(NullPointerException.class, () -> lock.hasQueuedThread(null));
  }

  @ParameterizedTest
  @EnumSource(Threads.Kind.class)
  void monitoringNamesOwnerAndWaiters(Threads.Kind kind) throws Exception {
    assertNull(lock.owner());
    assertEquals(List.of(), lock.queued());
    lock.lock();
    assertSame(Thread.currentThread(), lock.owner());
    try (Threads threads = new Threads(kind)) {
      Thread first = threads.start(() -> {
        lock.lock();
        lock.changed.await();
        lock.unlock();
      });
      Threads.until(() -> lock.hasQueuedThread(first));
      Thread second = threads.start(() -> {
        lock.lock();
        lock.unlock();
      });
      Threads.until(() -> lock.hasQueuedThread(second));
      assertEquals(List.of(first, second), lock.queued());
      assertEquals(2, lock.getQueueLength());
      assertTrue(lock.hasQueuedThreads());
      assertFalse(lock.hasWaiters(lock.changed));
      lock.unlock();
      second.join();
      lock.lock();  // The first entered before the second, so it waits for the condition.
      assertEquals(List.of(), lock.queued());
      assertEquals(List.of(first), lock.waiting());
      assertTrue(lock.hasWaiters(lock.changed));
      assertEquals(1, lock.getWaitQueueLength(lock.changed));
      assertFalse(lock.hasQueuedThread(first));
      lock.changed.signal();
      assertEquals(List.of(), lock.waiting());
      assertTrue(lock.hasQueuedThread(first));
      lock.unlock();
    }
    assertNull(lock.owner());
  }

  @SuppressWarnings("unchecked")
  private static <T> T copied(T object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) in.readObject();
    }
  }

  /** Works like a new one: locked, waited for, signalled. */
  private static void use(Lock lock, Condition changed) throws Exception {
    boolean[] said = new boolean[1];
    lock.lock();
    Thread other = Thread.ofVirtual().start(() -> {
      lock.lock();
      said[0] = true;
      changed.signal();
      lock.unlock();
    });
    while (!said[0]) {
      changed.await();
    }
    assertFalse(changed.await(1, TimeUnit.NANOSECONDS));
    lock.unlock();
    other.join();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void copyFromAStreamIsFree(boolean fair) throws Exception {
    OpenLock original = new OpenLock(fair);
    original.lock();
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      Thread waiter = threads.start(() -> {
        original.lock();
        original.unlock();
      });
      Threads.until(() -> original.hasQueuedThread(waiter));
      OpenLock copy = copied(original);
      assertNotSame(original, copy);
      assertFalse(copy.isLocked());
      assertEquals(0, copy.getHoldCount());
      assertFalse(copy.hasQueuedThreads());
      assertEquals(List.of(), copy.queued());
      assertEquals(fair, copy.isFair());
      use(copy, copy.changed);
      use(copy, copy.newCondition());
      original.unlock();
    }
  }

  /** Also if the stream starts with the condition, which refers to a lock that refers to it. */
  @Test
  void copiedConditionIsThatOfTheCopiedLock() throws Exception {
    OpenLock original = new OpenLock(false);
    try (Threads threads = new Threads(Threads.Kind.OURS)) {
      threads.start(() -> {
        original.lock();
        original.changed.await();
        original.unlock();
      });
      Threads.until(() -> {
        original.lock();
        boolean waits = original.hasWaiters(original.changed);
        original.unlock();
        return waits;
      });
      List<Object> copies = copied(new ArrayList<>(List.of(original.changed, original)));
      OpenLock copy = (OpenLock) copies.get(1);
      assertSame(copies.get(0), copy.changed);
      copy.lock();
      assertFalse(copy.hasWaiters(copy.changed));
      copy.unlock();
      use(copy, copy.changed);
      original.lock();
      original.changed.signal();
      original.unlock();
    }
  }
}
