// hotseat/platform/simulated/heap.cpp — lists of blocks by size, newest first.
#include "heap.hpp"

#include <hotseat/platform/simulated/machine.hpp>

#include <sys/mman.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace hotseat::platform::simulated {

namespace {

constexpr std::size_t heap_bytes = std::size_t{1} << 36U;  // of addresses
constexpr std::size_t page = 4096;
constexpr std::size_t head_bytes = 16;  // before each block
constexpr std::size_t largest_small = 1024;
constexpr std::size_t kinds = largest_small / 16 + 64;

struct free_block {
  free_block* next;
};
struct head {
  std::size_t kind;
};
static_assert(sizeof(head) <= head_bytes);

std::byte* heap_begin = nullptr;
std::byte* heap_end = nullptr;
std::byte* generation = nullptr;  // where the current simulation started
std::byte* unused = nullptr;
std::size_t alive = 0;
std::array<free_block*, kinds> lists{};

bool is_ours(const void* memory) noexcept {
  const auto* const at = static_cast<const std::byte*>(memory);
  return heap_begin != nullptr && at >= heap_begin && at < heap_end;
}

std::byte* aligned(std::byte* at, std::size_t alignment) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  return at + ((address + alignment - 1) / alignment * alignment - address);
}

std::size_t kind_of(std::size_t bytes) noexcept {
  if (bytes <= largest_small) return (bytes + 15) / 16;
  return largest_small / 16 + static_cast<std::size_t>(std::bit_width(bytes - 1));
}

std::size_t bytes_of(std::size_t kind) noexcept {
  if (kind <= largest_small / 16) return kind * 16;
  return std::size_t{1} << (kind - largest_small / 16);
}

/// Returns null if no memory is left.
void* take(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t kind = kind_of(std::max<std::size_t>(bytes, 1));
  free_block** place = &lists[kind];
  // Few requests need more alignment than every block has.
  while (*place != nullptr && reinterpret_cast<std::uintptr_t>(*place) % alignment != 0) {
    place = &(*place)->next;
  }
  if (free_block* const again = *place) {
    *place = again->next;
    ++alive;
    return again;
  }
  std::byte* const block =
      aligned(unused + head_bytes, std::max<std::size_t>(alignment, 16));
  if (bytes_of(kind) > static_cast<std::size_t>(heap_end - block)) return nullptr;
  unused = block + bytes_of(kind);
  ::new (block - head_bytes) head{kind};
  ++alive;
  return block;
}

void give_back(void* memory) noexcept {
  --alive;
  if (static_cast<std::byte*>(memory) < generation) return;
  const std::size_t kind =
      std::launder(reinterpret_cast<head*>(static_cast<std::byte*>(memory) - head_bytes))
          ->kind;
  lists[kind] = ::new (memory) free_block{lists[kind]};
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  void* memory = nullptr;
  if (is_running() && heap_begin != nullptr) memory = take(bytes, alignment);
  if (memory == nullptr) {
    const std::size_t whole =
        (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    memory = alignment <= alignof(std::max_align_t) ? std::malloc(whole)
                                                    : std::aligned_alloc(alignment, whole);
  }
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

void release(void* memory) noexcept {
  if (is_ours(memory)) return give_back(memory);
  std::free(memory);
}

}  // namespace

void begin_heap() noexcept {
  if (heap_begin == nullptr) {
    void* const memory = mmap(nullptr, heap_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;  // Then runs are less repeatable.
    heap_begin = generation = unused = static_cast<std::byte*>(memory);
    heap_end = heap_begin + heap_bytes;
  }
  lists = {};
  unused = generation = alive == 0 ? heap_begin : aligned(unused, page);
}

}  // namespace hotseat::platform::simulated

// The replaceable functions; the other forms call these.
void* operator new(std::size_t bytes) {
  return hotseat::platform::simulated::allocate(bytes, 16);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return hotseat::platform::simulated::allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  hotseat::platform::simulated::release(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  hotseat::platform::simulated::release(memory);
}
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  hotseat::platform::simulated::release(memory);
}
void operator delete(void* memory, std::size_t /*bytes*/,
                     std::align_val_t /*alignment*/) noexcept {
  hotseat::platform::simulated::release(memory);
}
