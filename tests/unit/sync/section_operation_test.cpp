// hotseat/tests/unit/sync/section_operation_test.cpp — sections that whoever has the lock
// runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/reschedule.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <support/counted_new.hpp>
#include <support/manual_executor.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <vector>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

/// Writes the small letter in the section, the capital one after it.
template <class Mutex>
owned delegate(Mutex& m, std::string& log, char name) {
  co_await m.run([&log, name] { log += name; });
  log += static_cast<char>(name - 'a' + 'A');
}

template <class Mutex>
owned enter(Mutex& m, std::string& log, char name) {
  co_await m.lock();
  log += name;
  co_await m.unlock();
  log += static_cast<char>(name - 'a' + 'A');
}

template <class Mutex>
owned unlock(Mutex& m, std::string& log) {
  co_await m.unlock();
  log += '.';
}

template <class Mutex>
class SectionOperation : public ::testing::Test {
 protected:
  bool is_free() {
    if (!m.try_lock()) return false;
    m.unlock_dispatch();
    return true;
  }
  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }
  Mutex m;
  manual_executor ex{2};
  std::string log;
};
TYPED_TEST_SUITE(SectionOperation, testing::mutex_kinds);

TYPED_TEST(SectionOperation, runs_here_without_suspending_if_the_lock_is_free) {
  owned task = delegate(this->m, this->log, 'a');
  this->start(task);
  EXPECT_EQ(this->log, "aA");
  EXPECT_EQ(this->ex.resumptions().size(), 1U);
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SectionOperation, ordinary_and_delegated_waiters_stand_in_one_line) {
  owned a = delegate(this->m, this->log, 'a');
  owned b = enter(this->m, this->log, 'b');
  owned c = delegate(this->m, this->log, 'c');
  owned d = delegate(this->m, this->log, 'd');
  owned e = enter(this->m, this->log, 'e');
  ASSERT_TRUE(this->m.try_lock());
  for (owned* const task : {&a, &b, &c, &d, &e}) this->start(*task);
  this->m.unlock_dispatch();
  this->ex.run_all();
  std::string sections = this->log;
  std::erase_if(sections, [](char letter) { return letter < 'a'; });
  EXPECT_EQ(sections, "abcde");
  EXPECT_EQ(this->log.size(), 10U);
  EXPECT_TRUE(this->is_free());
}

template <class Mutex>
owned take_result(Mutex& m, std::unique_ptr<int>& result, std::string& error) {
  result = co_await m.run([] { return std::make_unique<int>(5); });
  try {
    co_await m.run([] { throw std::runtime_error{"inside"}; });
  } catch (const std::runtime_error& e) {
    error = e.what();
  }
}

TYPED_TEST(SectionOperation, results_and_exceptions_arrive_at_the_waiting_task) {
  std::unique_ptr<int> result;
  std::string error;
  owned task = take_result(this->m, result, error);
  ASSERT_TRUE(this->m.try_lock());
  this->start(task);
  this->m.unlock_dispatch();
  this->ex.run_all();
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 5);
  EXPECT_EQ(error, "inside");
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SectionOperation, a_task_that_is_destroyed_leaves_the_line) {
  owned behind = delegate(this->m, this->log, 'b');
  ASSERT_TRUE(this->m.try_lock());
  {
    owned first = delegate(this->m, this->log, 'a');
    this->start(first);
    this->start(behind);
  }
  this->m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "bB");
}

TYPED_TEST(SectionOperation, a_task_of_another_executor_runs_its_own_section_there) {
  manual_executor other{1};
  owned there = delegate(this->m, this->log, 'a');
  owned here = unlock(this->m, this->log);
  ASSERT_TRUE(this->m.try_lock());
  there.start_on(other);
  other.run_all();
  this->start(here);
  EXPECT_EQ(this->log, ".");
  EXPECT_TRUE(other.is_ready(there.handle()));
  other.run_all();
  EXPECT_EQ(this->log, ".aA");
  EXPECT_TRUE(this->is_free());
}

