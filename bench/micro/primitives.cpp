// bench/micro/primitives.cpp — a row for each primitive: two tasks that take turns, and
// several that meet.
#include <hotseat/hotseat.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace hotseat::bench {
namespace {

constexpr std::int64_t batch = 100'000;

void set_up(benchmark::internal::Benchmark* each) {
  each->ArgName("threads")->Arg(1)->Arg(2)->MeasureProcessCPUTime()->UseRealTime();
}

template <class Handoff>
task<> pass_permits(basic_semaphore<Handoff>& mine, basic_semaphore<Handoff>& yours) {
  for (std::int64_t i = 0; i < batch; ++i) {
    co_await mine.acquire();
    co_await yours.release();
  }
}

template <class Handoff>
void semaphores(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  basic_semaphore<Handoff> ping{1};
  basic_semaphore<Handoff> pong{0};
  while (state.KeepRunningBatch(2 * batch)) {
    sync_wait(pool, when_all(pass_permits(ping, pong), pass_permits(pong, ping)));
  }
}
BENCHMARK(semaphores<handoff::exchange>)->Name("semaphore/exchange")->Apply(set_up);
BENCHMARK(semaphores<handoff::dispatch>)->Name("semaphore/dispatch")->Apply(set_up);

task<> pass_signals(auto_reset_event& mine, auto_reset_event& yours) {
  for (std::int64_t i = 0; i < batch; ++i) {
    co_await mine.wait();
    co_await yours.set();
  }
}

void events(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  auto_reset_event ping;
  auto_reset_event pong;
  ping.set_dispatch();
  while (state.KeepRunningBatch(2 * batch)) {
    sync_wait(pool, when_all(pass_signals(ping, pong), pass_signals(pong, ping)));
  }
}
BENCHMARK(events)->Name("auto_reset_event")->Apply(set_up);

template <class Handoff>
struct turns {
  basic_mutex<Handoff> m;
  condition_variable changed;
  std::int64_t turn = 0;
};

template <class Handoff>
task<> take_turns(turns<Handoff>& all, std::int64_t parity, std::int64_t end) {
  co_await all.m.lock();
  for (std::int64_t next = all.turn - all.turn % 2 + parity; next < end; next += 2) {
    co_await all.changed.wait(all.m, [&all, next] { return all.turn == next; });
    ++all.turn;
    co_await all.changed.notify_one();
  }
  co_await all.m.unlock();
}

/// The mutex is owned while the other task is notified: one exchange for each turn.
template <class Handoff>
void conditions(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  turns<Handoff> all;
  while (state.KeepRunningBatch(2 * batch)) {
    all.turn = 0;
    sync_wait(pool, when_all(take_turns(all, 0, 2 * batch), take_turns(all, 1, 2 * batch)));
  }
}
BENCHMARK(conditions<handoff::exchange>)->Name("condition/exchange")->Apply(set_up);
BENCHMARK(conditions<handoff::dispatch>)->Name("condition/dispatch")->Apply(set_up);

constexpr std::int64_t members = 16;

template <class Barrier>
task<> meet(Barrier& all, std::int64_t times) {
  for (std::int64_t i = 0; i < times; ++i) co_await all.arrive_and_wait();
}

/// 16 tasks; the time is that of one arrival.
void barriers(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  while (state.KeepRunningBatch(members * (batch / members))) {
    barrier all{members};
    std::vector<task<>> tasks;
    for (std::int64_t i = 0; i < members; ++i) tasks.push_back(meet(all, batch / members));
    sync_wait(pool, when_all(std::move(tasks)));
  }
}
BENCHMARK(barriers)->Name("barrier/16")->Apply(set_up);

constexpr std::int64_t rounds = 1000;

task<> count_down(latch& all) { co_await all.count_down(); }
task<> set(event& all) { co_await all.set(); }

template <class Gate>
task<> wait_for(Gate& all) {
  co_await all.wait();
}

task<> open_latches() {
  for (std::int64_t round = 0; round < rounds; ++round) {
    latch all{members - 1};
    std::vector<task<>> tasks;
    tasks.push_back(wait_for(all));
    for (std::int64_t i = 1; i < members; ++i) tasks.push_back(count_down(all));
    co_await when_all(std::move(tasks));
  }
}

task<> set_events() {
  for (std::int64_t round = 0; round < rounds; ++round) {
    event all;
    std::vector<task<>> tasks;
    for (std::int64_t i = 1; i < members; ++i) tasks.push_back(wait_for(all));
    tasks.push_back(set(all));
    co_await when_all(std::move(tasks));
  }
}

/// 15 tasks that count down and one that waits; the time is that of one, from start to end.
void latches(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  while (state.KeepRunningBatch(members * rounds)) sync_wait(pool, open_latches());
}
BENCHMARK(latches)->Name("latch/16")->Apply(set_up);

/// 15 tasks that wait and one that sets.
void manual_events(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  while (state.KeepRunningBatch(members * rounds)) sync_wait(pool, set_events());
}
BENCHMARK(manual_events)->Name("event/16")->Apply(set_up);

task<> send_all(channel<std::int64_t>& to) {
  for (std::int64_t i = 0; i < batch; ++i) {
    const bool is_sent = co_await to.send(i);
    if (!is_sent) co_return;
  }
}

task<> receive_all(channel<std::int64_t>& from) {
  for (std::int64_t i = 0; i < batch; ++i) {
    std::optional<std::int64_t> value = co_await from.receive();
    benchmark::DoNotOptimize(value);
  }
}

void channels(benchmark::State& state) {
  thread_pool pool{static_cast<unsigned>(state.range(0))};
  channel<std::int64_t> between{static_cast<std::size_t>(state.range(1))};
  while (state.KeepRunningBatch(batch)) {
    sync_wait(pool, when_all(send_all(between), receive_all(between)));
  }
}
BENCHMARK(channels)
    ->Name("channel")
    ->ArgNames({"threads", "capacity"})
    ->Args({1, 0})
    ->Args({1, 64})
    ->Args({2, 0})
    ->Args({2, 64})
    ->MeasureProcessCPUTime()
    ->UseRealTime();

}  // namespace
}  // namespace hotseat::bench
