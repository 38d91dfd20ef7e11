// integrations/java/tests/org/hotseat/DebuggerTest.java — a debugger stops threads that exchange.
package org.hotseat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IntegerValue;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.LaunchingConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DebuggerTest {
  private static final int THREADS = 8;
  private static final int VISITS = 20;

  /** What is debugged, in its own JVM: its threads exchange, and their owner is stopped. */
  static final class Debuggee {
    private static int counter;

    private Debuggee() {}

    public static void main(String[] arguments) {
      ExchangeLock lock = new ExchangeLock();
      try (ExchangeScheduler scheduler = ExchangeScheduler.start(2)) {
        for (int i = 0; i < THREADS; ++i) {
          int index = i;
          scheduler.startThread(() -> {
            Thread.currentThread().setName("visitor " + index);
            for (int k = 0; k < VISITS; ++k) {
              lock.lock();
              section(index);
              lock.unlock();
            }
          });
        }
      }
      System.exit(counter == THREADS * VISITS ? 0 : 1);
    }

    static void section(int index) {
      ++counter;
    }
  }

  /**
   * A thread stopped in its section has its name, its arguments and its callers. The other threads,
   * whether stopped as well or arriving meanwhile, go on afterwards.
   */
  @ParameterizedTest
  @ValueSource(ints = {EventRequest.SUSPEND_ALL, EventRequest.SUSPEND_EVENT_THREAD})
  void debuggerSeesTheThreadInItsSection(int whoStops) throws Exception {
    VirtualMachine machine = launch();
    ClassPrepareRequest prepare = machine.eventRequestManager().createClassPrepareRequest();
    prepare.addClassFilter(Debuggee.class.getName());
    prepare.enable();

    Set<String> names = new HashSet<>();
    int stops = 0;
    for (boolean connected = true; connected;) {
      EventSet events = machine.eventQueue().remove();
      for (Event event : events) {
        if (event instanceof ClassPrepareEvent prepared) {
          breakInSection(machine, prepared.referenceType(), whoStops);
        } else if (event instanceof BreakpointEvent stopped) {
          names.add(checkStack(stopped.thread()));
          ++stops;
        } else if (event instanceof VMDisconnectEvent) {
          connected = false;
        }
      }
      events.resume();
    }
    assertEquals(0, machine.process().waitFor());
    assertEquals(THREADS * VISITS, stops);
    assertEquals(THREADS, names.size());
  }

  private static VirtualMachine launch() throws Exception {
    LaunchingConnector connector = Bootstrap.virtualMachineManager().defaultConnector();
    Map<String, Connector.Argument> arguments = connector.defaultArguments();
    arguments.get("main").setValue(Debuggee.class.getName());
    arguments.get("options").setValue("--add-opens java.base/java.lang=ALL-UNNAMED -cp "
        + System.getProperty("java.class.path"));
    return connector.launch(arguments);
  }

  private static void breakInSection(VirtualMachine machine, ReferenceType type, int whoStops) {
    BreakpointRequest request = machine.eventRequestManager()
        .createBreakpointRequest(type.methodsByName("section").get(0).location());
    request.setSuspendPolicy(whoStops);
    request.enable();
  }

  private static String checkStack(ThreadReference thread) throws Exception {
    assertTrue(thread.isVirtual());
    StackFrame section = thread.frame(0);
    assertEquals("section", section.location().method().name());
    int index = ((IntegerValue) section.getArgumentValues().get(0)).value();
    assertEquals("visitor " + index, thread.name());
    List<String> callers = thread.frames().stream()
        .map(frame -> frame.location().declaringType().name()).toList();
    assertTrue(callers.contains("java.lang.VirtualThread"), () -> "who called? " + callers);
    return thread.name();
  }
}
