// integrations/java/src/org/hotseat/JdkInternals.java — all that we need of the JDK's internals.
package org.hotseat;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;

/**
 * The only class that reaches behind the JDK's public interface. Two things have no public name in
 * JDK 21 to 25: virtual threads with a custom scheduler, and the carrier of the current thread.
 * Both are looked up once. If one is missing, {@link #problem} says why and what to do about it,
 * and nothing else in the library fails.
 */
final class JdkInternals {
  private static final String FLAG = "--add-opens java.base/java.lang=ALL-UNNAMED";

  private static final MethodHandle NEW_BUILDER;
  private static final MethodHandle CURRENT_CARRIER;
  private static final String PROBLEM;

  static {
    MethodHandle newBuilder = null;
    MethodHandle currentCarrier = null;
    String problem = null;
    try {
      MethodHandles.Lookup inside =
          MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
      Class<?> builder = inside.findClass("java.lang.ThreadBuilders$VirtualThreadBuilder");
      newBuilder = MethodHandles.privateLookupIn(builder, MethodHandles.lookup())
          .findConstructor(builder, MethodType.methodType(void.class, Executor.class))
          .asType(MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class));
      currentCarrier = inside.findStatic(
          Thread.class, "currentCarrierThread", MethodType.methodType(Thread.class));
    } catch (IllegalAccessException closed) {
      problem = "the package java.lang is closed to it: start java with " + FLAG
          + ", or put 'Add-Opens: java.base/java.lang' into the manifest of the jar that"
          + " java -jar starts";
    } catch (ReflectiveOperationException missing) {
      problem = "this JDK, " + Runtime.version() + ", has no "
          + missing.getMessage() + "; JDK 21 to 25 have it";
    }
    NEW_BUILDER = newBuilder;
    CURRENT_CARRIER = currentCarrier;
    PROBLEM = problem;
  }

  private JdkInternals() {}

  /** Why we cannot have our own scheduler; null if we can. */
  static String problem() {
    return PROBLEM;
  }

  /** A builder of virtual threads whose continuations are given to {@code scheduler}. */
  static Thread.Builder.OfVirtual newBuilder(Executor scheduler) {
    try {
      return (Thread.Builder.OfVirtual) NEW_BUILDER.invokeExact(scheduler);
    } catch (Throwable impossible) {
      throw new LinkageError("a builder of virtual threads", impossible);
    }
  }

  /**
   * The carrier of the current thread, or the current thread itself if it is not virtual. Must not
   * be called if there is a {@link #problem}.
   */
  static Thread currentCarrier() {
    try {
      return (Thread) CURRENT_CARRIER.invokeExact();
    } catch (Throwable impossible) {
      throw new LinkageError("Thread.currentCarrierThread", impossible);
    }
  }
}
