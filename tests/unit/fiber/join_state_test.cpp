// hotseat/tests/unit/fiber/join_state_test.cpp — whichever side comes second frees the
// frame.
#include <gtest/gtest.h>

#include <hotseat/core/waiter.hpp>
#include <hotseat/fiber/detail/join_state.hpp>

namespace hotseat {
namespace {

using detail::join_state;
using heritage = join_state::heritage;

TEST(JoinState, J1_a_fiber_that_ends_first_leaves_its_frame_to_the_handle) {
  join_state state;
  EXPECT_FALSE(state.has_ended());
  EXPECT_EQ(state.end().who, heritage::handle);
  EXPECT_TRUE(state.has_ended());
  waiter place;
  EXPECT_FALSE(state.wait(place));
}

TEST(JoinState, J1_the_joiner_is_handed_to_the_fiber_at_its_end) {
  join_state state;
  waiter place;
  EXPECT_TRUE(state.wait(place));
  EXPECT_FALSE(state.has_ended());
  const join_state::ending end = state.end();
  EXPECT_EQ(end.who, heritage::joiner);
  EXPECT_EQ(end.joiner, &place);
}

TEST(JoinState, J1_a_detached_fiber_keeps_its_frame) {
  join_state state;
  EXPECT_TRUE(state.detach());
  EXPECT_EQ(state.end().who, heritage::itself);
}

TEST(JoinState, J1_detaching_too_late_leaves_the_frame_to_the_caller) {
  join_state state;
  EXPECT_EQ(state.end().who, heritage::handle);
  EXPECT_FALSE(state.detach());
}

}  // namespace
}  // namespace hotseat
