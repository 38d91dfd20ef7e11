// integrations/java/explore/org/hotseat/explore/Races.java — data races on plain fields.
package org.hotseat.explore;

import java.util.IdentityHashMap;

/**
 * Two accesses to a plain field, one of them a write, must be ordered by happens-before: by locks,
 * by releases and acquires, not by chance. So a memory order that is too weak is noticed, although
 * the strands of the model really run one after the other.
 */
public final class Races {
  private static final class Field {
    final String name;
    final Field following;
    int writer = -1;
    int written;
    final int[] read = new int[Clock.MOST_STRANDS];

    Field(String name, Field following) {
      this.name = name;
      this.following = following;
    }
  }

  private final Run run;
  private final IdentityHashMap<Object, Field> fields = new IdentityHashMap<>();

  Races(Run run) {
    this.run = run;
  }

  /** @param name a constant: the same object each time */
  public void read(Object object, String name) {
    if (!run.isObserving()) {
      Field field = field(object, name);
      Strand self = run.current();
      checkWrite(field, self, "reads");
      field.read[self.id] = self.clock().at(self.id);
    }
  }

  /** Also called for a field that is both read and written. */
  public void write(Object object, String name) {
    if (!run.isObserving()) {
      Field field = field(object, name);
      Strand self = run.current();
      checkWrite(field, self, "writes");
      for (int i = 0; i < field.read.length; ++i) {
        if (!self.clock().knows(i, field.read[i])) {
          fail(field, self, "writes", "a read");
        }
      }
      field.writer = self.id;
      field.written = self.clock().at(self.id);
    }
  }

  private void checkWrite(Field field, Strand self, String what) {
    if (field.writer >= 0 && !self.clock().knows(field.writer, field.written)) {
      fail(field, self, what, "a write");
    }
  }

  private void fail(Field field, Strand self, String what, String other) {
    run.fail("race: " + self + " " + what + " " + field.name + ", and " + other
        + " by another strand did not happen before");
  }

  private Field field(Object object, String name) {
    Field first = fields.get(object);
    for (Field each = first; each != null; each = each.following) {
      if (each.name == name) {
        return each;
      }
    }
    Field field = new Field(name, first);
    fields.put(object, field);
    return field;
  }
}
