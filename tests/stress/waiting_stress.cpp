// hotseat/tests/stress/waiting_stress.cpp — semaphores, conditions, delegated sections and
// other waits, with impatient tasks, on pools.
// HOTSEAT_STRESS_SCALE (1) scales the numbers of rounds.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/task/call_once.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/synchronized.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/with_lock.hpp>
#include <support/handoffs.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::scaled;

std::chrono::microseconds some_time(std::minstd_rand& random) {
  return std::chrono::microseconds{random() % 40};
}

template <class Handoff>
class WaitingStress : public ::testing::Test {};
TYPED_TEST_SUITE(WaitingStress, testing::handoffs);

constexpr std::int64_t permits = 6;

template <class Semaphore>
task<> use_permits(Semaphore& s, std::atomic<std::int64_t>& used, std::size_t rounds,
                   unsigned self) {
  std::minstd_rand random{self + 1};
  for (std::size_t round = 0; round < rounds; ++round) {
    const std::int64_t n = 1 + static_cast<std::int64_t>(random() % permits);
    const auto wanted = static_cast<std::uint64_t>(n);
    bool is_granted = true;
    switch (random() % 3) {
      case 0:
        co_await s.acquire(wanted);
        break;
      case 1:
        is_granted = co_await s.try_acquire_for(some_time(random), wanted);
        break;
      default: {
        std::stop_source stop;
        if (random() % 2 == 0) stop.request_stop();
        is_granted = co_await s.acquire(wanted, stop.get_token());
      }
    }
    if (!is_granted) continue;
    EXPECT_LE(used.fetch_add(n) + n, permits);
    used.fetch_sub(n);
    co_await s.release(wanted);
  }
}

