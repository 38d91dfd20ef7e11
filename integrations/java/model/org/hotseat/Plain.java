// integrations/java/model/org/hotseat/Plain.java — accesses to plain fields of the library.
package org.hotseat;

/** The calls that the explorer inserts into the sources: each returns its first argument. */
final class Plain {
  private Plain() {}

  static <T> T read(T object, String field) {
    Here.run.races().read(object, field);
    return object;
  }

  static <T> T write(T object, String field) {
    Here.run.races().write(object, field);
    return object;
  }
}
