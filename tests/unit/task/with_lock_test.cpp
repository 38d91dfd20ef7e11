// hotseat/tests/unit/task/with_lock_test.cpp — a section as a function.
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <hotseat/platform/clock.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>
#include <hotseat/task/with_lock.hpp>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::fail;

using testing::is_free;
using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

template <class Mutex>
class WithLock : public ::testing::Test {
 protected:
  template <class Awaitable>
  decltype(auto) run(Awaitable&& a) {
    return sync_wait(now, std::forward<Awaitable>(a));
  }

  Mutex m;
  testing::immediate_executor now;
};
TYPED_TEST_SUITE(WithLock, testing::mutex_kinds);

TYPED_TEST(WithLock, calls_the_section_while_owning_and_gives_its_result) {
  auto section = [this] { return is_free(this->m) ? 0 : 5; };
  EXPECT_EQ(this->run(with_lock(this->m, section)), 5);
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(WithLock, a_section_may_give_nothing) {
  int calls = 0;
  auto section = [&calls] { ++calls; };
  this->run(with_lock(this->m, section));
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(WithLock, a_section_may_give_what_can_only_be_moved) {
  auto section = [] { return std::make_unique<int>(3); };
  EXPECT_EQ(*this->run(with_lock(this->m, section)), 3);
}

TYPED_TEST(WithLock, an_exception_of_the_section_arrives_after_the_unlock) {
  auto with_result = []() -> int { throw std::runtime_error{"inside"}; };
  auto without = [] { throw std::runtime_error{"inside"}; };
  EXPECT_THROW(this->run(with_lock(this->m, with_result)), std::runtime_error);
  EXPECT_TRUE(is_free(this->m));
  EXPECT_THROW(this->run(with_lock(this->m, without)), std::runtime_error);
  EXPECT_TRUE(is_free(this->m));
}

task<int> count_down(int n) {
  while (n > 0) {
    --n;
    co_await reschedule();
  }
  co_return 9;
}

TYPED_TEST(WithLock, a_section_that_is_a_task_is_awaited_inside) {
  auto section = [] { return count_down(3); };
  EXPECT_EQ(this->run(with_lock(this->m, section)), 9);
  EXPECT_TRUE(is_free(this->m));
  auto failing = [] { return fail(); };
  EXPECT_THROW(this->run(with_lock(this->m, failing)), std::runtime_error);
  EXPECT_TRUE(is_free(this->m));
}

struct shared_counter {
  int value = 0;
};

template <class Mutex>
task<> count(Mutex& m, shared_counter& shared, int times) {
  for (int i = 0; i < times; ++i) {
    auto section = [&shared] { ++shared.value; };
    co_await with_lock(m, section);
  }
}

TYPED_TEST(WithLock, sections_on_a_pool_of_threads_do_not_overlap) {
  constexpr std::size_t tasks = 8;
  const int times = config::sanitizes_thread || config::sanitizes_address ? 100 : 500;
  thread_pool pool{3};
  shared_counter shared;
  std::vector<task<>> all;
  for (std::size_t i = 0; i < tasks; ++i) all.push_back(count(this->m, shared, times));
  sync_wait(pool, when_all(std::move(all)));
  EXPECT_EQ(shared.value, static_cast<int>(tasks) * times);
}

// --- With limits.

TYPED_TEST(WithLock, a_limited_one_gives_the_result_if_its_turn_comes) {
  auto five = [] { return 5; };
  EXPECT_EQ(this->run(with_lock_for(this->m, 1h, five)), 5);
  EXPECT_EQ(this->run(with_lock_until(this->m, platform::now(), five)), 5);
  EXPECT_EQ(this->run(with_lock(this->m, std::stop_token{}, five)), 5);
  auto nothing = [] {};
  EXPECT_TRUE(this->run(with_lock_for(this->m, 1h, nothing)));
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(WithLock, a_limited_section_that_is_a_task_is_awaited_inside) {
  auto section = [] { return count_down(3); };
  EXPECT_EQ(this->run(with_lock_for(this->m, 1h, section)), 9);
  auto nothing = []() -> task<> { co_return; };
  EXPECT_TRUE(this->run(with_lock_until(this->m, platform::now() + 1h, nothing)));
  auto failing = [] { return fail(); };
  EXPECT_THROW(static_cast<void>(this->run(with_lock(this->m, std::stop_token{}, failing))),
               std::runtime_error);
  EXPECT_TRUE(is_free(this->m));
}

/// Writes its name if its section was run, and whatever happens, '.'.
template <class Mutex>
owned try_for_an_hour(Mutex& m, std::stop_token stop, bool is_task, std::string& log,
                      char name) {
  bool has_run = false;
  if (is_task) {
    auto section = [&log, name]() -> task<> {
      log += name;
      co_return;
    };
    auto operation = with_lock_for(m, 1h, section, std::move(stop));
    has_run = co_await std::move(operation);
  } else {
    auto section = [&log, name] { log += name; };
    auto operation = with_lock_for(m, 1h, section, std::move(stop));
    has_run = co_await operation;
  }
  log += has_run ? '.' : '-';
}

TYPED_TEST(WithLock, what_is_too_late_or_told_to_stop_is_not_called) {
  for (const bool is_task : {false, true}) {
    manual_executor ex{2};
    std::stop_source source;
    std::string log;
    owned late = try_for_an_hour(this->m, {}, is_task, log, 'a');
    owned stopped = try_for_an_hour(this->m, source.get_token(), is_task, log, 'b');
    ASSERT_TRUE(this->m.try_lock());
    late.start_on(ex);
    ex.run_all();
    ex.clock.ring_all();
    stopped.start_on(ex);
    ex.run_all();
    EXPECT_EQ(log, "-");
    source.request_stop();
    ex.run_all();
    EXPECT_EQ(log, "--");
    this->m.unlock_dispatch();
    EXPECT_TRUE(is_free(this->m));
    EXPECT_TRUE(late.done() && stopped.done());
  }
}

TYPED_TEST(WithLock, who_is_granted_in_time_calls_it) {
  for (const bool is_task : {false, true}) {
    manual_executor ex{2};
    std::string log;
    owned a = try_for_an_hour(this->m, {}, is_task, log, 'a');
    ASSERT_TRUE(this->m.try_lock());
    a.start_on(ex);
    ex.run_all();
    this->m.unlock_dispatch();
    ex.clock.ring_all();
    ex.run_all();
    EXPECT_EQ(log, "a.");
    EXPECT_TRUE(is_free(this->m));
  }
}

owned throw_inside(mutex& m, std::string& log) {
  auto section = [&log] {
    log += 's';
    throw std::runtime_error{"inside"};
  };
  try {
    co_await with_lock(m, section);
  } catch (const std::runtime_error&) {
    log += 'c';
  }
}

owned note(mutex& m, std::string& log) {
  auto section = [&log] { log += 'h'; };
  co_await with_lock(m, section);
}

TEST(WithLockAndExchange, a_section_that_throws_is_left_by_a_hand_over_all_the_same) {
  manual_executor ex{2};
  mutex m;
  std::string log;
  owned thrower = throw_inside(m, log);
  owned heir = note(m, log);
  ASSERT_TRUE(m.try_lock());
  thrower.start_on(ex);
  heir.start_on(ex);
  ex.run_all();
  m.unlock_dispatch();
  ASSERT_TRUE(ex.step(0));
  EXPECT_EQ(log, "shc") << "the section of the heir ran at once, on the same worker";
  EXPECT_TRUE(is_free(m));
  ex.run_all();
  EXPECT_TRUE(heir.done());
}

}  // namespace
}  // namespace hotseat
