// bench/fiber/switching.cpp — switching between fibers, and running one to its end.
#include <hotseat/hotseat.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/stack_switch.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 200'000;

/// There and back, without an executor: the time is that of one way.
void bare_switch(benchmark::State& state) {
  struct strand {
    platform::parked_stack inside;
    platform::parked_stack outside;
  } both;
  const platform::guarded_stack stack = platform::take_stack(std::size_t{64} << 10U);
  const auto bounce = [](void* argument) noexcept {
    auto& self = *static_cast<strand*>(argument);
    for (;;) platform::switch_stacks(self.inside, self.outside);
  };
  platform::prepare_stack(both.inside, stack.lowest, stack.bytes, bounce, &both);
  while (state.KeepRunningBatch(2)) platform::switch_stacks(both.outside, both.inside);
  platform::forget_stack(both.inside);
  platform::give_stack(stack);
}
BENCHMARK(bare_switch)->Name("switch/bare");

/// Two fibers that reschedule in turns: the time is that of one switch.
void ping_pong_by_reschedule(benchmark::State& state) {
  thread_pool pool{1};
  const auto go_to_the_back = [] {
    for (std::int64_t i = 0; i < batch; ++i) await(reschedule());
  };
  while (state.KeepRunningBatch(2 * batch)) {
    fiber first{pool, go_to_the_back};
    fiber second{pool, go_to_the_back};
    first.join();
    second.join();
  }
}
BENCHMARK(ping_pong_by_reschedule)
    ->Name("switch/reschedule")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// Two fibers and two mutexes, each of which grants one fiber its turn.
template <class Mutex>
void ping_pong_by_mutexes(benchmark::State& state) {
  thread_pool pool{1};
  Mutex ping;
  Mutex pong;
  if (!pong.try_lock()) state.SkipWithError("a new mutex is owned");
  const auto take_turns = [](Mutex& mine, Mutex& yours) {
    for (std::int64_t i = 0; i < batch; ++i) {
      mine.lock();
      yours.unlock();
    }
  };
  while (state.KeepRunningBatch(2 * batch)) {
    fiber first{pool, [&] { take_turns(ping, pong); }};
    fiber second{pool, [&] { take_turns(pong, ping); }};
    first.join();
    second.join();
  }
  pong.unlock();
}
BENCHMARK(ping_pong_by_mutexes<basic_fiber_mutex<handoff::exchange>>)
    ->Name("switch/ping_pong_exchange")
    ->MeasureProcessCPUTime()
    ->UseRealTime();
BENCHMARK(ping_pong_by_mutexes<basic_fiber_mutex<handoff::dispatch>>)
    ->Name("switch/ping_pong_dispatch")
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// From inside the pool, one after another.
void spawn_and_join(benchmark::State& state) {
  constexpr std::int64_t times = 100'000;
  thread_pool pool{1};
  while (state.KeepRunningBatch(times)) {
    fiber parent{pool, [&] {
                   for (std::int64_t i = 0; i < times; ++i) {
                     fiber child{pool, [] {}};
                     child.join();
                   }
                 }};
    parent.join();
  }
}
BENCHMARK(spawn_and_join)->Name("spawn_join")->MeasureProcessCPUTime()->UseRealTime();

/// All are alive before the first ends: fresh stacks, each with its guard.
void many_alive(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(state.range(0));
  thread_pool pool{2};
  for (auto _ : state) {
    event gate;
    std::vector<fiber> all;
    all.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      all.emplace_back(pool, fiber_options{.stack_size = fiber_options::least_stack_size},
                       [&] { await(gate.wait()); });
    }
    gate.set_dispatch();
    for (fiber& each : all) each.join();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(many_alive)
    ->Name("many_alive")
    ->Arg(1'000)
    ->Arg(200'000)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
