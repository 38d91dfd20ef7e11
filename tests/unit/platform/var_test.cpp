// hotseat/tests/unit/platform/var_test.cpp — a field that several threads access in turns.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>

namespace hotseat {
namespace {

static_assert(sizeof(platform::var<void*>) == sizeof(void*));

struct with_field {
  platform::var<int*> field = nullptr;
};

TEST(Var, reads_and_writes_like_a_plain_field) {
  int target = 1;
  with_field object;
  EXPECT_EQ(object.field, nullptr);
  object.field = &target;
  int* const read = object.field;
  EXPECT_EQ(read, &target);
}

}  // namespace
}  // namespace hotseat
