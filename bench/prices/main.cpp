// bench/prices/main.cpp — the costs of basic operations on this machine: the numbers of a
// machine_description for the simulator.
#include <hotseat/hotseat.hpp>
#include <hotseat/platform/parker.hpp>
#include <hotseat/platform/seam.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <functional>
#include <numeric>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include <sched.h>
#include <coroutine>

namespace hotseat::bench {
namespace {

using steady = std::chrono::steady_clock;

template <class T>
void keep(T& value) {
  asm volatile("" : "+r"(value) : : "memory");
}

double ns_since(steady::time_point start) {
  return std::chrono::duration<double, std::nano>(steady::now() - start).count();
}

/// The smallest of some measurements: disturbances only make them longer.
double least(const std::function<double()>& measure) {
  double result = measure();
  for (int i = 0; i < 6; ++i) result = std::min(result, measure());
  return result;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// ns for one call.
template <class F>
double cost_of(F&& call, int times = 200'000) {
  return least([&] {
    const auto start = steady::now();
    for (int i = 0; i < times; ++i) call();
    return ns_since(start) / times;
  });
}

void stay_on(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) std::perror("bench_prices: pinning");
}

/// ns for a load that depends on the previous one, over that many lines in random order.
double chase(std::size_t lines) {
  struct alignas(64) line {
    line* next = nullptr;
  };
  std::vector<line> all(lines);
  std::vector<std::size_t> order(lines);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64{1});
  for (std::size_t i = 0; i < lines; ++i) {
    all[order[i]].next = &all[order[(i + 1) % lines]];
  }
  line* here = all.data();
  return cost_of([&] {
    here = here->next;
    keep(here);
  });
}

/// ns for a line from one core to the other, by compare-and-swap in turns.
double transfer() {
  constexpr int turns = 100'000;
  const auto play = [](std::atomic<int>& word, int mine) {
    for (int i = 0; i < turns; ++i) {
      int seen = mine;
      while (!word.compare_exchange_strong(seen, 1 - mine)) seen = mine;
    }
  };
  return least([&] {
    alignas(128) std::atomic<int> word{0};
    std::thread other{[&] {
      stay_on(1);
      play(word, 1);
    }};
    stay_on(0);
    const auto start = steady::now();
    play(word, 0);
    const double time = ns_since(start);
    other.join();
    return time / (2 * turns);
  });
}

struct sleep_prices {
  double fall_asleep = 0;  ///< The sleeper's CPU time, including its way back.
  double wake = 0;
  double latency = 0;
};

sleep_prices sleeping() {
  constexpr int times = 2000;
  platform::parker bed;
  std::atomic<steady::time_point> called{steady::now()};
  std::atomic<int> awake{0};
  std::vector<double> wakes;
  std::vector<double> latencies;
  timespec cpu{};
  std::thread sleeper{[&] {
    stay_on(1);
    for (int i = 0; i < times; ++i) {
      bed.park();
      latencies.push_back(ns_since(called));
      awake.store(i + 1);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  }};
  stay_on(0);
  for (int i = 0; i < times; ++i) {
    for (const auto start = steady::now(); ns_since(start) < 60'000;) platform::relax();
    const auto start = steady::now();
    called.store(start);
    bed.unpark();
    wakes.push_back(ns_since(start));
    while (awake.load() <= i) platform::relax();
  }
  sleeper.join();
  return {.fall_asleep = 1e9 * static_cast<double>(cpu.tv_sec) / times +
                         static_cast<double>(cpu.tv_nsec) / times,
          .wake = median(wakes),
          .latency = median(latencies)};
}

struct ping {
  struct promise_type {
    ping get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

ping suspend_for_ever() {
  for (;;) co_await std::suspend_always{};
}

double switching() {
  const ping other = suspend_for_ever();
  const double result = cost_of([&] { other.handle.resume(); });
  other.handle.destroy();
  return result;
}

double locking() {
  mutex m;
  double result = 0;
  const auto body = [&]() -> task<> {
    for (int round = 0; round < 7; ++round) {
      constexpr int times = 200'000;
      const auto start = steady::now();
      for (int i = 0; i < times; ++i) {
        co_await m.lock();
        co_await m.unlock();
      }
      const double time = ns_since(start) / times;
      result = round == 0 ? time : std::min(result, time);
    }
  };
  thread_pool pool{1};
  sync_wait(pool, body());
  return result;
}

void say(const char* name, double ns) { std::printf("  \"%s\": %.1f,\n", name, ns); }

int run() {
  stay_on(0);
  std::printf("{\n");
  const double hit = chase(64);
  std::atomic<int> word{0};
  const double update = cost_of([&] { word.fetch_add(1); });
  const double lock = locking();
  say("hit", hit);
  say("update", update);
  say("from_cache", transfer());
  say("from_memory", chase(std::size_t{1} << 20U));
  // Two read-modify-writes and a load; the rest is the code around them, at least a cycle.
  say("instructions", std::max(0.3, (lock - 2 * update - hit) / 3));
  say("task_switch", switching());
  say("read_clock", cost_of([] { static_cast<void>(platform::ticks()); }));
  say("spin_hint", cost_of([] { platform::relax(); }));
  say("heavy_fence", cost_of([] { platform::heavy_fence(); }, 2000));
  const sleep_prices sleep = sleeping();
  say("fall_asleep", sleep.fall_asleep);
  say("wake", sleep.wake);
  say("wake_latency", sleep.latency);
  std::printf("  \"lock_and_unlock\": %.1f\n}\n", lock);
  return 0;
}

}  // namespace
}  // namespace hotseat::bench

int main() { return hotseat::bench::run(); }
