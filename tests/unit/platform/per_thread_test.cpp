// hotseat/tests/unit/platform/per_thread_test.cpp — one instance for each thread and type.
#include <gtest/gtest.h>

#include <hotseat/platform/seam.hpp>
#include <support/threads.hpp>

namespace hotseat {
namespace {

struct counter {
  int value = 5;
};
struct other_counter {
  int value = 5;
};

TEST(PerThread, a_thread_keeps_its_value) {
  platform::per_thread<counter>().value = 17;
  EXPECT_EQ(platform::per_thread<counter>().value, 17);
}

TEST(PerThread, each_thread_starts_with_the_initial_value) {
  platform::per_thread<counter>().value = 17;
  int seen = 0;
  const counter* address = nullptr;
  testing::on_another_thread([&] {
    seen = platform::per_thread<counter>().value;
    address = &platform::per_thread<counter>();
    platform::per_thread<counter>().value = 99;
  });
  EXPECT_EQ(seen, 5);
  EXPECT_NE(address, &platform::per_thread<counter>());
  EXPECT_EQ(platform::per_thread<counter>().value, 17);
}

TEST(PerThread, each_type_has_its_own_instance) {
  platform::per_thread<counter>().value = 1;
  platform::per_thread<other_counter>().value = 2;
  EXPECT_EQ(platform::per_thread<counter>().value, 1);
  EXPECT_EQ(platform::per_thread<other_counter>().value, 2);
}

}  // namespace
}  // namespace hotseat
