// hotseat/tests/unit/sync/section_operation_test.cpp — sections that the owning worker runs
// for waiting tasks.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/section_operation.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <support/manual_executor.hpp>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>
#include <utility>
#include <vector>

namespace hotseat {
namespace {

using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

/// Writes the small letter in the section, the capital after it.
template <class Mutex>
owned delegate(Mutex& m, std::string& log, char name) {
  co_await detail::run_section(m, [&log, name] { log += name; });
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
  result = co_await detail::run_section(m, [] { return std::make_unique<int>(5); });
  try {
    co_await detail::run_section(m, [] { throw std::runtime_error{"inside"}; });
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

// --- With limits.

/// Like delegate(), but writes '-' if its section was not run.
template <class Mutex>
owned delegate_until(Mutex& m, wait_limits until, std::string& log, char name) {
  auto operation = detail::run_section(m, [&log, name] { log += name; }, std::move(until));
  const bool has_run = co_await operation;
  log += has_run ? static_cast<char>(name - 'a' + 'A') : '-';
}

wait_limits in_an_hour() { return {platform::now() + 1h, {}}; }

template <class Mutex>
owned take_limited_result(Mutex& m, std::optional<std::unique_ptr<int>>& result,
                          std::string& error) {
  auto giving =
      detail::run_section(m, [] { return std::make_unique<int>(5); }, in_an_hour());
  result = co_await giving;
  auto failing =
      detail::run_section(m, [] { throw std::runtime_error{"inside"}; }, in_an_hour());
  try {
    error = co_await failing ? "it ran" : "it did not";
  } catch (const std::runtime_error& e) {
    error = e.what();
  }
}

TYPED_TEST(SectionOperation, limited_results_and_exceptions_arrive_at_the_waiting_task) {
  std::optional<std::unique_ptr<int>> result;
  std::string error;
  owned task = take_limited_result(this->m, result, error);
  ASSERT_TRUE(this->m.try_lock());
  this->start(task);
  this->m.unlock_dispatch();
  this->ex.run_all();
  ASSERT_TRUE(result && *result);
  EXPECT_EQ(**result, 5);
  EXPECT_EQ(error, "inside");
  EXPECT_TRUE(this->is_free());
}

/// Runs `inside` in the section; `in_between` is called if it has to wait.
template <class Mutex>
owned delegate_calling(Mutex& m, std::function<void()>& inside,
                       std::function<void()>& in_between, std::string& log) {
  auto operation = detail::run_section(m, [&] { inside(); });
  co_await testing::interrupted(operation, in_between);
  log += 'S';
}

TYPED_TEST(SectionOperation, a_task_that_came_while_it_ran_is_let_in_when_it_is_over) {
  for (const bool is_free_at_once : {true, false}) {
    this->log.clear();
    owned b = enter(this->m, this->log, 'b');
    std::function<void()> inside = [&] {
      this->log += 's';
      b.start_on(this->ex);
      EXPECT_TRUE(this->ex.step(1));
    };
    std::function<void()> in_between;
    if (!is_free_at_once) {
      ASSERT_TRUE(this->m.try_lock());
      in_between = [this] { this->m.unlock_dispatch(); };
    }
    owned a = delegate_calling(this->m, inside, in_between, this->log);
    this->start(a);
    EXPECT_EQ(this->log.substr(0, 1), "s");
    EXPECT_TRUE(a.done() && b.done());
    EXPECT_TRUE(this->is_free());
  }
}

class Combining : public ::testing::Test {
 protected:
  /// Owns the mutex, with all of `waiting` in line, and starts a task that will unlock it.
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

TEST_F(Combining, runs_all_sections_on_the_worker_that_unlocks_and_resumes_no_task_for_it) {
  manual_executor ex{2};
  owned a = delegate(m, log, 'a');
  owned b = delegate(m, log, 'b');
  owned c = delegate(m, log, 'c');
  prepare({&a, &b, &c}, ex);
  const std::size_t before = ex.resumptions().size();
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "abc");
  EXPECT_EQ(ex.resumptions().size(), before + 1);
  // The caller first, then the tasks whose sections have run, in order.
  ASSERT_EQ(ex.ready().size(), 4U);
  EXPECT_EQ(ex.ready()[0].task, unlocking.handle());
  EXPECT_EQ(ex.ready()[1].task, a.handle());
  EXPECT_EQ(ex.ready()[3].task, c.handle());
  ex.run_all();
  EXPECT_EQ(log, "abc.ABC");
}

TEST_F(Combining, runs_limited_sections_too_and_resumes_no_task_for_it) {
  manual_executor ex{2};
  owned a = delegate_until(m, in_an_hour(), log, 'a');
  owned b = delegate_until(m, in_an_hour(), log, 'b');
  prepare({&a, &b}, ex);
  const std::size_t before = ex.resumptions().size();
  ASSERT_TRUE(ex.step(1));
  EXPECT_EQ(log, "ab");
  EXPECT_EQ(ex.resumptions().size(), before + 1);
  ex.clock.ring_all();
  ex.run_all();
  EXPECT_EQ(log, "ab.AB") << "a section that has run counts as granted";
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

}  // namespace
}  // namespace hotseat
