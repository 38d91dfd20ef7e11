// bench/mutex/contenders.cpp — one run: tasks on a pool, or the baselines on plain threads.
#include <hotseat/hotseat.hpp>
#include <mutex/contenders.hpp>
#include <support/handoffs.hpp>

#include <latch>
#include <mutex>
#include <thread>
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
  mutex_outcome outcome = run.measure([&] { sync_wait(pool, when_all(std::move(tasks))); });
  outcome.stats = pool.stats().total();
  return outcome;
}

struct no_lock {};

}  // namespace

mutex_outcome run_on_pool(std::string_view handoff, std::string_view state,
                          const mutex_settings& settings) {
  return with_mutex_named(handoff, state,
                          [&]<class Mutex>() { return run_tasks<Mutex>(settings); });
}

mutex_outcome run_on_one_thread(const mutex_settings& settings) {
  mutex_run<no_lock> run{settings, 1};
  participant& self = run.participants().front();
  return run.measure([&] {
    for (std::uint32_t i = 0; i < self.iterations; ++i) {
      const std::uint32_t prime = run.draw(self);
      run.section(prime);
      run.work(self, prime);
    }
    run.finish();
  });
}

mutex_outcome run_on_threads(const mutex_settings& settings) {
  mutex_run<std::mutex> run{settings, settings.workers};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (participant& each : run.participants()) {
    threads.emplace_back([&run, &start, &self = each] {
      start.arrive_and_wait();
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
  return run.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

}  // namespace hotseat::bench
