// hotseat/tests/unit/sync/mutex_leaving_test.cpp — who is too late, told to stop or gone is
// out of the line of a mutex, and nobody else notices.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/platform/clock.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/dispatch.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sync/mutex.hpp>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <support/counted_new.hpp>
#include <support/frugal_executor.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

/// Notes its name in capitals if it came too late.
template <class Mutex>
owned try_for(Mutex& m, std::chrono::hours time, std::stop_token stop, std::string& log,
              char name) {
  auto operation = m.try_lock_for(time, std::move(stop));
  const bool is_owner = co_await operation;
  log += is_owner ? name : static_cast<char>(name - 'a' + 'A');
  if (is_owner) co_await m.unlock();
}

template <class Mutex>
owned lock_until_told(Mutex& m, std::stop_token stop, std::string& log, char name) {
  auto operation = m.lock(std::move(stop));
  const bool is_owner = co_await operation;
  log += is_owner ? name : static_cast<char>(name - 'a' + 'A');
  if (is_owner) co_await m.unlock();
}

template <class Mutex>
owned lock_for_ever(Mutex& m, std::string& log, char name) {
  co_await m.lock();
  log += name;
  co_await m.unlock();
}

/// Locks, and unlocks when it is told to.
template <class Mutex>
owned own_until_told(Mutex& m, waiter_queue& pause, std::string& log) {
  co_await m.lock();
  co_await testing::stand_in(pause);
  co_await m.unlock();
  log += '.';
}

template <class Mutex>
class MutexThatIsLeft : public ::testing::Test {
 protected:
  ~MutexThatIsLeft() override { this_thread().locks_held = 0; }

  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  /// Starts a task that owns the mutex until `end_section`.
  void begin_section() { start(owner); }
  void end_section() {
    dispatch_task(pause.pop_front());
    ex.run_all();
  }
  [[nodiscard]] bool is_free() {
    if (!m.try_lock()) return false;
    m.unlock_dispatch();
    return true;
  }

  Mutex m;
  manual_executor ex{2};
  waiter_queue pause;
  std::string log;
  std::stop_source source;
  owned owner = own_until_told(m, pause, log);
};
TYPED_TEST_SUITE(MutexThatIsLeft, testing::mutex_kinds);

TYPED_TEST(MutexThatIsLeft, what_is_free_is_locked_without_a_suspension_and_an_alarm) {
  owned a = try_for(this->m, 1h, {}, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "a");
  EXPECT_TRUE(this->ex.clock.is_empty());
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, who_is_granted_in_time_owns_it) {
  this->begin_section();
  owned a = try_for(this->m, 1h, this->source.get_token(), this->log, 'a');
  this->start(a);
  EXPECT_FALSE(this->ex.clock.is_empty());
  this->end_section();
  EXPECT_TRUE(a.done());
  EXPECT_NE(this->log.find('a'), std::string::npos);
  EXPECT_TRUE(this->ex.clock.is_empty()) << "the alarm is withdrawn";
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, who_is_too_late_does_not_own_it) {
  this->begin_section();
  owned a = try_for(this->m, 1h, {}, this->log, 'a');
  this->start(a);
  this->ex.clock.advance_to(platform::now() + 59min);
  this->ex.run_all();
  EXPECT_EQ(this->log, "");
  this->ex.clock.advance_to(platform::now() + 1h);
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->end_section();
  EXPECT_EQ(this->log, "A.");
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, a_time_that_has_passed_still_takes_what_is_free) {
  owned a = try_for(this->m, -1h, {}, this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->log, "a");
}

template <class Mutex>
owned try_until(Mutex& m, platform::clock::time_point due, std::optional<bool>& result) {
  auto operation = m.try_lock_until(due);
  result = co_await operation;
}

TYPED_TEST(MutexThatIsLeft, the_time_may_be_given_as_a_point) {
  const auto due = platform::now() + 1h;
  std::optional<bool> result;
  this->begin_section();
  owned a = try_until(this->m, due, result);
  this->start(a);
  this->ex.clock.advance_to(due - 1ns);
  EXPECT_TRUE(this->ex.is_idle());
  this->ex.clock.advance_to(due);
  this->ex.run_all();
  EXPECT_EQ(result, false);
  this->end_section();
}

