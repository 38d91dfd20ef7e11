// integrations/java/src/org/hotseat/WaiterLine.java — waiters in order of arrival.
package org.hotseat;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * A list that a waiter can leave from any position. Not thread-safe: use the lock's guard. Read
 * back from a stream it is empty, as no thread waits there.
 */
final class WaiterLine implements Serializable {
  private static final long serialVersionUID = 1;

  private transient Waiter first;
  private transient Waiter last;
  private transient int length;

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

  boolean contains(Thread thread) {
    Waiter each = first;
    while (each != null && each.thread != thread) {
      each = each.following;
    }
    return each != null;
  }

  /** In order of arrival. */
  List<Thread> threads() {
    List<Thread> threads = new ArrayList<>(length);
    for (Waiter each = first; each != null; each = each.following) {
      threads.add(each.thread);
    }
    return threads;
  }
}
