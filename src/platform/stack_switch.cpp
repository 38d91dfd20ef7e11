// hotseat/platform/stack_switch.cpp — the bare switch of Boost.Context, plus what it does
// not handle: exceptions and sanitizers.
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/stack_switch.hpp>

#include <cxxabi.h>
#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdlib>
#include <cstring>

// As in <sanitizer/common_interface_defs.h>, <sanitizer/asan_interface.h> and
// <sanitizer/tsan_interface.h>, which a clang without its runtimes does not have.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void __sanitizer_start_switch_fiber(void** fake_stack, const void* lowest,
                                    std::size_t bytes);
void __sanitizer_finish_switch_fiber(void* fake_stack, const void** lowest,
                                     std::size_t* bytes);
void __asan_unpoison_memory_region(const volatile void* memory, std::size_t bytes);
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

namespace hotseat::platform {

namespace {

namespace fcontext = boost::context::detail;

// The C++ runtime records the exceptions in flight per system thread.  All of this happens
// before the jump: afterwards we may be on another thread.
void change_exceptions(parked_stack& from, const parked_stack& to) noexcept {
  void* of_thread = from.of_thread != nullptr ? from.of_thread : to.of_thread;
  if (of_thread == nullptr) of_thread = exceptions_of_thread();
  std::memcpy(from.exceptions.data(), of_thread, sizeof(from.exceptions));
  std::memcpy(of_thread, to.exceptions.data(), sizeof(to.exceptions));
}

/// Last thing on this side.  What the jump carries across, `from`, must not lie on a stack
/// that is left for good: AddressSanitizer frees its locals here.
// Inlined in every build: ThreadSanitizer would count the return from it on the other side.
[[gnu::always_inline]] inline void depart(parked_stack& from, parked_stack& to,
                                          void** fake_stack) noexcept {
  change_exceptions(from, to);
  from.left_for = &to;
  if constexpr (config::sanitizes_address) {
    __sanitizer_start_switch_fiber(fake_stack, to.lowest, to.bytes);
  }
  if constexpr (config::sanitizes_thread) {
    from.strand = __tsan_get_current_fiber();
    // Flag 0: the switch orders what comes before and after it, as it really does.
    __tsan_switch_to_fiber(to.strand, 0);
  }
}

/// First thing on the other side.
void arrive(const parked_stack& self, fcontext::transfer_t back) noexcept {
  auto& left = *static_cast<parked_stack*>(back.data);
  left.where = back.fctx;
  if constexpr (config::sanitizes_address) {
    // This is how we learn the stacks of threads.
    __sanitizer_finish_switch_fiber(self.fake_stack, &left.lowest, &left.bytes);
  }
}

void first_steps(fcontext::transfer_t from) {
  const parked_stack& self = *static_cast<parked_stack*>(from.data)->left_for;
  arrive(self, from);
  self.entry(self.argument);
  std::abort();  // It must leave.
}

}  // namespace

void* exceptions_of_thread() noexcept { return abi::__cxa_get_globals(); }

void prepare_stack(parked_stack& stack, std::byte* lowest, std::size_t bytes,
                   void (*entry)(void* argument) noexcept, void* argument) {
  stack = parked_stack{};
  stack.where = fcontext::make_fcontext(lowest + bytes, bytes, &first_steps);
  stack.entry = entry;
  stack.argument = argument;
  stack.lowest = lowest;
  stack.bytes = bytes;
  if constexpr (config::sanitizes_thread) stack.strand = __tsan_create_fiber(0);
}

void switch_stacks(parked_stack& from, parked_stack& to) noexcept {
  depart(from, to, &from.fake_stack);
  arrive(from, fcontext::jump_fcontext(to.where, &from));
}

void leave_stack(parked_stack& from, parked_stack& to) noexcept {
  depart(from, to, nullptr);
  fcontext::jump_fcontext(to.where, &from);
  std::abort();  // Nothing switches back.
}

void forget_stack(parked_stack& stack) noexcept {
  if constexpr (config::sanitizes_thread) {
    if (stack.strand != nullptr) __tsan_destroy_fiber(stack.strand);
    stack.strand = nullptr;
  }
  if constexpr (config::sanitizes_address) {
    // The functions on it ended without returning.
    __asan_unpoison_memory_region(stack.lowest, stack.bytes);
  }
}

}  // namespace hotseat::platform