TYPED_TEST(SectionOperation, waiting_allocates_nothing) {
  owned task = delegate(this->m, this->log, 'a');
  this->log.reserve(8);
  ASSERT_TRUE(this->m.try_lock());
  {
    const testing::worker_scope scope{this->ex};
    const std::uint64_t before = testing::allocations();
    task.run();
    const std::uint64_t after = testing::allocations();
    EXPECT_EQ(after, before);
  }
  this->m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "aA");
}

class Combining : public ::testing::Test {
 protected:
  /// Owns the mutex, with all of `waiting` in line, and somebody who will unlock it.
  void prepare(std::vector<owned*> waiting, manual_executor& on) {
    ASSERT_TRUE(m.try_lock());
    for (owned* const task : waiting) {
      task->start_on(on);
      on.run_all();
    }
    unlocking.start_on(on);
  }
  mutex m;
  std::string log;
  owned unlocking = unlock(m, log);
};

TEST_F(Combining, runs_all_sections_on_the_worker_that_unlocks_and_resumes_nobody_for_it) {
  manual_executor ex{2};
  owned a = delegate(m, log, 'a');
  owned b = delegate(m, log, 'b');
  owned c = delegate(m, log, 'c');
  prepare({&a, &b, &c}, ex);
  const std::size_t before = ex.resumptions().size();
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "abc");
  EXPECT_EQ(ex.resumptions().size(), before + 1);
  // The caller first, then those whose sections are over, in order.
  ASSERT_EQ(ex.ready().size(), 4U);
  EXPECT_EQ(ex.ready()[0].task, unlocking.handle());
  EXPECT_EQ(ex.ready()[1].task, a.handle());
  EXPECT_EQ(ex.ready()[3].task, c.handle());
  ex.run_all();
  EXPECT_EQ(log, "abc.ABC");
}

TEST_F(Combining, goes_on_with_an_ordinary_heir_on_the_same_worker) {
  manual_executor ex{2};
  owned a = delegate(m, log, 'a');
  owned b = enter(m, log, 'b');
  prepare({&a, &b}, ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "abB");
  EXPECT_EQ(ex.resumptions().back(), (manual_executor::resumption{1, b.handle()}));
  ex.run_all();
  EXPECT_EQ(log, "abB.A");
}

TEST_F(Combining, ends_with_the_chain) {
  manual_executor ex{2, 2};
  owned a = delegate(m, log, 'a');
  owned b = delegate(m, log, 'b');
  owned c = delegate(m, log, 'c');
  prepare({&a, &b, &c}, ex);
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "ab");
  EXPECT_TRUE(ex.is_ready(c.handle())) << "it owns the mutex now";
  EXPECT_FALSE(m.try_lock());
  ex.run_all();
  EXPECT_TRUE(a.done() && b.done() && c.done());
}

TEST_F(Combining, does_not_take_a_section_off_the_core_for_those_of_others) {
  manual_executor ex{2};
  mutex outer;
  const auto inside_another = [](mutex& o, mutex& i, manual_executor& on) -> owned {
    co_await o.lock();
    co_await i.lock();
    auto again = reschedule();
    co_await again;
    co_await i.unlock();
    EXPECT_EQ(on.ready().size(), 1U) << "the waiter was dispatched";
    co_await o.unlock();
  };
  owned nested = inside_another(outer, m, ex);
  owned a = delegate(m, log, 'a');
  nested.start_on(ex);
  a.start_on(ex);
  ASSERT_TRUE(ex.step(0));
  ASSERT_TRUE(ex.step(0));
  ASSERT_TRUE(ex.step(0));
  EXPECT_TRUE(nested.done()) << "it was not suspended inside its section";
  ex.run_all();
  EXPECT_TRUE(a.done());
}

}  // namespace
}  // namespace hotseat
