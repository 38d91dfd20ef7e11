// hotseat/tests/unit/sync/link_state_test.cpp — two ends that find each other until one
// goes.  Two threads: tests/model/one_shot_model.cpp.
#include <gtest/gtest.h>

#include <hotseat/sync/detail/link_state.hpp>

namespace hotseat::detail {
namespace {

using role = link_end::role;

TEST(LinkState, an_end_that_was_never_linked_is_alone) {
  link_end a{role::leading};
  EXPECT_EQ(a.hold(), nullptr);
}

TEST(LinkState, P1_each_end_holds_the_other_until_they_part) {
  link_end a{role::leading};
  link_end b{role::yielding};
  a.link(b);
  link_end* const peer = b.hold();
  ASSERT_EQ(peer, &a);
  b.part(*peer);
  EXPECT_EQ(a.hold(), nullptr);
  EXPECT_EQ(b.hold(), nullptr);
}

TEST(LinkState, P1_a_successor_takes_the_place_of_an_end) {
  link_end a{role::leading};
  link_end b{role::yielding};
  link_end c{role::yielding};
  a.link(b);
  link_end* const peer = b.hold();
  ASSERT_EQ(peer, &a);
  b.move_to(c, *peer);
  EXPECT_EQ(b.hold(), nullptr);
  ASSERT_EQ(a.hold(), &c);
  a.part(c);
  EXPECT_EQ(c.hold(), nullptr);
}

}  // namespace
}  // namespace hotseat::detail
