// hotseat/platform/virtual/stack_switch.cpp — memory from mmap, switches from
// Boost.Context.
#include "stack_switch.hpp"

#include <cxxabi.h>
#include <sys/mman.h>
#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <new>

namespace hotseat::platform {

namespace {

namespace fcontext = boost::context::detail;

constexpr std::size_t guard_bytes = 4096;

parked_stack* left_behind = nullptr;  // whoever has just switched
void (*entry_point)() noexcept = nullptr;

// The language keeps for each thread of the system which exceptions are in flight.
void save_exceptions(parked_stack& of) noexcept {
  std::memcpy(of.exceptions.data(), abi::__cxa_get_globals(), sizeof(of.exceptions));
}
void restore_exceptions(const parked_stack& of) noexcept {
  std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), of.exceptions.data(),
              sizeof(of.exceptions));
}

void first_steps(fcontext::transfer_t from) {
  left_behind->where = from.fctx;
  entry_point();
}

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
  stack.where = fcontext::make_fcontext(lowest + bytes, bytes, &first_steps);
  stack.exceptions = {};
  entry_point = entry;
}

void switch_stacks(parked_stack& from, parked_stack& to) noexcept {
  save_exceptions(from);
  restore_exceptions(to);
  left_behind = &from;
  const fcontext::transfer_t back = fcontext::jump_fcontext(to.where, nullptr);
  left_behind->where = back.fctx;
}

}  // namespace hotseat::platform
