// hotseat/platform/explored/pages.cpp — frames that must not be touched once freed.
#include <hotseat/platform/explored/machine.hpp>
#include <hotseat/platform/memory.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace hotseat::platform {

namespace {

constexpr std::align_val_t page{4096};
constexpr auto garbage = std::byte{0xDD};
constexpr std::size_t step_bytes = 64;
constexpr std::size_t largest = 4096;

struct frame {
  std::byte* memory;
  std::size_t bytes;
};

struct frames {
  std::size_t alive = 0;
  std::vector<frame> freed;  // in this execution
  std::array<std::vector<std::byte*>, largest / step_bytes + 1> again;
};

frames& all() {
  static frames one;
  return one;
}

std::size_t rounded(std::size_t bytes) noexcept {
  return (bytes + step_bytes - 1) / step_bytes * step_bytes;
}

}  // namespace

void free_pages::operator()(std::byte* memory) const noexcept {
  ::operator delete(memory, page);
}

pages allocate_pages(std::size_t bytes) {
  auto* const memory = static_cast<std::byte*>(::operator new(bytes, page));
  std::memset(memory, 0, bytes);
  return pages{memory, free_pages{bytes}};
}

void* allocate_frame(std::size_t bytes) {
  ++all().alive;
  const std::size_t size = rounded(bytes);
  if (size <= largest) {
    auto& list = all().again[size / step_bytes];
    if (!list.empty()) {
      std::byte* const memory = list.back();
      list.pop_back();
      return memory;
    }
  }
  return ::operator new(size);
}

void free_frame(void* memory, std::size_t bytes) noexcept {
  --all().alive;
  if (explored::running == nullptr) return ::operator delete(memory);
  std::memset(memory, static_cast<int>(garbage), bytes);
  all().freed.push_back({static_cast<std::byte*>(memory), bytes});
}

std::size_t explored::forget_frames() noexcept {
  for (const frame& each : all().freed) {
    const std::size_t size = rounded(each.bytes);
    if (size <= largest) {
      all().again[size / step_bytes].push_back(each.memory);
    } else {
      ::operator delete(each.memory);
    }
  }
  all().freed.clear();
  return std::exchange(all().alive, 0);
}

bool explored::has_untouched_frames() noexcept {
  return std::all_of(all().freed.begin(), all().freed.end(), [](const frame& each) {
    // Each byte equals the one before it, and the first is garbage.
    return each.bytes == 0 ||
           (*each.memory == garbage &&
            std::memcmp(each.memory, each.memory + 1, each.bytes - 1) == 0);
  });
}

}  // namespace hotseat::platform