TYPED_TEST(MutexThatIsLeft, who_is_told_to_stop_while_it_waits_does_not_own_it) {
  this->begin_section();
  owned a = lock_until_told(this->m, this->source.get_token(), this->log, 'a');
  this->start(a);
  this->source.request_stop();
  EXPECT_TRUE(this->ex.is_ready(a.handle())) << "it goes on at home";
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->end_section();
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, who_was_told_to_stop_before_does_not_wait) {
  this->source.request_stop();
  this->begin_section();
  owned a = lock_until_told(this->m, this->source.get_token(), this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "A");
  EXPECT_TRUE(a.done());
  this->end_section();
}

TYPED_TEST(MutexThatIsLeft, who_was_told_to_stop_before_still_takes_what_is_free) {
  this->source.request_stop();
  owned a = lock_until_told(this->m, this->source.get_token(), this->log, 'a');
  this->start(a);
  EXPECT_EQ(this->log, "a");
}

TYPED_TEST(MutexThatIsLeft, a_stop_without_an_executor_continues_inside_the_request) {
  ASSERT_TRUE(this->m.try_lock());
  const owned a = lock_until_told(this->m, this->source.get_token(), this->log, 'a');
  a.run();
  this->source.request_stop();
  EXPECT_EQ(this->log, "A");
  this->m.unlock_dispatch();
}

// --- Decided once.

TYPED_TEST(MutexThatIsLeft, W1_what_comes_after_the_grant_changes_nothing) {
  ASSERT_TRUE(this->m.try_lock());
  owned a = try_for(this->m, 1h, this->source.get_token(), this->log, 'a');
  this->start(a);
  this->m.unlock_dispatch();
  // It owns the mutex, and has not run yet.
  this->source.request_stop();
  this->ex.clock.ring_all();
  EXPECT_EQ(this->ex.ready().size(), 1U);
  this->ex.run_all();
  EXPECT_EQ(this->log, "a");
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, W1_a_grant_after_the_end_goes_to_the_next_one) {
  this->begin_section();
  owned a = try_for(this->m, 1h, {}, this->log, 'a');
  owned b = lock_for_ever(this->m, this->log, 'b');
  this->start(a);
  this->start(b);
  this->ex.clock.ring_all();
  // It has left, and has not run yet.
  dispatch_task(this->pause.pop_front());
  this->ex.run_all();
  EXPECT_TRUE(a.done() && b.done());
  EXPECT_NE(this->log.find('A'), std::string::npos);
  EXPECT_NE(this->log.find('b'), std::string::npos);
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, W1_who_is_too_late_and_told_to_stop_leaves_once) {
  this->begin_section();
  owned a = try_for(this->m, 1h, this->source.get_token(), this->log, 'a');
  this->start(a);
  this->source.request_stop();
  this->ex.clock.ring_all();
  EXPECT_EQ(this->ex.ready().size(), 1U);
  this->ex.run_all();
  EXPECT_EQ(this->log, "A");
  this->end_section();
}

// The hand-over meets a waiter that has joined the line and is still setting its alarm.
TYPED_TEST(MutexThatIsLeft, W2_who_is_granted_while_it_arms_goes_on_by_itself) {
  this->begin_section();
  this->ex.clock.on_set = [this] { run_nested(this->pause.pop_front().task); };
  owned a = try_for(this->m, 1h, {}, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, ".a") << "the owner went on, and then the waiter";
  EXPECT_TRUE(a.done());
  EXPECT_TRUE(this->ex.is_idle());
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, W2_who_is_too_late_while_it_arms_goes_on_by_itself) {
  this->begin_section();
  this->ex.clock.on_set = [this] { this->ex.clock.ring_all(); };
  owned a = try_for(this->m, 1h, {}, this->log, 'a');
  a.start_on(this->ex);
  ASSERT_TRUE(this->ex.step());
  EXPECT_EQ(this->log, "A");
  EXPECT_TRUE(this->ex.is_idle());
  this->end_section();
}

