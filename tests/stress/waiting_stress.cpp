// hotseat/tests/stress/waiting_stress.cpp — semaphores, conditions and delegated sections
// with impatient tasks, on pools.  HOTSEAT_STRESS_SCALE (1) scales the numbers of rounds.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/with_lock.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

std::size_t scaled(std::size_t full) {
  const char* const factor = std::getenv("HOTSEAT_STRESS_SCALE");
  const double scale = factor != nullptr ? std::strtod(factor, nullptr) : 1;
  return std::max<std::size_t>(16,
                               static_cast<std::size_t>(static_cast<double>(full) * scale));
}

std::chrono::microseconds some_time(std::minstd_rand& random) {
  return std::chrono::microseconds{random() % 40};
}

template <class Handoff>
class WaitingStress : public ::testing::Test {};
using handoffs =
    ::testing::Types<handoff::exchange, handoff::dispatch, handoff::resume_inline>;
TYPED_TEST_SUITE(WaitingStress, handoffs);

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

/// A bounded buffer without the buffer: what is in it is a number.
template <class Handoff>
struct stock {
  basic_mutex<Handoff> m;
  basic_condition_variable<Handoff> changed;
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

}  // namespace
}  // namespace hotseat
