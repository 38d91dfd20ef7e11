// bench/mutex/contenders/hotseat.cpp — our coroutines and our fibers, with each hand-off.
#include <hotseat/hotseat.hpp>
#include <mutex/contenders.hpp>
#include <support/handoffs.hpp>

#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

template <class Mutex>
task<> loop(mutex_run<Mutex>& run, participant& self) {
  for (std::uint32_t i = 0; i < self.iterations; ++i) {
    const std::uint32_t prime = run.draw(self);
    co_await run.mutex().lock();
    run.section(prime);
    co_await run.mutex().unlock();
    run.work(self, prime);
  }
  run.finish();
}

template <class Mutex>
mutex_outcome run_tasks(const mutex_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  mutex_run<Mutex> run{settings, settings.tasks};
  std::vector<task<>> tasks;
  tasks.reserve(settings.tasks);
  for (participant& each : run.participants()) tasks.push_back(loop(run, each));
  return run.measure([&] { sync_wait(pool, when_all(std::move(tasks))); });
}

#ifdef HOTSEAT_BENCH_HAS_FIBER
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
  // As coroutines, they are created before the clock starts, and wait.
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
#endif

/// One contender for each state and hand-off; `run_with` is called as
/// `run_with.template operator()<Mutex>(settings)`.
template <class Run>
void add_each(std::vector<mutex_contender>& all, const std::string& front,
              const std::string& suffix, Run run_with) {
  for (const std::string& state : state_names) {
    for (const std::string& handoff : handoff_names) {
      const std::string spelled = state == state_names.front() ? "" : ", " + state;
      all.push_back({handoff + spelled + suffix, "",
                     [=](const mutex_settings& settings) {
                       return with_mutex_named(handoff, state, [&]<class Mutex>() {
                         return run_with.template operator()<Mutex>(settings);
                       });
                     },
                     handoff, state, front});
    }
  }
}

}  // namespace

std::vector<mutex_contender> hotseat_handoffs() {
  std::vector<mutex_contender> all;
  add_each(all, "coroutines", "", []<class Mutex>(const mutex_settings& settings) {
    return run_tasks<Mutex>(settings);
  });
#ifdef HOTSEAT_BENCH_HAS_FIBER
  add_each(all, "fibers", ", fibers", []<class Mutex>(const mutex_settings& settings) {
    return run_fibers<typename face_of<Mutex>::type>(settings);
  });
#endif
  return all;
}

}  // namespace hotseat::bench
