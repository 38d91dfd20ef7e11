// bench/mutex/contenders/os_threads.cpp — threads and std::mutex.
#include <mutex/contenders.hpp>

#include <cstddef>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

namespace hotseat::bench {

namespace {

mutex_outcome run(const mutex_settings& settings) {
  mutex_run<std::mutex> all{settings, settings.workers};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (participant& each : all.participants()) {
    threads.emplace_back([&all, &start, &self = each] {
      start.arrive_and_wait();
      all.loop_with_guards(self);
    });
  }
  return all.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

}  // namespace

mutex_contender os_threads() { return {"OS threads with std::mutex", "", run, "", "", ""}; }

}  // namespace hotseat::bench
