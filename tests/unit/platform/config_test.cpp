// hotseat/tests/unit/platform/config_test.cpp — the facts agree with the compiler.
#include <gtest/gtest.h>

#include <hotseat/platform/config.hpp>
#include <string_view>

namespace hotseat {
namespace {

constexpr std::string_view atomic_header = HOTSEAT_MACHINE_HEADER(atomic.hpp);

TEST(Config, the_machine_names_a_folder_of_headers) {
  EXPECT_EQ(atomic_header, "hotseat/platform/real/atomic.hpp");
}

TEST(Config, invariants_are_checked_unless_the_build_is_a_release) {
#ifdef NDEBUG
  EXPECT_FALSE(config::checks_invariants);
#else
  EXPECT_TRUE(config::checks_invariants);
#endif
}

TEST(Config, frames_are_not_recycled_under_address_sanitizer) {
  EXPECT_EQ(config::recycles_frames, !config::sanitizes_address);
}

TEST(Config, fences_are_symmetric_under_thread_sanitizer) {
  EXPECT_EQ(config::asymmetric_fences, !config::sanitizes_thread);
}

TEST(Config, a_program_has_one_sanitizer_at_most) {
  EXPECT_FALSE(config::sanitizes_thread && config::sanitizes_address);
}

TEST(Config, timelines_are_recorded_where_time_is_real_unless_they_are_left_out) {
  EXPECT_EQ(config::records_traces, config::is_real_machine && HOTSEAT_WITH_TRACE != 0);
}

TEST(Config, only_clang_promises_a_transfer_without_stack) {
#ifdef __clang__
  EXPECT_TRUE(config::transfers_without_stack);
#else
  EXPECT_FALSE(config::transfers_without_stack);
#endif
}

}  // namespace
}  // namespace hotseat
