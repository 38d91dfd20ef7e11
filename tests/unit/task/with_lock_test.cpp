// hotseat/tests/unit/task/with_lock_test.cpp — a section as a function.
#include <gtest/gtest.h>

#include <cstddef>
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
#include <string>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

template <class Mutex>
bool is_free(Mutex& m) {
  if (!m.try_lock()) return false;
  m.unlock_dispatch();
  return true;
}

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

task<> fail() {
  throw std::runtime_error{"inside"};
  co_return;
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
