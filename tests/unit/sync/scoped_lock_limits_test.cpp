// hotseat/tests/unit/sync/scoped_lock_limits_test.cpp — a scope that owns if its turn came
// in time, for writers and readers.
#include <gtest/gtest.h>

#include <chrono>
#include <hotseat/platform/clock.hpp>
#include <hotseat/sched/blocking.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sched/limits.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/scoped_lock.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using testing::is_free;
using namespace std::chrono_literals;
using testing::manual_executor;
using testing::owned;

/// The two sides of a mutex, by the same names.
template <class Mutex>
struct writing {
  using mutex = Mutex;
  using scope = scoped_lock<Mutex>;
  static auto lock(Mutex& m, auto... limits) { return m.scoped_lock(limits...); }
  static auto lock_for(Mutex& m, auto... limits) { return m.scoped_lock_for(limits...); }
  static auto lock_until(Mutex& m, auto... limits) {
    return m.scoped_lock_until(limits...);
  }
};
template <class Mutex>
struct reading {
  using mutex = Mutex;
  using scope = shared_scoped_lock<Mutex>;
  static auto lock(Mutex& m, auto... limits) { return m.scoped_lock_shared(limits...); }
  static auto lock_for(Mutex& m, auto... limits) {
    return m.scoped_lock_shared_for(limits...);
  }
  static auto lock_until(Mutex& m, auto... limits) {
    return m.scoped_lock_shared_until(limits...);
  }
};
using sides =
    ::testing::Types<writing<basic_mutex<handoff::exchange, lock_state::lock_free>>,
                     writing<basic_mutex<handoff::exchange, lock_state::spin_locked>>,
                     writing<basic_mutex<handoff::dispatch>>,
                     writing<basic_mutex<handoff::resume_inline>>,
                     writing<basic_shared_mutex<handoff::exchange>>,
                     writing<basic_shared_mutex<handoff::dispatch>>,
                     writing<basic_shared_mutex<handoff::resume_inline>>,
                     reading<basic_shared_mutex<handoff::exchange>>,
                     reading<basic_shared_mutex<handoff::dispatch>>,
                     reading<basic_shared_mutex<handoff::resume_inline>>>;

template <class Side>
class LimitedScope : public ::testing::Test {
 protected:
  ~LimitedScope() override { this_thread().locks_held = 0; }

  void start(owned& task) {
    task.start_on(ex);
    ex.run_all();
  }

  typename Side::mutex m;
  manual_executor ex{2};
  std::string log;
  std::stop_source source;
};
TYPED_TEST_SUITE(LimitedScope, sides);

/// Notes its name if it owns, and '-' if not; and '.' if it has given up what it owned
/// without suspending.
template <class Side>
owned own_for(typename Side::mutex& m, std::chrono::hours time, std::stop_token stop,
              std::string& log, char name) {
  {
    const auto held = co_await Side::lock_for(m, time, stop);
    log += held ? name : '-';
  }
  log += '.';
}

template <class Side>
owned own_by_every_form(typename Side::mutex& m, std::stop_token stop, std::string& log) {
  const auto note = [&](typename Side::scope& held) {
    log += held && held.owns_lock() && !is_free(m) ? 'o' : '-';
  };
  const auto later = platform::now() + 1h;
  const wait_limits both{later, stop};
  {
    auto held = co_await Side::lock(m, stop);
    note(held);
  }
  {
    auto held = co_await Side::lock(m, both);
    note(held);
    held.unlock_dispatch();
  }
  {
    auto held = co_await Side::lock_for(m, 1h);
    note(held);
    co_await held.unlock();
  }
  {
    auto held = co_await Side::lock_until(m, later, stop);
    note(held);
  }
  log += is_free(m) ? '.' : '!';
}

TYPED_TEST(LimitedScope, owns_what_is_free_in_every_form) {
  owned task = own_by_every_form<TypeParam>(this->m, this->source.get_token(), this->log);
  this->start(task);
  EXPECT_EQ(this->log, "oooo.");
}

TYPED_TEST(LimitedScope, who_is_too_late_owns_nothing_and_is_out_of_the_line) {
  ASSERT_TRUE(this->m.try_lock());
  owned late = own_for<TypeParam>(this->m, 1h, {}, this->log, 'a');
  owned next = own_for<TypeParam>(this->m, 3h, {}, this->log, 'b');
  this->start(late);
  this->start(next);
  EXPECT_EQ(this->log, "");
  this->ex.clock.advance_to(platform::now() + 2h);
  this->ex.run_all();
  EXPECT_EQ(this->log, "-.");
  this->m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-.b.");
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(LimitedScope, who_is_told_to_stop_owns_nothing_and_is_out_of_the_line) {
  ASSERT_TRUE(this->m.try_lock());
  owned told = own_for<TypeParam>(this->m, 1h, this->source.get_token(), this->log, 'a');
  owned next = own_for<TypeParam>(this->m, 1h, {}, this->log, 'b');
  this->start(told);
  this->start(next);
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-.");
  this->m.unlock_dispatch();
  this->ex.run_all();
  EXPECT_EQ(this->log, "-.b.");
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(LimitedScope, what_was_handed_over_is_owned_even_if_the_time_runs_out_then) {
  ASSERT_TRUE(this->m.try_lock());
  owned heir = own_for<TypeParam>(this->m, 1h, this->source.get_token(), this->log, 'a');
  this->start(heir);
  this->m.unlock_dispatch();
  this->ex.clock.ring_all();
  this->source.request_stop();
  this->ex.run_all();
  EXPECT_EQ(this->log, "a.");
  EXPECT_TRUE(is_free(this->m));
}

TYPED_TEST(LimitedScope, a_task_that_is_destroyed_while_it_waits_leaves_the_line) {
  ASSERT_TRUE(this->m.try_lock());
  {
    owned waits = own_for<TypeParam>(this->m, 1h, {}, this->log, 'a');
    this->start(waits);
    EXPECT_FALSE(this->ex.clock.is_empty());
  }
  EXPECT_TRUE(this->ex.clock.is_empty());
  this->m.unlock_dispatch();
  EXPECT_TRUE(is_free(this->m));
  EXPECT_EQ(this->log, "");
}

TYPED_TEST(LimitedScope, a_plain_thread_may_be_too_late) {
  ASSERT_TRUE(this->m.try_lock());
  EXPECT_FALSE(block_on(TypeParam::lock_for(this->m, 1ms)));
  this->m.unlock_dispatch();
  const auto held = block_on(TypeParam::lock_for(this->m, 1h));
  EXPECT_TRUE(held);
  EXPECT_FALSE(is_free(this->m));
}

TYPED_TEST(LimitedScope, is_tested_like_a_unique_lock) {
  using scope = typename TypeParam::scope;
  static_assert(std::is_constructible_v<bool, const scope&>);
  static_assert(!std::is_convertible_v<const scope&, bool>);
  static_assert(std::is_nothrow_default_constructible_v<scope>);
  const scope nothing;
  EXPECT_FALSE(nothing);
  EXPECT_FALSE(nothing.owns_lock());
}

}  // namespace
}  // namespace hotseat
