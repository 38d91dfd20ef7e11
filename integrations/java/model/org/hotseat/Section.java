// integrations/java/model/org/hotseat/Section.java — what a lock protects.
package org.hotseat;

/** Data that one thread at a time may use, and must see as the previous one left it. */
final class Section {
  private final ExchangeLock lock;
  private Thread inside;
  private int entries;

  Section(ExchangeLock lock) {
    this.lock = lock;
  }

  /** Call it between lock and unlock. */
  void visit() {
    enter();
    exit();
  }

  void enter() {
    World.requireC1();
    World.require(lock.isHeldByCurrentThread(), "a thread is inside, and not the owner");
    World.require(inside == null, "two threads are inside");
    inside = Thread.currentThread();
    Plain.write(this, "the data of the section");
    ++entries;
    Here.run.note("enters");
    Here.run.point();
  }

  /** Call it before unlock or a wait for a condition. */
  void exit() {
    World.require(inside == Thread.currentThread(), "another thread is inside");
    Plain.write(this, "the data of the section");
    inside = null;
    Here.run.note("leaves");
  }

  int entries() {
    return entries;
  }
}
