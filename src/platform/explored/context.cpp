// hotseat/platform/explored/context.cpp — one stack for each thread id.
#include "context.hpp"

#include <array>
#include <cstddef>

#include "../virtual/stack_switch.hpp"

namespace hotseat::platform::explored {

namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10U;

std::array<std::byte*, most_threads> stacks{};
std::array<parked_stack, most_threads + 1> parked;

}  // namespace

void prepare_context(thread_record& thread, void (*entry)() noexcept) {
  std::byte*& lowest = stacks[thread.id];
  if (lowest == nullptr) lowest = allocate_stack(stack_bytes);
  prepare_stack(parked[thread.id], lowest, stack_bytes, entry);
  thread.stack_floor = reinterpret_cast<std::uintptr_t>(lowest) + stack_bytes / 4;
}

void switch_context(const thread_record& from, const thread_record& to) noexcept {
  switch_stacks(parked[from.id], parked[to.id]);
}

}  // namespace hotseat::platform::explored