// --- The others in line.

TYPED_TEST(MutexThatIsLeft, I3_the_order_of_the_others_stays_whoever_leaves) {
  for (const char leaver : {'a', 'b', 'c', 'd'}) {
    std::stop_source stop;
    std::string order;
    std::string expected;
    std::vector<owned> tasks;
    ASSERT_TRUE(this->m.try_lock());
    for (const char name : {'a', 'b', 'c', 'd'}) {
      if (name == leaver) {
        tasks.push_back(lock_until_told(this->m, stop.get_token(), order, name));
      } else {
        tasks.push_back(lock_for_ever(this->m, order, name));
        expected += name;
      }
      this->start(tasks.back());
    }
    stop.request_stop();
    this->ex.run_all();
    order.clear();
    tasks.push_back(lock_for_ever(this->m, order, 'e'));
    this->start(tasks.back());
    this->m.unlock_dispatch();
    this->ex.run_all();
    EXPECT_EQ(order, expected + 'e');
    EXPECT_TRUE(this->is_free());
  }
}

TYPED_TEST(MutexThatIsLeft, I1_it_is_free_when_the_last_one_has_left) {
  this->begin_section();
  owned a = lock_until_told(this->m, this->source.get_token(), this->log, 'a');
  this->start(a);
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_FALSE(this->m.try_lock()) << "it has an owner still";
  this->end_section();
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, all_may_leave_at_once) {
  this->begin_section();
  std::vector<owned> tasks;
  for (const char name : {'a', 'b', 'c'}) {
    tasks.push_back(lock_until_told(this->m, this->source.get_token(), this->log, name));
    this->start(tasks.back());
  }
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log.size(), 3U);
  EXPECT_EQ(this->log.find_first_not_of("ABC"), std::string::npos);
  this->end_section();
  EXPECT_TRUE(this->is_free());
}

// --- Tasks that are destroyed.

TYPED_TEST(MutexThatIsLeft, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  this->begin_section();
  owned before = lock_for_ever(this->m, this->log, 'a');
  owned after = lock_for_ever(this->m, this->log, 'c');
  this->start(before);
  {
    owned destroyed = lock_for_ever(this->m, this->log, 'b');
    this->start(destroyed);
    this->start(after);
  }
  this->end_section();
  EXPECT_TRUE(before.done() && after.done());
  EXPECT_EQ(this->log.find('b'), std::string::npos);
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, one_with_limits_takes_its_alarm_and_its_callback_along) {
  this->begin_section();
  {
    owned destroyed = try_for(this->m, 1h, this->source.get_token(), this->log, 'a');
    this->start(destroyed);
  }
  EXPECT_TRUE(this->ex.clock.is_empty());
  this->source.request_stop();
  EXPECT_TRUE(this->ex.is_idle());
  this->end_section();
  EXPECT_TRUE(this->is_free());
}

template <class Mutex>
owned wait_for_a_scope(Mutex& m) {
  const auto held = co_await m.scoped_lock();
}

TYPED_TEST(MutexThatIsLeft, so_does_a_task_that_waits_for_a_scoped_lock) {
  this->begin_section();
  {
    owned destroyed = wait_for_a_scope(this->m);
    this->start(destroyed);
  }
  this->end_section();
  EXPECT_TRUE(this->is_free());
}

// --- What a task and a thread keep.

template <class Mutex>
owned count_locks(Mutex& outer, Mutex& inner, std::stop_token stop,
                  std::vector<std::uint32_t>& counts) {
  co_await outer.lock();
  auto operation = inner.lock(std::move(stop));
  const bool is_owner = co_await operation;
  counts.push_back(this_thread().locks_held);
  if (is_owner) co_await inner.unlock();
  co_await outer.unlock();
  counts.push_back(this_thread().locks_held);
}

TYPED_TEST(MutexThatIsLeft, who_leaves_still_has_the_locks_it_had) {
  std::vector<std::uint32_t> counts;
  TypeParam outer;
  this->begin_section();
  owned a = count_locks(outer, this->m, this->source.get_token(), counts);
  this->start(a);
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{1, 0}));
  this->end_section();
}

