// hotseat/tests/unit/sync/lock_access_test.cpp — sections and conditions see the same mutex
// as its users.
#include <gtest/gtest.h>

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/sync/detail/lock_access.hpp>
#include <hotseat/sync/detail/shared_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <support/mutex_kinds.hpp>
#include <support/shared_mutex_kinds.hpp>

namespace hotseat::detail {
namespace {

template <class Mutex>
class LockAccess : public ::testing::Test {};
TYPED_TEST_SUITE(LockAccess, testing::mutex_kinds);

TYPED_TEST(LockAccess, the_line_and_the_state_are_those_of_the_mutex) {
  TypeParam m;
  auto& state = lock_access::state_of(m);
  auto line = lock_access::line_of(m);
  EXPECT_EQ(&line.state, &state);
  EXPECT_EQ(line.section(), &state);
  line_waiter w;
  EXPECT_TRUE(line.try_acquire(w));
  EXPECT_FALSE(m.try_lock());
  EXPECT_EQ(line.release(), nullptr);
  EXPECT_TRUE(state.is_free());
}

template <class Mutex>
class LockAccessOfShared : public ::testing::Test {};
TYPED_TEST_SUITE(LockAccessOfShared, testing::shared_mutex_kinds);

TYPED_TEST(LockAccessOfShared, the_line_is_that_of_writers) {
  TypeParam m;
  auto line = lock_access::line_of(m);
  EXPECT_EQ(line.section(), &lock_access::state_of(m));
  shared_waiter w;
  EXPECT_TRUE(line.try_acquire(w));
  EXPECT_FALSE(m.try_lock_shared());
  EXPECT_TRUE(line.release().empty());
  EXPECT_TRUE(lock_access::state_of(m).is_free());
}

}  // namespace
}  // namespace hotseat::detail
