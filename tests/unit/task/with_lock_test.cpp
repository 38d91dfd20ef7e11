// hotseat/tests/unit/task/with_lock_test.cpp — a section as a function.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/with_lock.hpp>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <utility>

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

// --- With limits.

TYPED_TEST(WithLock, a_limited_one_gives_the_result_if_its_turn_comes) {
  auto five = [] { return 5; };
  EXPECT_EQ(this->run(with_lock_for(this->m, 1h, five)), 5);
  EXPECT_EQ(this->run(with_lock_until(this->m, platform::now(), five)), 5);
  EXPECT_EQ(this->run(with_lock(this->m, 1h, five)), 5);
  EXPECT_EQ(this->run(with_lock(this->m, platform::now(), five)), 5);
  EXPECT_EQ(this->run(with_lock(this->m, std::stop_token{}, five)), 5);
  EXPECT_EQ(this->run(with_lock(this->m, {1h, std::stop_token{}}, five)), 5);
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