TYPED_TEST(MutexThatIsLeft, who_is_granted_has_one_lock_more) {
  std::vector<std::uint32_t> counts;
  TypeParam outer;
  this->begin_section();
  owned a = count_locks(outer, this->m, this->source.get_token(), counts);
  this->start(a);
  this->end_section();
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 0}));
}

TYPED_TEST(MutexThatIsLeft, a_plain_thread_waits_no_longer_than_it_said) {
  this->begin_section();
  EXPECT_FALSE(block_on(this->m.try_lock_for(1ms)));
  EXPECT_EQ(this_thread().locks_held, 0U);
  this->end_section();
  EXPECT_TRUE(block_on(this->m.try_lock_for(1ms)));
  EXPECT_EQ(this_thread().locks_held, 1U);
  this->m.unlock_dispatch();
}

TYPED_TEST(MutexThatIsLeft, a_plain_thread_that_is_granted_in_time_owns_it) {
  ASSERT_TRUE(this->m.try_lock());
  std::thread blocking{[this] {
    EXPECT_TRUE(block_on(this->m.try_lock_for(1h)));
    this->m.unlock_dispatch();
  }};
  this->m.unlock_dispatch();
  blocking.join();
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(MutexThatIsLeft, a_plain_thread_can_be_told_to_stop) {
  this->begin_section();
  std::thread blocking{
      [this] { EXPECT_FALSE(block_on(this->m.lock(this->source.get_token()))); }};
  this->source.request_stop();
  blocking.join();
  this->end_section();
}

template <class Mutex>
testing::detached try_often(Mutex& m, executor& where, std::stop_token stop, int times,
                            int& granted, int& left) {
  co_await testing::on(where);
  for (int i = 0; i < times; ++i) {
    auto operation = m.try_lock_for(1h, stop);
    const bool is_owner = co_await operation;
    if (is_owner) co_await m.unlock();
    ++(is_owner ? granted : left);
  }
}

TYPED_TEST(MutexThatIsLeft, neither_limits_nor_leaving_allocate) {
  testing::frugal_executor frugal;
  int granted = 0;
  int left = 0;
  ASSERT_TRUE(this->m.try_lock());
  for (int i = 0; i < 4; ++i) {
    try_often(this->m, frugal, this->source.get_token(), 3, granted, left);
  }
  const std::uint64_t before = testing::allocations();
  frugal.run_all();
  frugal.clock.ring_all();
  frugal.run_all();
  this->source.request_stop();
  frugal.run_all();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(left, 12);
  this->m.unlock_dispatch();
  frugal.run_all();
  EXPECT_EQ(granted, 0);
}

TYPED_TEST(MutexThatIsLeft, a_grant_with_limits_does_not_allocate) {
  testing::frugal_executor frugal;
  int granted = 0;
  int left = 0;
  ASSERT_TRUE(this->m.try_lock());
  for (int i = 0; i < 4; ++i) {
    try_often(this->m, frugal, this->source.get_token(), 25, granted, left);
  }
  const std::uint64_t before = testing::allocations();
  frugal.run_all();
  this->m.unlock_dispatch();
  frugal.run_all();
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(granted, 100);
  EXPECT_EQ(left, 0);
}

template <class Mutex>
testing::detached leave_then_destroy(executor& where, std::unique_ptr<Mutex>& m,
                                     std::stop_token stop) {
  co_await testing::on(where);
  auto operation = m->lock(std::move(stop));
  static_cast<void>(co_await operation);
  m->unlock_dispatch();  // For the test, which had locked it.
  m.reset();
}

// The frame, and the mutex, may be gone before the stop request has returned.
TYPED_TEST(MutexThatIsLeft, who_leaves_may_destroy_it_at_once) {
  testing::immediate_executor now;
  auto shared = std::make_unique<TypeParam>();
  ASSERT_TRUE(shared->try_lock());
  leave_then_destroy(now, shared, this->source.get_token());
  ASSERT_NE(shared, nullptr);
  this->source.request_stop();
  EXPECT_EQ(shared, nullptr);
}

}  // namespace
}  // namespace hotseat
