// hotseat/tests/unit/platform/account_test.cpp — on a real machine, accounting costs
// nothing.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <type_traits>

namespace hotseat {
namespace {

TEST(Account, a_scope_holds_nothing_and_needs_no_end) {
  EXPECT_TRUE(std::is_empty_v<platform::searching_scope>);
  EXPECT_TRUE(std::is_trivially_destructible_v<platform::searching_scope>);
}

TEST(Account, a_frame_is_not_looked_at) {
  platform::on_resume(nullptr);
  platform::on_resume(reinterpret_cast<const void*>(8));
}

}  // namespace
}  // namespace hotseat
