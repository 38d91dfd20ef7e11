// hotseat/tests/unit/task/sync_wait_test.cpp — from a plain thread and back.
#include <gtest/gtest.h>

#include <concepts>
#include <coroutine>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <support/probes.hpp>
#include <support/tasks.hpp>
#include <support/threads.hpp>
#include <thread>

namespace hotseat {
namespace {

using testing::fail;
using testing::is_asked_to_stop;
using testing::own;
using testing::refer_to;

task<std::thread::id> which_thread() { co_return std::this_thread::get_id(); }
task<executor*> which_executor() { co_return executor::current(); }
TEST(SyncWait, runs_the_task_on_the_executor_and_not_here) {
  thread_pool pool{1};
  EXPECT_NE(sync_wait(pool, which_thread()), std::this_thread::get_id());
  EXPECT_EQ(sync_wait(pool, which_executor()), &pool);
}

TEST(SyncWait, gives_values_references_and_what_can_only_be_moved) {
  thread_pool pool{1};
  int target = 0;
  EXPECT_EQ(&sync_wait(pool, refer_to(target)), &target);
  static_assert(std::same_as<decltype(sync_wait(pool, refer_to(target))), int&>);
  EXPECT_EQ(*sync_wait(pool, own(4)), 4);
}

TEST(SyncWait, throws_the_exception_of_the_task) {
  thread_pool pool{1};
  EXPECT_THROW(sync_wait(pool, fail()), std::runtime_error);
}

TEST(SyncWait, takes_a_task_by_name_too) {
  thread_pool pool{1};
  task<std::unique_ptr<int>> named = own(5);
  EXPECT_EQ(*sync_wait(pool, named), 5);
}

TEST(SyncWait, takes_any_awaitable) {
  thread_pool pool{1};
  mutex m;
  sync_wait(pool, m.lock());
  EXPECT_FALSE(m.try_lock());
  sync_wait(pool, m.unlock());
  EXPECT_TRUE(m.try_lock());
  m.unlock_dispatch();
  sync_wait(pool, std::suspend_never{});
}

TEST(SyncWait, passes_a_stop_token_on) {
  thread_pool pool{1};
  std::stop_source source;
  source.request_stop();
  EXPECT_TRUE(sync_wait(pool, is_asked_to_stop(), source.get_token()));
  EXPECT_FALSE(sync_wait(pool, is_asked_to_stop()));
}

TEST(SyncWait, may_be_over_before_the_caller_begins_to_wait) {
  testing::immediate_executor now;
  EXPECT_EQ(sync_wait(now, which_executor()), &now);
}

task<int> wait_for_another_pool(thread_pool& other) { co_return *sync_wait(other, own(6)); }

TEST(SyncWait, may_be_called_on_a_worker_of_another_executor) {
  thread_pool one{1};
  thread_pool two{1};
  EXPECT_EQ(sync_wait(one, wait_for_another_pool(two)), 6);
}

TEST(SyncWait, many_threads_may_wait_at_once) {
  thread_pool pool{2};
  testing::on_threads(4, [&pool](int i) {
    for (int n = 0; n < 50; ++n) EXPECT_EQ(*sync_wait(pool, own(i)), i);
  });
}

}  // namespace
}  // namespace hotseat
