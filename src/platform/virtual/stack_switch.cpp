// hotseat/platform/virtual/stack_switch.cpp — memory from mmap.
#include "stack_switch.hpp"

#include <sys/mman.h>
#include <new>

namespace hotseat::platform {

namespace {

constexpr std::size_t guard_bytes = 4096;

}  // namespace

std::byte* allocate_stack(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes + guard_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  mprotect(memory, guard_bytes, PROT_NONE);
  return static_cast<std::byte*>(memory) + guard_bytes;
}

void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)() noexcept) {
  const auto call = [](void* what) noexcept { reinterpret_cast<void (*)()>(what)(); };
  prepare_stack(stack, lowest, bytes, call, reinterpret_cast<void*>(entry));
}

}  // namespace hotseat::platform
