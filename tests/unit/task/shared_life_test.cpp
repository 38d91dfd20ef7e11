// hotseat/tests/unit/task/shared_life_test.cpp — how long a shared task lives.
#include <gtest/gtest.h>

#include <hotseat/task/detail/shared_life.hpp>

namespace hotseat::detail {
namespace {

class SharedLife : public ::testing::Test {
 protected:
  bool drop() {
    return life.drop_handle([this] { ++abandoned; });
  }
  shared_life life;
  int abandoned = 0;
};

TEST_F(SharedLife, L1_it_is_started_once) {
  EXPECT_FALSE(life.is_started());
  EXPECT_TRUE(life.try_start());
  EXPECT_TRUE(life.is_started());
  EXPECT_FALSE(life.try_start());
  EXPECT_FALSE(life.end());
  EXPECT_TRUE(life.is_started()) << "also when it has ended";
  EXPECT_FALSE(life.try_start());
}

TEST_F(SharedLife, L2_the_last_handle_destroys_what_was_never_started) {
  life.add_handle();
  EXPECT_FALSE(drop());
  EXPECT_TRUE(drop());
  EXPECT_EQ(abandoned, 0);
}

TEST_F(SharedLife, L2_the_last_handle_destroys_what_has_ended) {
  EXPECT_TRUE(life.try_start());
  life.add_handle();
  EXPECT_FALSE(life.end());
  EXPECT_FALSE(drop());
  EXPECT_TRUE(drop());
  EXPECT_EQ(abandoned, 0);
}

TEST_F(SharedLife, L2_its_end_destroys_it_if_no_handle_is_left) {
  EXPECT_TRUE(life.try_start());
  EXPECT_FALSE(drop());
  EXPECT_TRUE(life.end());
}

TEST_F(SharedLife, L3_the_last_handle_of_what_runs_is_recognised_before) {
  life.add_handle();
  EXPECT_TRUE(life.try_start());
  EXPECT_FALSE(drop());
  EXPECT_EQ(abandoned, 0);
  EXPECT_FALSE(drop());
  EXPECT_EQ(abandoned, 1);
  EXPECT_TRUE(life.end());
}

}  // namespace
}  // namespace hotseat::detail
