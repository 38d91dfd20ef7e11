// bench/mutex/contenders/fibers.cpp — our fibers, with each hand-off.
#include <mutex/contenders.hpp>

#ifdef HOTSEAT_BENCH_HAS_FIBER

#include <hotseat/hotseat.hpp>
#include <support/handoffs.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

template <class Mutex>
struct face_of;
template <class Handoff, class State>
struct face_of<basic_mutex<Handoff, State>> {
  using type = basic_fiber_mutex<Handoff, State>;
};

template <class Mutex>
mutex_outcome run_fibers(const mutex_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  mutex_run<Mutex> run{settings, settings.tasks};
  // As coroutines they are created before the clock starts, and wait.
  event gate;
  latch waiting{settings.tasks};
  std::vector<fiber> fibers;
  fibers.reserve(settings.tasks);
  for (participant& each : run.participants()) {
    fibers.emplace_back(pool, [&run, &gate, &waiting, &self = each] {
      await(waiting.count_down());
      await(gate.wait());
      run.loop_with_guards(self);
    });
  }
  await(waiting.wait());
  return run.measure([&] {
    gate.set_dispatch();
    for (fiber& each : fibers) each.join();
  });
}

}  // namespace

std::vector<mutex_contender> hotseat_fibers() {
  std::vector<mutex_contender> all;
  for (const std::string& state : state_names) {
    for (const std::string& handoff : handoff_names) {
      const std::string name = state == state_names.front()
                                   ? handoff + ", fibers"
                                   : handoff + ", " + state + ", fibers";
      all.push_back({name, "",
                     [handoff, state](const mutex_settings& settings) {
                       return with_mutex_named(handoff, state, [&]<class Mutex>() {
                         return run_fibers<typename face_of<Mutex>::type>(settings);
                       });
                     },
                     handoff, state, "fibers"});
    }
  }
  return all;
}

}  // namespace hotseat::bench

#else

namespace hotseat::bench {
std::vector<mutex_contender> hotseat_fibers() { return {}; }
}  // namespace hotseat::bench

#endif
