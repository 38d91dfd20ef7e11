// hotseat/tests/misuse/wait_misuse_test.cpp — a broken rule of waiting stops the program
// and is named.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/sync/mutex.hpp>
#include <stop_token>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <utility>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

template <class Mutex>
class WaitMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
TYPED_TEST_SUITE(WaitMisuseDeathTest, testing::mutex_kinds);

constexpr const char* needs_time =
    "hotseat: violation: wait 0x[0-9a-f]+: a deadline needs an executor that keeps time";
constexpr const char* is_ready =
    "hotseat: violation: wait 0x[0-9a-f]+: a task that has been made ready must not be "
    "destroyed";

template <class Mutex>
owned wait_an_hour(Mutex& m, std::stop_token stop) {
  auto operation = m.try_lock_for(1h, std::move(stop));
  static_cast<void>(co_await operation);
}

template <class Mutex>
owned wait_for_ever(Mutex& m) {
  co_await m.lock();
}

TYPED_TEST(WaitMisuseDeathTest, a_deadline_on_a_thread_without_an_executor) {
  EXPECT_DEATH(
      {
        TypeParam m;
        static_cast<void>(m.try_lock());
        const owned task = wait_an_hour(m, {});
        task.run();
      },
      needs_time);
}

TYPED_TEST(WaitMisuseDeathTest, a_deadline_on_an_executor_that_keeps_no_time) {
  EXPECT_DEATH(
      {
        testing::immediate_executor ex;
        TypeParam m;
        static_cast<void>(m.try_lock());
        owned task = wait_an_hour(m, {});
        task.start_on(ex);
      },
      needs_time);
}

TYPED_TEST(WaitMisuseDeathTest, destruction_of_a_task_that_was_granted) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        TypeParam m;
        static_cast<void>(m.try_lock());
        owned task = wait_for_ever(m);
        task.start_on(ex);
        ex.run_all();
        m.unlock_dispatch();
        {
          const owned destroyed = std::move(task);
        }
      },
      is_ready);
}

TYPED_TEST(WaitMisuseDeathTest, destruction_of_a_task_that_was_told_to_stop) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        TypeParam m;
        std::stop_source source;
        static_cast<void>(m.try_lock());
        owned task = wait_an_hour(m, source.get_token());
        task.start_on(ex);
        ex.run_all();
        source.request_stop();
        {
          const owned destroyed = std::move(task);
        }
      },
      is_ready);
}

}  // namespace
}  // namespace hotseat
