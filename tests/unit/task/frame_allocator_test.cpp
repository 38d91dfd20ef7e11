// hotseat/tests/unit/task/frame_allocator_test.cpp — frames are reused.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/task/detail/frame_allocator.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <support/counted_new.hpp>
#include <support/threads.hpp>
#include <vector>

namespace hotseat::detail {
namespace {

/// A cache that is emptied at the end, like a thread's.
class FrameCache : public ::testing::Test {
 protected:
  ~FrameCache() override { cache.release_all(); }
  frame_cache cache;
};

TEST_F(FrameCache, a_frame_that_was_given_back_is_taken_again) {
  void* const first = cache.take(200);
  cache.give_back(first, 200);
  const std::uint64_t before = testing::allocations();
  void* const second = cache.take(200);
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(second, first);
  cache.give_back(second, 200);
}

TEST_F(FrameCache, frames_of_one_size_class_serve_each_other) {
  for (const std::size_t size : {std::size_t{129}, std::size_t{150}, std::size_t{192}}) {
    void* const frame = cache.take(size);
    std::memset(frame, 0x5a, 192);  // All of the class fits, whatever size was asked for.
    cache.give_back(frame, size);
  }
  const std::uint64_t before = testing::allocations();
  void* const frame = cache.take(192);
  EXPECT_EQ(testing::allocations(), before);
  cache.give_back(frame, 192);
}

TEST_F(FrameCache, a_frame_is_not_given_to_a_larger_class) {
  void* const small = cache.take(64);
  cache.give_back(small, 64);
  void* const large = cache.take(65);
  EXPECT_NE(large, small);
  cache.give_back(large, 65);
}

TEST_F(FrameCache, frames_have_the_alignment_of_the_heap) {
  for (std::size_t size = 1; size <= 1100; size += 33) {
    void* const frame = cache.take(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame) % __STDCPP_DEFAULT_NEW_ALIGNMENT__,
              0U);
    cache.give_back(frame, size);
  }
}

TEST_F(FrameCache, a_large_frame_goes_straight_to_the_heap_and_back) {
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t before = testing::allocations();
    void* const frame = cache.take(4096);
    EXPECT_EQ(testing::allocations(), before + 1);
    std::memset(frame, 0x5a, 4096);
    cache.give_back(frame, 4096);
  }
}

TEST_F(FrameCache, lists_do_not_grow_without_end) {
  constexpr std::size_t many = 1000;
  std::vector<void*> frames(many);
  for (void*& frame : frames) frame = cache.take(100);
  for (void* const frame : frames) cache.give_back(frame, 100);
  const std::uint64_t before = testing::allocations();
  for (void*& frame : frames) frame = cache.take(100);
  const std::uint64_t fresh = testing::allocations() - before;
  EXPECT_GT(fresh, 0U) << "some went back to the heap";
  EXPECT_LT(fresh, many) << "some were kept";
  for (void* const frame : frames) cache.give_back(frame, 100);
}

TEST_F(FrameCache, what_is_freed_after_the_end_goes_to_the_heap) {
  void* const frame = cache.take(100);
  cache.release_all();
  cache.give_back(frame, 100);
  const std::uint64_t before = testing::allocations();
  void* const again = cache.take(100);
  EXPECT_EQ(testing::allocations(), before + 1);
  cache.give_back(again, 100);
}

[[gnu::noinline]] task<int> leaf(int n) { co_return n; }

task<std::uint64_t> allocations_of_steady_state(int times) {
  int sum = 0;
  for (int i = 0; i < 10; ++i) sum += co_await leaf(i);
  const std::uint64_t before = testing::allocations();
  for (int i = 0; i < times; ++i) sum += co_await leaf(i);
  const std::uint64_t after = testing::allocations();
  EXPECT_GT(sum, 0);
  co_return after - before;
}

TEST(RecycledFrame, awaiting_task_after_task_allocates_nothing) {
  thread_pool pool{1};
  const std::uint64_t expected = config::recycles_frames ? 0 : 1000;
  EXPECT_EQ(sync_wait(pool, allocations_of_steady_state(1000)), expected);
}

TEST(RecycledAllocator, serves_containers_from_the_same_memory) {
  using numbers = std::vector<int, recycled_allocator<int>>;
  {
    const numbers first(20, 1);
  }
  const std::uint64_t before = testing::allocations();
  const numbers second(20, 2);
  if constexpr (config::recycles_frames) {
    EXPECT_EQ(testing::allocations(), before);
  } else {
    EXPECT_EQ(testing::allocations(), before + 1);
  }
  EXPECT_EQ(second.back(), 2);
}

task<void*> where_it_lives() {
  char local = 0;
  co_await std::suspend_never{};
  void* const address = &local;
  co_return address;
}

// The leak sanitizer finds a leak here, and so does the heap's count.
TEST(RecycledFrame, a_frame_may_be_freed_on_another_thread_than_it_was_made) {
  std::vector<task<void*>> made;
  testing::on_another_thread([&] {
    for (int i = 0; i < 300; ++i) made.push_back(where_it_lives());
  });
  testing::on_another_thread([&] { made.clear(); });
  EXPECT_TRUE(made.empty());
}

}  // namespace
}  // namespace hotseat::detail
