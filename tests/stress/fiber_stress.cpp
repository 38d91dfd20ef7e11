// hotseat/tests/stress/fiber_stress.cpp — fibers, coroutines and threads on the same locks.
// Layer: fiber.  HOTSEAT_STRESS_SCALE (1) scales the numbers of sections and of fibers.
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/fiber/fiber_condition_variable.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/fiber/fiber_shared_mutex.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <support/scaled.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace hotseat {
namespace {

using testing::scaled;

template <class Mutex>
class FiberStress : public ::testing::Test {};
using fiber_kinds =
    ::testing::Types<basic_fiber_mutex<handoff::exchange>,
                     basic_fiber_mutex<handoff::dispatch>,
                     basic_fiber_mutex<handoff::resume_inline>,
                     basic_fiber_mutex<handoff::exchange, lock_state::spin_locked>>;
TYPED_TEST_SUITE(FiberStress, fiber_kinds);

template <class Mutex>
task<> enter(Mutex& m, std::size_t& count, std::size_t times) {
  for (std::size_t i = 0; i < times; ++i) {
    co_await m.native().lock();
    ++count;
    co_await m.native().unlock();
  }
}

TYPED_TEST(FiberStress, one_owner_at_a_time_whatever_it_is) {
  constexpr std::size_t each = 20;
  const std::size_t times = scaled(10'000);
  for (const unsigned workers : {1U, 2U, 4U}) {
    thread_pool pool{workers};
    TypeParam m;
    std::size_t count = 0;
    const auto enter_plainly = [&] {
      for (std::size_t i = 0; i < times; ++i) {
        const std::lock_guard held{m};
        ++count;
      }
    };
    std::vector<fiber> fibers;
    for (std::size_t i = 0; i < each; ++i) fibers.emplace_back(pool, enter_plainly);
    task_group coroutines{pool};
    for (std::size_t i = 0; i < each; ++i) coroutines.spawn(enter(m, count, times));
    std::thread plain{enter_plainly};
    sync_wait(pool, coroutines.join());
    for (fiber& f : fibers) f.join();
    plain.join();
    EXPECT_EQ(count, (2 * each + 1) * times);
  }
}

TYPED_TEST(FiberStress, nested_locks_and_sections_that_suspend) {
  const std::size_t times = scaled(3'000);
  thread_pool pool{4};
  TypeParam outer;
  TypeParam inner;
  std::size_t inside_both = 0;
  std::size_t inside_inner = 0;
  std::vector<fiber> fibers;
  for (int f = 0; f < 16; ++f) {
    fibers.emplace_back(pool, [&, f] {
      for (std::size_t i = 0; i < times; ++i) {
        if (f % 2 == 0) {
          const std::lock_guard first{outer};
          const std::lock_guard second{inner};
          ++inside_both;
          ++inside_inner;
          if (i % 16 == 0) await(reschedule());
        } else {
          const std::lock_guard only{inner};
          ++inside_inner;
        }
        ASSERT_EQ(std::current_exception(), nullptr);
      }
    });
  }
  for (fiber& f : fibers) f.join();
  EXPECT_EQ(inside_both, 8 * times);
  EXPECT_EQ(inside_inner, 16 * times);
}

TYPED_TEST(FiberStress, suspending_inside_handlers_of_exceptions) {
  const std::size_t times = scaled(2'000);
  thread_pool pool{4};
  TypeParam m;
  std::atomic<std::size_t> right{0};
  std::vector<fiber> fibers;
  for (int f = 0; f < 16; ++f) {
    fibers.emplace_back(pool, [&, f] {
      for (std::size_t i = 0; i < times; ++i) {
        const std::string mine = std::to_string(f) + "/" + std::to_string(i);
        try {
          const std::lock_guard unwound{m};  // Its destructor suspends while unwinding.
          throw std::runtime_error{mine};
        } catch (const std::exception&) {
          {
            const std::lock_guard held{m};
          }
          await(reschedule());
          try {
            throw;
          } catch (const std::exception& again) {
            if (again.what() == mine) ++right;
          }
        }
      }
    });
  }
  for (fiber& f : fibers) f.join();
  EXPECT_EQ(right, 16 * times);
}

TYPED_TEST(FiberStress, waits_that_end_early) {
  const std::size_t times = scaled(1'000);
  thread_pool pool{3};
  TypeParam m;
  std::size_t count = 0;
  std::atomic<std::size_t> entered{0};
  std::vector<fiber> fibers;
  for (int f = 0; f < 12; ++f) {
    fibers.emplace_back(pool, [&, f] {
      for (std::size_t i = 0; i < times; ++i) {
        if (f % 3 == 0) {
          std::stop_source source;
          fiber stopper{pool, [&] { source.request_stop(); }};
          if (m.lock(source.get_token())) {
            ++count;
            ++entered;
            m.unlock();
          }
          stopper.join();
        } else if (m.try_lock_for(std::chrono::microseconds{i % 50})) {
          ++count;
          ++entered;
          if (i % 8 == 0) await(reschedule());
          m.unlock();
        }
      }
    });
  }
  for (fiber& f : fibers) f.join();
  EXPECT_EQ(count, entered);
}

TEST(FiberSharedStress, readers_and_writers) {
  const std::size_t times = scaled(10'000);
  thread_pool pool{4};
  fiber_shared_mutex m;
  std::size_t value = 0;
  std::atomic<std::size_t> odd{0};
  std::vector<fiber> fibers;
  for (int f = 0; f < 16; ++f) {
    fibers.emplace_back(pool, [&, f] {
      for (std::size_t i = 0; i < times; ++i) {
        if (f % 4 == 0) {
          const std::lock_guard held{m};
          ++value;
          if (i % 64 == 0) await(reschedule());
          ++value;
        } else {
          const std::shared_lock held{m};
          if (value % 2 != 0) ++odd;
        }
      }
    });
  }
  for (fiber& f : fibers) f.join();
  EXPECT_EQ(odd, 0U);
  EXPECT_EQ(value, 4 * 2 * times);
}

TEST(FiberLifeStress, many_come_and_go) {
  const std::size_t rounds = scaled(20'000);
  thread_pool pool{4};
  std::atomic<std::size_t> ended{0};
  std::vector<fiber> parents;
  for (int p = 0; p < 4; ++p) {
    parents.emplace_back(pool, [&] {
      for (std::size_t i = 0; i < rounds; ++i) {
        fiber child{pool, [&, i] {
                      if (i % 3 == 0) await(reschedule());
                      ++ended;
                      if (i % 7 == 0) throw std::runtime_error{"seven"};
                    }};
        if (i % 5 == 0) {
          child.detach();
        } else {
          try {
            child.join();
          } catch (const std::exception&) {
          }
        }
      }
    });
  }
  for (fiber& f : parents) f.join();
  while (ended != 4 * rounds) std::this_thread::yield();
}

/// All alive at once, each with a guard page.  Where guards are mappings, fewer fit.
TEST(FiberLifeStress, two_hundred_thousand_at_once) {
  const bool is_sanitized = config::sanitizes_address || config::sanitizes_thread;
  const std::size_t wanted = is_sanitized ? 2'000 : 200'000;
  thread_pool pool{2};
  event gate;
  std::atomic<std::size_t> count{0};
  std::vector<fiber> all;
  all.reserve(wanted);
  try {
    while (all.size() < wanted) {
      all.emplace_back(pool, fiber_options{.stack_size = 16 << 10U}, [&] {
        await(gate.wait());
        ++count;
      });
    }
  } catch (const std::system_error&) {
    EXPECT_FALSE(platform::facts_about_stacks().has_light_guards);
    EXPECT_GE(all.size(), 25'000U);
  }
  EXPECT_EQ(count, 0U);
  gate.set_dispatch();
  for (fiber& f : all) f.join();
  EXPECT_EQ(count, all.size());
}

}  // namespace
}  // namespace hotseat
