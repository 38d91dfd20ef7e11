// integrations/java/explore/org/hotseat/explore/Coroutine.java — code that can stop in the middle.
package org.hotseat.explore;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What virtual threads are made of, {@code jdk.internal.vm.Continuation}, without the thread: a
 * switch takes a fraction of a microsecond, and only the explorer decides when. Needs {@code
 * --add-exports java.base/jdk.internal.vm=ALL-UNNAMED}.
 */
final class Coroutine {
  private static final MethodHandle NEW;
  private static final MethodHandle RUN;
  private static final MethodHandle YIELD;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      Class<?> scopes = Class.forName("jdk.internal.vm.ContinuationScope");
      Class<?> type = Class.forName("jdk.internal.vm.Continuation");
      Object scope = scopes.getConstructor(String.class).newInstance("explore");
      NEW = lookup
          .findConstructor(type, MethodType.methodType(void.class, scopes, Runnable.class))
          .bindTo(scope).asType(MethodType.methodType(Object.class, Runnable.class));
      RUN = lookup.findVirtual(type, "run", MethodType.methodType(void.class))
          .asType(MethodType.methodType(void.class, Object.class));
      YIELD = lookup.findStatic(type, "yield", MethodType.methodType(boolean.class, scopes))
          .bindTo(scope);
    } catch (ReflectiveOperationException missing) {
      throw new ExceptionInInitializerError(missing);
    }
  }

  private final Object continuation;

  Coroutine(Runnable body) {
    try {
      continuation = (Object) NEW.invokeExact(body);
    } catch (Throwable impossible) {
      throw new LinkageError("a continuation", impossible);
    }
  }

  /** Runs it until it suspends or ends. */
  void resume() {
    try {
      RUN.invokeExact(continuation);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable impossible) {
      throw new LinkageError("Continuation.run", impossible);
    }
  }

  /** Returns to the caller of {@link #resume}. */
  static void suspend() {
    try {
      boolean unused = (boolean) YIELD.invokeExact();
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable impossible) {
      throw new LinkageError("Continuation.yield", impossible);
    }
  }
}
