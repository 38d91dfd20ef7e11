// integrations/java/src/org/hotseat/package-info.java — what the package is for.
/**
 * Locks for virtual threads that keep contended sections on one carrier.
 *
 * <p>{@link org.hotseat.ExchangeLock} is the lock, {@link org.hotseat.ExchangeScheduler} makes the
 * threads that it can exchange.
 */
package org.hotseat;
