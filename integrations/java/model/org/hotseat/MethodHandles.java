// integrations/java/model/org/hotseat/MethodHandles.java — finds fields of the modelled machine.
package org.hotseat;

/** What the library uses of {@code java.lang.invoke.MethodHandles}. */
final class MethodHandles {
  private MethodHandles() {}

  static Lookup lookup() {
    return new Lookup();
  }

  /** Like that of the JDK. */
  static final class Lookup {
    VarHandle findVarHandle(Class<?> owner, String name, Class<?> type)
        throws ReflectiveOperationException {
      if (owner.getDeclaredField(name).getType() != type) {
        throw new NoSuchFieldException(name);
      }
      return new VarHandle(owner.getSimpleName() + "." + name, type);
    }
  }
}
