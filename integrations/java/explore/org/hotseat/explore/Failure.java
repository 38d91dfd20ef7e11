// integrations/java/explore/org/hotseat/explore/Failure.java — what a failing schedule throws.
package org.hotseat.explore;

/** A broken promise. */
public final class Failure extends Error {
  private static final long serialVersionUID = 1;

  public Failure(String message) {
    super(message);
  }
}
