// bench/mutex/contenders/hotseat.cpp — our coroutines, with each hand-off.
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

}  // namespace

std::vector<mutex_contender> hotseat_handoffs() {
  std::vector<mutex_contender> all;
  for (const std::string& state : state_names) {
    for (const std::string& handoff : handoff_names) {
      const std::string name =
          state == state_names.front() ? handoff : handoff + ", " + state;
      all.push_back({name, "",
                     [handoff, state](const mutex_settings& settings) {
                       return with_mutex_named(handoff, state, [&]<class Mutex>() {
                         return run_tasks<Mutex>(settings);
                       });
                     },
                     handoff, state, "coroutines"});
    }
  }
  return all;
}

}  // namespace hotseat::bench
