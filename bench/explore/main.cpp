// hotseat/bench/explore/main.cpp — how many schedules per second the explorer runs.
#include <hotseat/explore/explore.hpp>
#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace hotseat;

task<> add(mutex& m, platform::var<int>& count) {
  co_await m.lock();
  count = count + 1;
  co_await m.unlock();
}

/// Two workers, three tasks, one mutex.
void program() {
  thread_pool pool{
      {.threads = 2, .block_size = 2, .block_count = 2, .machine = topology::flat(1)}};
  mutex m;
  platform::var<int> count = 0;
  sync_wait(pool, when_all(add(m, count), add(m, count), add(m, count)));
  verify(count == 3, "no addition is lost");
}

void measure(const char* name, strategy how, std::uint64_t schedules) {
  const auto start = std::chrono::steady_clock::now();
  const explore_result result =
      explore({.name = name, .how = how, .schedules = schedules}, &program);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  if (result.has_failed()) std::exit(1);
  const auto done = static_cast<double>(result.schedules);
  std::printf("%-12s %9.0f schedules/s  %5.0f steps each  %6.1f million steps/s\n", name,
              done / time.count(), static_cast<double>(result.steps) / done,
              static_cast<double>(result.steps) / time.count() / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t schedules = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300'000;
  measure("mixed", strategy::mixed, schedules);
  measure("random_walk", strategy::random_walk, schedules);
  measure("priorities", strategy::priorities, schedules);
  measure("exhaustive", strategy::exhaustive, schedules);
}
