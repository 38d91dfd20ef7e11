// integrations/java/model/org/hotseat/Scenarios.java — all scenarios, on all kinds of threads.
package org.hotseat;

import java.util.ArrayList;
import java.util.List;
import org.hotseat.explore.Run;
import org.hotseat.explore.Scenario;

/** The scenarios that the explorer runs. */
public final class Scenarios {
  /** The threads of a scenario, and what must hold at its end. */
  interface Story {
    Runnable begin(World world, boolean fair);
  }

  private static final Runnable NOTHING = () -> { };

  private final List<Scenario> all = new ArrayList<>();

  private Scenarios() {}

  /** Called by the explorer, by name. */
  public static List<Scenario> all() {
    Scenarios scenarios = new Scenarios();
    LockScenarios.addTo(scenarios);
    LimitScenarios.addTo(scenarios);
    ConditionScenarios.addTo(scenarios);
    return scenarios.all;
  }

  /** Adds a scenario on all kinds of threads. */
  void add(String name, boolean fair, Story story) {
    for (World.Kind kind : World.Kind.values()) {
      add(name, kind, fair, story);
    }
  }

  /** The same with a fair lock and an unfair one. */
  void addBoth(String name, Story story) {
    add(name, false, story);
    add(name, true, story);
  }

  void add(String name, World.Kind kind, boolean fair, Story story) {
    String title = name + (fair ? ", fair, " : ", ")
        + kind.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    all.add(new Scenario() {
      @Override
      public String name() {
        return title;
      }

      @Override
      public Runnable begin(Run run) {
        Here.run = run;
        Here.watch = new LockWatch();
        World world = new World(kind);
        Runnable end = story.begin(world, fair);
        return () -> {
          world.requireEnd();
          end.run();
        };
      }
    });
  }

  static Runnable nothing() {
    return NOTHING;
  }
}
