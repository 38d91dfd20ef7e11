// hotseat/platform/explored/context.cpp — stacks from mmap, switches from Boost.Context.
#include "context.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstring>
#include <new>

namespace hotseat::platform::explored {

namespace {

namespace fcontext = boost::context::detail;

constexpr std::size_t stack_bytes = std::size_t{256} << 10U;
constexpr std::size_t guard_bytes = 4096;

std::array<std::byte*, most_threads> stacks{};

thread_record* left_behind = nullptr;  // whoever has just switched
void (*entry_point)() noexcept = nullptr;

std::byte* stack_of(unsigned id) {
  if (stacks[id] != nullptr) return stacks[id];
  void* const memory = mmap(nullptr, stack_bytes + guard_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc{};
  mprotect(memory, guard_bytes, PROT_NONE);
  return stacks[id] = static_cast<std::byte*>(memory);
}

// The language keeps for each thread of the system which exceptions are in flight.
void save_exceptions(thread_record& thread) noexcept {
  std::memcpy(thread.exceptions.data(), abi::__cxa_get_globals(),
              sizeof(thread.exceptions));
}
void restore_exceptions(const thread_record& thread) noexcept {
  std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), thread.exceptions.data(),
              sizeof(thread.exceptions));
}

void first_steps(fcontext::transfer_t from) {
  left_behind->context = from.fctx;
  entry_point();
}

}  // namespace

void prepare_context(thread_record& thread, void (*entry)() noexcept) {
  std::byte* const lowest = stack_of(thread.id) + guard_bytes;
  thread.context = fcontext::make_fcontext(lowest + stack_bytes, stack_bytes, &first_steps);
  thread.stack_floor = reinterpret_cast<std::uintptr_t>(lowest) + stack_bytes / 4;
  thread.exceptions = {};
  entry_point = entry;
}

void switch_context(thread_record& from, thread_record& to) noexcept {
  save_exceptions(from);
  restore_exceptions(to);
  left_behind = &from;
  const fcontext::transfer_t back = fcontext::jump_fcontext(to.context, nullptr);
  left_behind->context = back.fctx;
}

}  // namespace hotseat::platform::explored
