// integrations/java/model/org/hotseat/VarHandle.java — the atomic fields of the modelled machine.
package org.hotseat;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.hotseat.explore.Clock;
import org.hotseat.explore.Run;
import org.hotseat.explore.Strand;

/**
 * Each access is one step. The clocks show what the orders are for: only an acquire that reads from
 * a release learns what happened before it, and using a plain field without knowing is a race. An
 * opaque read may also return the value before the last write, once, unless that write is known to
 * have happened before; all other accesses see what was written last.
 */
final class VarHandle {
  /** The value of one field of one object. All fields are 0 or null at first. */
  private static final class Cell {
    long value;

    /** For a field that refers to an object: the value only says whether it is null. */
    Object reference;

    /** What a release before this value has published. */
    final Clock released = new Clock();

    /**
     * The last write: what it replaced, its strand and moment, and the strands that have seen it.
     */
    long replaced;
    Strand writer;
    int written;
    final Set<Strand> seenBy = new HashSet<>();

    void written(Strand self) {
      replaced = value;
      writer = self;
      written = self == null ? 0 : self.now();
      seenBy.clear();
      seenBy.add(self);
    }

    boolean mayBeUnseen(Strand self) {
      return writer != null && self != null && !seenBy.contains(self)
          && !self.knows(writer, written);
    }
  }

  private final String name;
  private final Class<?> type;
  private IdentityHashMap<Object, Cell> cells = new IdentityHashMap<>();
  private Run owner;

  VarHandle(String name, Class<?> type) {
    this.name = name;
    this.type = type;
  }

  private Cell cell(Object object) {
    if (owner != Here.run) {
      owner = Here.run;
      cells = new IdentityHashMap<>();
    }
    Cell cell = cells.get(object);
    if (cell == null) {
      cell = new Cell();
      cells.put(object, cell);
    }
    return cell;
  }

  private Object read(Object object, boolean acquires) {
    Here.run.point();
    Cell cell = cell(object);
    long value = cell.value;
    if (acquires) {
      acquire(cell);
    } else if (type == int.class && isOld(cell)) {
      value = cell.replaced;
      Here.run.note(name + " is still " + value);
    }
    if (!type.isPrimitive()) {
      return cell.reference;
    }
    return type == long.class ? (Object) value : (Object) (int) value;
  }

  private boolean isOld(Cell cell) {
    Strand self = Here.run.current();
    if (Here.run.isObserving() || !cell.mayBeUnseen(self)) {
      return false;
    }
    cell.seenBy.add(self);
    return Here.run.chance();
  }

  /** A write that is not part of a read-modify-write ends what was released before. */
  private void write(Object object, long value, boolean releases) {
    Here.run.point();
    Cell cell = cell(object);
    cell.released.clear();
    change(object, cell, value, releases);
  }

  private long modify(Object object, Cell cell, long value, boolean acquires, boolean releases) {
    long before = cell.value;
    if (acquires) {
      acquire(cell);
    }
    change(object, cell, value, releases);
    return before;
  }

  private boolean swap(Object object, long expected, long wanted, boolean acquires,
      boolean releases) {
    Here.run.point();
    Cell cell = cell(object);
    if (cell.value != expected) {
      cell.seenBy.add(Here.run.current());
      if (Here.run.isTracing()) {
        Here.run.note(name + " is " + cell.value + " and not " + expected);
      }
      return false;
    }
    modify(object, cell, wanted, acquires, releases);
    return true;
  }

  private static void acquire(Cell cell) {
    if (!Here.run.isObserving()) {
      Here.run.current().clock().join(cell.released);
    }
  }

  private void change(Object object, Cell cell, long value, boolean releases) {
    long before = cell.value;
    Strand self = Here.run.current();
    cell.written(self);
    if (releases && self != null) {
      cell.released.join(self.clock());
      self.advance();
    }
    cell.value = value;
    if (Here.run.isTracing()) {
      Here.run.note(name + ": " + before + " -> " + value);
    }
    Here.watch.changed(object, name, (int) before, (int) value);
  }

  // ---- as java.lang.invoke.VarHandle

  Object getOpaque(Object object) {
    return read(object, false);
  }

  Object getAcquire(Object object) {
    return read(object, true);
  }

  Object getVolatile(Object object) {
    return read(object, true);
  }

  void setOpaque(Object object, long value) {
    write(object, value, false);
  }

  void setRelease(Object object, long value) {
    write(object, value, true);
  }

  void setVolatile(Object object, long value) {
    write(object, value, true);
  }

  void setRelease(Object object, Object reference) {
    Here.run.point();
    Cell cell = cell(object);
    cell.released.clear();
    refer(object, cell, reference, false);
  }

  Object getAndSet(Object object, Object reference) {
    Here.run.point();
    return refer(object, cell(object), reference, true);
  }

  boolean compareAndSet(Object object, Object expected, Object wanted) {
    Here.run.point();
    Cell cell = cell(object);
    if (cell.reference == expected) {
      refer(object, cell, wanted, true);
      return true;
    }
    return false;
  }

  private Object refer(Object object, Cell cell, Object reference, boolean acquires) {
    Object before = cell.reference;
    modify(object, cell, reference == null ? 0 : 1, acquires, true);
    cell.reference = reference;
    return before;
  }

  boolean compareAndSet(Object object, int expected, int wanted) {
    return swap(object, expected, wanted, true, true);
  }

  /** May fail spuriously. */
  boolean weakCompareAndSetAcquire(Object object, int expected, int wanted) {
    return !Here.run.chance() && swap(object, expected, wanted, true, false);
  }

  boolean weakCompareAndSetRelease(Object object, int expected, int wanted) {
    return !Here.run.chance() && swap(object, expected, wanted, false, true);
  }

  boolean weakCompareAndSetPlain(Object object, int expected, int wanted) {
    return !Here.run.chance() && swap(object, expected, wanted, false, false);
  }

  Object getAndBitwiseOr(Object object, int bits) {
    Here.run.point();
    Cell cell = cell(object);
    return (int) modify(object, cell, cell.value | bits, true, true);
  }

  Object getAndBitwiseAnd(Object object, int bits) {
    Here.run.point();
    Cell cell = cell(object);
    return (int) modify(object, cell, cell.value & bits, true, true);
  }
}
