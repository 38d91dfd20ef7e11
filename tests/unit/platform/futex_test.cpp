// hotseat/tests/unit/platform/futex_test.cpp — sleeps only while the word says so.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <hotseat/platform/seam.hpp>
#include <thread>

namespace hotseat {
namespace {

using namespace std::chrono_literals;

TEST(Futex, a_word_with_another_value_is_not_slept_on) {
  platform::atomic<std::uint32_t> word{1};
  platform::futex_wait(word, 0, nullptr);
}

TEST(Futex, a_deadline_ends_the_sleep) {
  platform::atomic<std::uint32_t> word{0};
  const auto due = platform::now() + 5ms;
  while (platform::now() < due) platform::futex_wait(word, 0, &due);
  EXPECT_GE(platform::now(), due);
}

TEST(Futex, a_deadline_in_the_past_does_not_sleep) {
  platform::atomic<std::uint32_t> word{0};
  const auto due = platform::now() - 1h;
  platform::futex_wait(word, 0, &due);
}

TEST(Futex, a_wake_up_after_a_change_ends_the_sleep) {
  platform::atomic<std::uint32_t> word{0};
  std::thread sleeper{[&] {
    while (word.load(std::memory_order_acquire) == 0) {
      platform::futex_wait(word, 0, nullptr);
    }
  }};
  word.store(1, std::memory_order_release);
  platform::futex_wake(word);
  sleeper.join();
}

TEST(Futex, a_wake_up_without_a_sleeper_does_nothing) {
  platform::atomic<std::uint32_t> word{0};
  platform::futex_wake(word);
}

}  // namespace
}  // namespace hotseat
