// hotseat/tests/unit/platform/pages_test.cpp — zeroed, aligned, writable, and given back.
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <hotseat/platform/memory.hpp>
#include <limits>
#include <new>
#include <utility>

namespace hotseat {
namespace {

constexpr std::size_t map_size = 100'000;

const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));

bool is_mapped(void* address) {
  unsigned char resident = 0;
  return mincore(address, 1, &resident) == 0;
}

TEST(Pages, are_zeroed_and_start_at_a_page) {
  const platform::pages memory = platform::allocate_pages(map_size);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.get()) % page, 0U);
  EXPECT_TRUE(std::all_of(memory.get(), memory.get() + map_size,
                          [](std::byte b) { return b == std::byte{0}; }));
}

TEST(Pages, have_not_been_touched) {
  const platform::pages memory = platform::allocate_pages(map_size);
  unsigned char resident = 0xff;
  ASSERT_EQ(mincore(memory.get(), 1, &resident), 0);
  EXPECT_EQ(resident & 1, 0);
}

TEST(Pages, can_be_written_to_the_last_byte) {
  const platform::pages memory = platform::allocate_pages(map_size);
  memory[0] = std::byte{1};
  memory[map_size - 1] = std::byte{2};
  EXPECT_EQ(memory[map_size - 1], std::byte{2});
}

TEST(Pages, go_back_to_the_kernel_with_their_owner) {
  platform::pages memory = platform::allocate_pages(map_size);
  void* const address = memory.get();
  platform::pages owner = std::move(memory);
  EXPECT_TRUE(is_mapped(address));
  owner.reset();
  EXPECT_FALSE(is_mapped(address));
}

TEST(Pages, too_many_throw_bad_alloc) {
  const std::size_t impossible = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW((void)platform::allocate_pages(impossible), std::bad_alloc);
}

}  // namespace
}  // namespace hotseat
