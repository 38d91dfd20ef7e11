// bench/shared_mutex/contenders.cpp — one run: tasks on a pool, or the baselines on plain
// threads.
#include <hotseat/hotseat.hpp>
#include <shared_mutex/workload.hpp>

#include <cstddef>
#include <latch>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

template <class Mutex>
task<> loop(shared_mutex_run<Mutex>& run, reader_writer& self) {
  for (std::uint32_t i = 0; i < self.iterations; ++i) {
    const step next = run.draw(self);
    if (next.is_write) {
      co_await run.mutex().lock();
      run.write(next.prime);
      co_await run.mutex().unlock();
    } else {
      co_await run.mutex().lock_shared();
      run.read(self, next.prime);
      co_await run.mutex().unlock_shared();
    }
    run.work(self, next.prime);
  }
}

/// As many tasks as the settings say, on a pool.
template <class Mutex>
timed_run run_on_pool(const shared_mutex_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  shared_mutex_run<Mutex> run{settings, settings.tasks};
  std::vector<task<>> tasks;
  tasks.reserve(settings.tasks);
  for (reader_writer& each : run.participants()) tasks.push_back(loop(run, each));
  return run.measure([&] { sync_wait(pool, when_all(std::move(tasks))); });
}

struct no_lock {};

timed_run run_on_one_thread(const shared_mutex_settings& settings) {
  shared_mutex_run<no_lock> run{settings, 1};
  reader_writer& self = run.participants().front();
  return run.measure([&] {
    for (std::uint32_t i = 0; i < self.iterations; ++i) {
      const step next = run.draw(self);
      if (next.is_write) {
        run.write(next.prime);
      } else {
        run.read(self, next.prime);
      }
      run.work(self, next.prime);
    }
  });
}

timed_run run_on_threads(const shared_mutex_settings& settings) {
  shared_mutex_run<std::shared_mutex> run{settings, settings.workers};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (reader_writer& each : run.participants()) {
    threads.emplace_back([&run, &start, &self = each] {
      start.arrive_and_wait();
      for (std::uint32_t i = 0; i < self.iterations; ++i) {
        const step next = run.draw(self);
        if (next.is_write) {
          const std::unique_lock held{run.mutex()};
          run.write(next.prime);
        } else {
          const std::shared_lock held{run.mutex()};
          run.read(self, next.prime);
        }
        run.work(self, next.prime);
      }
    });
  }
  return run.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

}  // namespace

std::vector<shared_mutex_contender> shared_mutex_contenders() {
  return {{one_reader_writer_name, run_on_one_thread},
          {"exchange", run_on_pool<basic_shared_mutex<handoff::exchange>>},
          {"dispatch", run_on_pool<basic_shared_mutex<handoff::dispatch>>},
          {"resume_inline", run_on_pool<basic_shared_mutex<handoff::resume_inline>>},
          {"OS threads with std::shared_mutex", run_on_threads}};
}

}  // namespace hotseat::bench
