// hotseat/tests/misuse/shared_mutex_misuse_test.cpp — a broken rule stops the program and
// is named.
#include <gtest/gtest.h>

#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/sync/unique_lock.hpp>
#include <optional>
#include <support/probes.hpp>
#include <support/shared_mutex_kinds.hpp>

namespace hotseat {
namespace {

using testing::manual_executor;
using testing::owned;

template <class Mutex>
class SharedMutexMisuseDeathTest : public ::testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
TYPED_TEST_SUITE(SharedMutexMisuseDeathTest, testing::shared_mutex_kinds);

constexpr const char* no_writer =
    "hotseat: violation: shared_mutex 0x[0-9a-f]+: only its writer may unlock; no writer "
    "is "
    "inside";
constexpr const char* no_reader =
    "hotseat: violation: shared_mutex 0x[0-9a-f]+: only a reader may unlock_shared; no "
    "reader is inside";
constexpr const char* owned_still =
    "hotseat: violation: shared_mutex 0x[0-9a-f]+: it must not be destroyed while it is "
    "owned";

template <class Mutex>
owned only_unlock_shared(Mutex& m) {
  co_await m.unlock_shared();
}

TYPED_TEST(SharedMutexMisuseDeathTest, unlock_of_what_no_task_owns) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = testing::unlock_only(m);
        task.run();
      },
      no_writer);
}

TYPED_TEST(SharedMutexMisuseDeathTest, unlock_shared_of_what_no_task_owns) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = only_unlock_shared(m);
        task.run();
      },
      no_reader);
}

TYPED_TEST(SharedMutexMisuseDeathTest, unlock_by_a_reader) {
  EXPECT_DEATH(
      {
        TypeParam m;
        static_cast<void>(m.try_lock_shared());
        m.unlock_dispatch();
      },
      no_writer);
}

TYPED_TEST(SharedMutexMisuseDeathTest, unlock_shared_by_the_writer) {
  EXPECT_DEATH(
      {
        TypeParam m;
        static_cast<void>(m.try_lock());
        m.unlock_shared_dispatch();
      },
      no_reader);
}

TYPED_TEST(SharedMutexMisuseDeathTest, unlock_shared_once_too_often) {
  EXPECT_DEATH(
      {
        TypeParam m;
        static_cast<void>(m.try_lock_shared());
        m.unlock_shared_dispatch();
        m.unlock_shared_dispatch();
      },
      no_reader);
}

TYPED_TEST(SharedMutexMisuseDeathTest, unlock_by_a_reader_while_a_writer_waits) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        TypeParam m;
        static_cast<void>(m.try_lock_shared());
        owned waiting = testing::lock_and_unlock(m);
        waiting.start_on(ex);
        ex.run_all();
        m.unlock_dispatch();
      },
      no_writer);
}

TYPED_TEST(SharedMutexMisuseDeathTest, destruction_while_a_writer_is_inside) {
  EXPECT_DEATH(
      {
        std::optional<TypeParam> m;
        m.emplace();
        static_cast<void>(m->try_lock());
        m.reset();
      },
      owned_still);
}

TYPED_TEST(SharedMutexMisuseDeathTest, destruction_while_a_reader_is_inside) {
  EXPECT_DEATH(
      {
        std::optional<TypeParam> m;
        m.emplace();
        static_cast<void>(m->try_lock_shared());
        m.reset();
      },
      owned_still);
}

TYPED_TEST(SharedMutexMisuseDeathTest, destruction_while_an_heir_is_on_its_way) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        std::optional<TypeParam> m;
        m.emplace();
        static_cast<void>(m->try_lock_shared());
        owned waiting = testing::lock_and_unlock(*m);
        waiting.start_on(ex);
        ex.run_all();
        m->unlock_shared_dispatch();  // The heir owns it now, but has not run.
        m.reset();
      },
      owned_still);
}

TYPED_TEST(SharedMutexMisuseDeathTest, destruction_of_a_task_that_has_been_let_in) {
  EXPECT_DEATH(
      {
        manual_executor ex{1};
        TypeParam m;
        static_cast<void>(m.try_lock());
        std::optional<owned> waiting{testing::lock_and_unlock(m)};
        waiting->start_on(ex);
        ex.run_all();
        m.unlock_dispatch();
        waiting.reset();
      },
      "a task that has been made ready must not be destroyed");
}

template <class Mutex>
owned unlock_shared_scope_twice(Mutex& m) {
  auto held = co_await m.scoped_lock_shared();
  co_await held.unlock();
  co_await held.unlock();
}

TYPED_TEST(SharedMutexMisuseDeathTest, shared_lock_unlock_twice) {
  EXPECT_DEATH(
      {
        TypeParam m;
        const owned task = unlock_shared_scope_twice(m);
        task.run();
      },
      "hotseat: violation: shared_lock 0x[0-9a-f]+: only what it owns can be unlocked");
}

}  // namespace
}  // namespace hotseat
