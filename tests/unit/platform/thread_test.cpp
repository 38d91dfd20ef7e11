// hotseat/tests/unit/platform/thread_test.cpp — names of threads, and what they run at
// their end.
#include <gtest/gtest.h>

#include <pthread.h>
#include <array>
#include <cstdint>
#include <hotseat/platform/seam.hpp>
#include <string>

namespace hotseat {
namespace {

std::string name_after(const char* wanted) {
  std::array<char, 64> name{};
  platform::thread{[&] {
    platform::name_this_thread(wanted);
    pthread_getname_np(pthread_self(), name.data(), name.size());
  }}.join();
  return name.data();
}

TEST(Thread, shows_the_name_it_was_given) {
  EXPECT_EQ(name_after("hotseat-12"), "hotseat-12");
}

TEST(Thread, a_name_that_is_too_long_is_not_an_error) {
  const std::string shown = name_after("a name of more than fifteen characters");
  EXPECT_LE(shown.size(), 15U);
}

TEST(Thread, the_floor_of_the_stack_is_below_with_room_on_both_sides) {
  platform::thread{[] {
    const std::uintptr_t floor = platform::stack_floor();
    const std::uintptr_t position = platform::stack_position();
    EXPECT_LT(floor, position);
    EXPECT_GT(position - floor, 10'000U);
  }}.join();
}

TEST(Thread, the_stack_goes_down_when_a_function_is_called) {
  struct deeper {
    [[gnu::noinline]] static std::uintptr_t position() {
      return platform::stack_position();
    }
  };
  EXPECT_LT(deeper::position(), platform::stack_position());
}

// A program may register only one such function, and task frames use theirs; this program
// has no tasks.
platform::atomic<int> last_words{0};
struct mark {
  int value = 0;
};
platform::atomic<int> last_mark{0};

void say_last_words() noexcept {
  last_words.fetch_add(1, std::memory_order_relaxed);
  last_mark.store(platform::per_thread<mark>().value, std::memory_order_relaxed);
}

TEST(Thread, says_its_last_words_once_and_when_it_ends) {
  const int before = last_words.load();
  int while_running = -1;
  platform::thread{[&] {
    platform::at_thread_exit(&say_last_words);
    platform::at_thread_exit(&say_last_words);
    platform::per_thread<mark>().value = 31;
    while_running = last_words.load();
  }}.join();
  EXPECT_EQ(while_running, before);
  EXPECT_EQ(last_words.load(), before + 1);
  EXPECT_EQ(last_mark.load(), 31) << "what belongs to the thread is still there";
}

TEST(Thread, a_thread_that_registers_nothing_says_nothing) {
  const int before = last_words.load();
  platform::thread{[] {}}.join();
  EXPECT_EQ(last_words.load(), before);
}

}  // namespace
}  // namespace hotseat
