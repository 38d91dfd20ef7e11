// integrations/java/src/org/hotseat/WaiterLine.java — waiters in order of arrival.
package org.hotseat;

/** A list that a waiter can leave from everywhere. Not thread-safe: the lock's guard is. */
final class WaiterLine {
  private Waiter first;
  private Waiter last;
  private int length;

  boolean isEmpty() {
    return first == null;
  }

  int length() {
    return length;
  }

  Waiter first() {
    return first;
  }

  void add(Waiter waiter) {
    waiter.line = this;
    waiter.previous = last;
    if (last == null) {
      first = waiter;
    } else {
      last.following = waiter;
    }
    last = waiter;
    ++length;
  }

  void remove(Waiter waiter) {
    if (waiter.previous == null) {
      first = waiter.following;
    } else {
      waiter.previous.following = waiter.following;
    }
    if (waiter.following == null) {
      last = waiter.previous;
    } else {
      waiter.following.previous = waiter.previous;
    }
    waiter.line = null;
    waiter.previous = null;
    waiter.following = null;
    --length;
  }
}
