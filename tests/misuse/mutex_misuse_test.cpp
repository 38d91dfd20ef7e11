// hotseat/tests/misuse/mutex_misuse_test.cpp — a broken rule stops the program and is
// named.
#include <gtest/gtest.h>

#include <cstdlib>
#include <hotseat/core/assert.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/unique_lock.hpp>
#include <optional>
#include <support/mutex_kinds.hpp>
#include <support/probes.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

template <class Mutex>
class MutexMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
TYPED_TEST_SUITE(MutexMisuseDeathTest, testing::mutex_kinds);

constexpr const char* not_owned =
    "hotseat: violation: mutex 0x[0-9a-f]+: only the owner may unlock; nobody owns it";

template <class Mutex>
owned unlock_twice(Mutex& m) {
  co_await m.lock();
  co_await m.unlock();
  co_await m.unlock();
}

template <class Mutex>
owned unlock_scope_twice(Mutex& m) {
  auto held = co_await m.scoped_lock();
  co_await held.unlock();
  co_await held.unlock();
}

template <class Mutex>
owned unlock_under_a_scope(Mutex& m) {
  const auto held = co_await m.scoped_lock();
  co_await m.unlock();
}

TYPED_TEST(MutexMisuseDeathTest, unlock_of_what_no_task_owns) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = testing::unlock_only(m);
        task.run();
      },
      not_owned);
}

TYPED_TEST(MutexMisuseDeathTest, unlock_twice) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = unlock_twice(m);
        task.run();
      },
      not_owned);
}

TYPED_TEST(MutexMisuseDeathTest, unlock_dispatch_of_what_no_task_owns) {
  EXPECT_DEATH(
      {
        TypeParam m;
        m.unlock_dispatch();
      },
      not_owned);
}

TYPED_TEST(MutexMisuseDeathTest, unlock_below_a_unique_lock) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = unlock_under_a_scope(m);
        task.run();
      },
      not_owned);
}

TYPED_TEST(MutexMisuseDeathTest, destruction_while_it_is_owned) {
  EXPECT_DEATH(
      {
        std::optional<TypeParam> m;
        m.emplace();
        static_cast<void>(m->try_lock());
        m.reset();
      },
      "hotseat: violation: mutex 0x[0-9a-f]+: it must not be destroyed while it is owned");
}

TYPED_TEST(MutexMisuseDeathTest, destruction_while_a_task_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<TypeParam> m;
        m.emplace();
        static_cast<void>(m->try_lock());
        owned waiting = testing::lock_and_unlock(*m);
        waiting.start_on(ex);
        ex.run_all();
        m->unlock_dispatch();  // The heir owns it now, but has not run.
        m.reset();
      },
      "it must not be destroyed while it is owned");
}

TYPED_TEST(MutexMisuseDeathTest, unique_lock_unlock_twice) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = unlock_scope_twice(m);
        task.run();
      },
      "hotseat: violation: unique_lock 0x[0-9a-f]+: only what it owns can be unlocked");
}

[[noreturn]] void leave_with_five(const violation&) { std::_Exit(5); }

TYPED_TEST(MutexMisuseDeathTest, a_handler_of_the_program_is_called_instead) {
  EXPECT_EXIT(
      {
        on_violation(&leave_with_five);
        TypeParam m;
        m.unlock_dispatch();
      },
      ::testing::ExitedWithCode(5), "");
}

}  // namespace
}  // namespace hotseat
