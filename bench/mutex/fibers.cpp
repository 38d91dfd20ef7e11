// bench/mutex/fibers.cpp — the same run with fibers for tasks.
#include <hotseat/hotseat.hpp>
#include <mutex/contenders.hpp>
#include <support/handoffs.hpp>

#include <mutex>
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
      for (std::uint32_t i = 0; i < self.iterations; ++i) {
        const std::uint32_t prime = run.draw(self);
        {
          const std::lock_guard held{run.mutex()};
          run.section(prime);
        }
        run.work(self, prime);
      }
      run.finish();
    });
  }
  await(waiting.wait());
  mutex_outcome outcome = run.measure([&] {
    gate.set_dispatch();
    for (fiber& each : fibers) each.join();
  });
  outcome.stats = pool.stats().total();
  return outcome;
}

}  // namespace

std::vector<std::string> front_names() { return {"coroutines", "fibers"}; }

mutex_outcome run_on_fibers(std::string_view handoff, std::string_view state,
                            const mutex_settings& settings) {
  return with_mutex_named(handoff, state, [&]<class Mutex>() {
    return run_fibers<typename face_of<Mutex>::type>(settings);
  });
}

}  // namespace hotseat::bench
