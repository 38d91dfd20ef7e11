// hotseat/tests/unit/core/pinned_test.cpp — neither copied nor moved, and no larger.
#include <gtest/gtest.h>

#include <hotseat/core/pinned.hpp>
#include <type_traits>

namespace hotseat {
namespace {

class member : pinned<member> {
  [[maybe_unused]] int value_ = 0;
};
class thing : pinned<thing> {
 public:
  constexpr thing() = default;

 private:
  member first_;
};

static_assert(std::is_default_constructible_v<thing>);
static_assert(!std::is_copy_constructible_v<thing>);
static_assert(!std::is_move_constructible_v<thing>);
static_assert(!std::is_copy_assignable_v<thing>);
static_assert(!std::is_move_assignable_v<thing>);

struct impostor : pinned<thing> {};
static_assert(!std::is_default_constructible_v<impostor>);

TEST(Pinned, takes_no_room_even_when_the_first_member_is_pinned) {
  EXPECT_EQ(sizeof(member), sizeof(int));
  EXPECT_EQ(sizeof(thing), sizeof(int));
}

TEST(Pinned, does_not_stop_constant_initialization) {
  static constinit thing object;
  EXPECT_NE(&object, nullptr);
}

}  // namespace
}  // namespace hotseat