TYPED_TEST(WaitingStress, permits_are_neither_lost_nor_made) {
  for (const unsigned workers : {1U, 2U, 4U}) {
    basic_semaphore<TypeParam> s{static_cast<std::uint64_t>(permits)};
    std::atomic<std::int64_t> used{0};
    thread_pool pool{workers};
    std::vector<task<>> all;
    for (unsigned i = 0; i < 50; ++i) {
      all.push_back(use_permits(s, used, scaled(2'000), i));
    }
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(s.available(), static_cast<std::uint64_t>(permits));
  }
}

/// A bounded buffer without the buffer: its fill level is a number.
template <class Handoff>
struct stock {
  basic_mutex<Handoff> m;
  condition_variable changed;
  std::size_t amount = 0;
  std::size_t taken = 0;
};
constexpr std::size_t room = 4;

template <class Stock>
task<> fill(Stock& s, std::size_t rounds) {
  for (std::size_t round = 0; round < rounds; ++round) {
    co_await s.m.lock();
    co_await s.changed.wait(s.m, [&s] { return s.amount < room; });
    ++s.amount;
    if (round % 2 == 0) {
      co_await s.changed.notify_all();
      co_await s.m.unlock();
    } else {
      co_await s.m.unlock();
      co_await s.changed.notify_all();
    }
  }
}

template <class Stock>
task<> empty(Stock& s, std::size_t rounds, unsigned self) {
  std::minstd_rand random{self + 1};
  for (std::size_t round = 0; round < rounds; ++round) {
    co_await s.m.lock();
    bool is_there = false;
    while (!is_there) {
      const auto has_some = [&s] { return s.amount > 0; };
      switch (random() % 3) {
        case 0:
          co_await s.changed.wait(s.m, has_some);
          is_there = true;
          break;
        case 1:
          is_there = co_await s.changed.wait_for(s.m, some_time(random), has_some);
          break;
        default:
          if (s.amount == 0) co_await s.changed.wait(s.m);
          is_there = s.amount > 0;
      }
    }
    EXPECT_GT(s.amount, 0U);
    EXPECT_LE(s.amount, room);
    --s.amount;
    ++s.taken;
    co_await s.changed.notify_all();
    co_await s.m.unlock();
  }
}

TYPED_TEST(WaitingStress, no_notification_is_lost) {
  for (const unsigned workers : {1U, 2U, 4U}) {
    stock<TypeParam> s;
    thread_pool pool{workers};
    const std::size_t rounds = scaled(4'000);
    std::vector<task<>> all;
    for (unsigned i = 0; i < 6; ++i) {
      all.push_back(fill(s, rounds));
      all.push_back(empty(s, rounds, i));
    }
    std::thread outside{[&s, rounds] {
      for (std::size_t round = 0; round < rounds; ++round) {
        s.m.lock_blocking();
        s.changed.wait_blocking(s.m, [&s] { return s.amount < room; });
        ++s.amount;
        s.changed.notify_all_dispatch();
        s.m.unlock_dispatch();
        s.m.lock_blocking();
        s.changed.wait_blocking(s.m, [&s] { return s.amount > 0; });
        --s.amount;
        s.changed.notify_all_dispatch();
        s.m.unlock_dispatch();
      }
    }};
    sync_wait(pool, when_all(std::move(all)));
    outside.join();
    EXPECT_EQ(s.amount, 0U);
    EXPECT_EQ(s.taken, 6 * rounds);
  }
}

template <class Mutex>
task<> delegate(Mutex& m, std::size_t& count, std::size_t rounds, unsigned self) {
  std::minstd_rand random{self + 1};
  for (std::size_t round = 0; round < rounds; ++round) {
    switch (random() % 4) {
      case 0:
        co_await m.lock();
        ++count;
        co_await m.unlock();
        break;
      case 1: {
        const std::size_t seen = co_await with_lock(m, [&count] { return ++count; });
        EXPECT_GT(seen, 0U);
        break;
      }
      case 2: {
        bool is_caught = false;
        try {
          co_await with_lock(m, [&count] {
            ++count;
            throw std::runtime_error{"inside"};
          });
        } catch (const std::runtime_error&) {
          is_caught = true;
        }
        EXPECT_TRUE(is_caught);
        break;
      }
      default: {
        const bool is_owner = co_await m.try_lock_for(some_time(random));
        if (!is_owner) co_await m.lock();
        ++count;
        co_await m.unlock();
      }
    }
  }
}

template <class Mutex>
void delegate_on_pools() {
  for (const unsigned workers : {1U, 2U, 4U}) {
    Mutex m;
    std::size_t count = 0;
    thread_pool pool{workers};
    const std::size_t rounds = scaled(3'000);
    std::vector<task<>> all;
    for (unsigned i = 0; i < 40; ++i) all.push_back(delegate(m, count, rounds, i));
    sync_wait(pool, when_all(std::move(all)));
    EXPECT_EQ(count, 40 * rounds);
  }
}

TYPED_TEST(WaitingStress, delegated_sections_do_not_overlap_with_others) {
  delegate_on_pools<basic_mutex<TypeParam, lock_state::lock_free>>();
  delegate_on_pools<basic_mutex<TypeParam, lock_state::spin_locked>>();
}

template <class Value>
task<> raise(Value& value, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) {
    co_await value.with([](std::size_t& v) { ++v; });
  }
}

task<std::size_t> raise_slowly(std::size_t& value) {
  const std::size_t seen = value;
  co_await reschedule();
  value = seen + 1;
  co_return value;
}

template <class Value>
task<> raise_all_slowly(Value& value, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) co_await value.with(raise_slowly);
}

TYPED_TEST(WaitingStress, a_value_has_one_section_at_a_time_whether_it_suspends_or_not) {
  constexpr std::size_t pairs = 8;
  const std::size_t times = scaled(1'000);
  thread_pool pool{3};
  synchronized<std::size_t, basic_mutex<TypeParam>> value;
  std::vector<task<>> all;
  for (std::size_t i = 0; i < pairs; ++i) {
    all.push_back(raise(value, times));
    all.push_back(raise_all_slowly(value, times));
  }
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(value.with_blocking([](std::size_t& v) { return v; }), 2 * pairs * times);
}

/// One stop request for each round of each task, made by a thread while they run.
class stop_requests {
 public:
  stop_requests(unsigned tasks, std::size_t rounds)
      : sources_(tasks, std::vector<std::stop_source>(rounds)) {
    for (auto& of_task : sources_) {
      for (std::stop_source& source : of_task) source = std::stop_source{};
    }
  }
  std::stop_token token(unsigned task, std::size_t round) const {
    return sources_[task][round].get_token();
  }
  void make() {
    for (std::size_t round = 0; round < sources_.front().size(); ++round) {
      for (auto& of_task : sources_) of_task[round].request_stop();
      std::this_thread::yield();
    }
  }

 private:
  std::vector<std::vector<std::stop_source>> sources_;
};

task<> raise(std::size_t& count) {
  ++count;
  co_return;
}

/// Counts in `ran` how many of its sections were run.
template <class Mutex>
task<> run_impatient_sections(Mutex& m, std::size_t& count, std::atomic<std::size_t>& ran,
                              const stop_requests& stops, std::size_t rounds,
                              unsigned self) {
  std::minstd_rand random{self + 1};
  const auto section = [&count] { return ++count; };
  const auto awaited = [&count] { return raise(count); };
  for (std::size_t round = 0; round < rounds; ++round) {
    bool has_run = true;
    switch (random() % 5) {
      case 0: {
        const auto result = co_await with_lock_for(m, some_time(random), section);
        has_run = result.has_value();
        break;
      }
      case 1: {
        const auto result = co_await with_lock(m, stops.token(self, round), section);
        has_run = result.has_value();
        break;
      }
      case 2: {
        const auto due = std::chrono::steady_clock::now() + some_time(random);
        const auto throwing = [&count]() -> int {
          ++count;
          throw std::runtime_error{"inside"};
        };
        try {
          const auto result =
              co_await with_lock_until(m, due, throwing, stops.token(self, round));
          has_run = result.has_value();
        } catch (const std::runtime_error&) {
          has_run = true;
        }
        break;
      }
      case 3:
        has_run = co_await with_lock_for(m, some_time(random), awaited);
        break;
      default:
        co_await with_lock(m, section);
    }
    if (has_run) ran.fetch_add(1);
  }
}

template <class Mutex>
void run_impatient_sections_on_pools() {
  constexpr unsigned tasks = 30;
  for (const unsigned workers : {1U, 2U, 4U}) {
    Mutex m;
    std::size_t count = 0;
    std::atomic<std::size_t> ran{0};
    const std::size_t rounds = scaled(1'000);
    stop_requests stops{tasks, rounds};
    thread_pool pool{workers};
    std::vector<task<>> all;
    for (unsigned i = 0; i < tasks; ++i) {
      all.push_back(run_impatient_sections(m, count, ran, stops, rounds, i));
    }
    std::thread outside{[&] {
      stops.make();
      for (std::size_t round = 0; round < rounds; ++round) {
        if (block_on(with_lock_for(m, std::chrono::microseconds{5}, [&] { ++count; }))) {
          ran.fetch_add(1);
        }
      }
    }};
    sync_wait(pool, when_all(std::move(all)));
    outside.join();
    EXPECT_EQ(count, ran.load());
  }
}

TYPED_TEST(WaitingStress, an_impatient_section_is_run_and_said_to_be_or_neither) {
  run_impatient_sections_on_pools<basic_mutex<TypeParam, lock_state::lock_free>>();
  run_impatient_sections_on_pools<basic_mutex<TypeParam, lock_state::spin_locked>>();
  run_impatient_sections_on_pools<basic_shared_mutex<TypeParam>>();
}

task<> call_impatiently(once_flag& flag, std::size_t& calls, const stop_requests& stops,
                        std::size_t round, unsigned self) {
  std::minstd_rand random{self + 1};
  // Fails twice; no other task has the turn meanwhile.
  const auto attempt = [&calls] {
    if (++calls < 3) throw std::runtime_error{"not yet"};
  };
  for (bool is_done = false; !is_done;) {
    try {
      switch (random() % 3) {
        case 0:
          is_done = co_await call_once_for(flag, some_time(random), attempt);
          break;
        case 1:
          is_done = co_await call_once(flag, stops.token(self, round), attempt);
          break;
        default:
          co_await call_once(flag, attempt);
          is_done = true;
      }
    } catch (const std::runtime_error&) {
    }
  }
  EXPECT_EQ(calls, 3U);
}

TEST(ImpatienceStress, a_turn_of_call_once_is_not_lost_to_tasks_that_give_up) {
  constexpr unsigned tasks = 20;
  for (const unsigned workers : {1U, 2U, 4U}) {
    const std::size_t rounds = scaled(500);
    stop_requests stops{tasks, rounds};
    thread_pool pool{workers};
    std::thread outside{[&stops] { stops.make(); }};
    for (std::size_t round = 0; round < rounds; ++round) {
      once_flag flag;
      std::size_t calls = 0;
      std::vector<task<>> all;
      for (unsigned i = 0; i < tasks; ++i) {
        all.push_back(call_impatiently(flag, calls, stops, round, i));
      }
      sync_wait(pool, when_all(std::move(all)));
    }
    outside.join();
  }
}

task<> receive_impatiently(channel<std::size_t>& from, std::atomic<std::size_t>& received,
                           unsigned self) {
  std::minstd_rand random{self + 1};
  std::vector<std::size_t> values;
  for (;;) {
    values.clear();
    const auto result = co_await from.receive_many_for(values, 3, some_time(random));
    EXPECT_EQ(result.count(), values.size());
    received.fetch_add(values.size());
    if (result.is_closed()) co_return;
  }
}

task<> send_all(channel<std::size_t>& to, std::size_t values,
                std::atomic<unsigned>& senders) {
  for (std::size_t i = 0; i < values; ++i) {
    const bool is_sent = co_await to.send(i);
    EXPECT_TRUE(is_sent);
  }
  if (senders.fetch_sub(1) == 1) to.close();
}

TEST(ImpatienceStress, receive_many_loses_nothing_when_it_gives_up) {
  for (const std::size_t capacity : {0U, 4U}) {
    for (const unsigned workers : {1U, 2U, 4U}) {
      channel<std::size_t> c{capacity};
      std::atomic<std::size_t> received{0};
      std::atomic<unsigned> senders{4};
      thread_pool pool{workers};
      const std::size_t values = scaled(5'000);
      std::vector<task<>> all;
      for (unsigned i = 0; i < 4; ++i) {
        all.push_back(receive_impatiently(c, received, i));
        all.push_back(send_all(c, values, senders));
      }
      sync_wait(pool, when_all(std::move(all)));
      EXPECT_EQ(received.load(), 4 * values);
    }
  }
}

task<> arrive_impatiently(latch& l, std::atomic<std::size_t>& arrived, std::size_t expected,
                          std::stop_token stop, unsigned self) {
  std::minstd_rand random{self + 1};
  arrived.fetch_add(1);
  const auto time = some_time(random);
  const bool is_open = co_await l.arrive_and_wait_for(time, 1, std::move(stop));
  if (is_open) EXPECT_EQ(arrived.load(), expected);
}

TEST(ImpatienceStress, a_task_that_gives_up_at_a_latch_has_arrived) {
  constexpr unsigned tasks = 16;
  for (const unsigned workers : {1U, 2U, 4U}) {
    const std::size_t rounds = scaled(1'000);
    stop_requests stops{tasks, rounds};
    thread_pool pool{workers};
    std::thread outside{[&stops] { stops.make(); }};
    for (std::size_t round = 0; round < rounds; ++round) {
      latch l{tasks};
      std::atomic<std::size_t> arrived{0};
      std::vector<task<>> all;
      for (unsigned i = 0; i < tasks; ++i) {
        all.push_back(arrive_impatiently(l, arrived, tasks, stops.token(i, round), i));
      }
      sync_wait(pool, when_all(std::move(all)));
      EXPECT_TRUE(l.try_wait());
    }
    outside.join();
  }
}

}  // namespace
}  // namespace hotseat
