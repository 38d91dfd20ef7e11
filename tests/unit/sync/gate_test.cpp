// hotseat/tests/unit/sync/gate_test.cpp — what event, auto_reset_event, latch and
// wait_group have in common.  What they promise to waiters is in tests/conformance.
#include <gtest/gtest.h>

#include <hotseat/sync/detail/gate.hpp>
#include <memory>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <utility>

namespace hotseat {
namespace {

using testing::detached;

template <class Kind>
class Gate : public ::testing::Test {
 protected:
  using gate = typename Kind::gate;
  static_assert(!std::is_copy_constructible_v<gate>);
  static_assert(!std::is_move_constructible_v<gate>);
  static_assert(noexcept(std::declval<gate&>().wait().await_suspend(nullptr)));
  using open_operation = decltype(Kind::open_awaited(std::declval<gate&>()));
  static_assert(noexcept(std::declval<open_operation&>().await_ready()));
  static_assert(noexcept(std::declval<open_operation&>().await_suspend(nullptr)));
};
TYPED_TEST_SUITE(Gate, testing::gate_kinds);

template <class Kind>
struct on_heap {
  typename Kind::gate g = Kind::closed();
};

template <class Kind>
detached wait_then_destroy(executor& where, std::unique_ptr<on_heap<Kind>>& shared) {
  co_await testing::on(where);
  co_await shared->g.wait();
  shared.reset();
}

template <class Kind>
detached open_once(executor& where, on_heap<Kind>& shared, bool& is_done) {
  co_await testing::on(where);
  auto operation = Kind::open_awaited(shared.g);
  co_await operation;
  is_done = true;
}

// B3.  The waiter may destroy the gate before the operation that opened it returns.
TYPED_TEST(Gate, a_waiter_that_was_let_out_may_destroy_it_at_once) {
  testing::immediate_executor now;
  auto shared = std::make_unique<on_heap<TypeParam>>();
  bool is_done = false;
  wait_then_destroy<TypeParam>(now, shared);
  ASSERT_NE(shared, nullptr);
  open_once<TypeParam>(now, *shared, is_done);
  EXPECT_EQ(shared, nullptr);
  EXPECT_TRUE(is_done);
}

}  // namespace
}  // namespace hotseat
