// hotseat/platform/real/per_thread.hpp — one T for each operating-system thread.
// Layer: platform.
#pragma once

#include <type_traits>

namespace hotseat::platform {

namespace detail {

template <class T>
struct thread_instance {
  static inline constinit thread_local T value{};
};

}  // namespace detail

/// The calling thread's T.  Never keep the reference across a suspension: the task may
/// continue on another thread.
/// REQUIRES: T is constant-initialized and needs no destructor, so that an access is one
/// addition and works even while the thread is going away.
#if defined(__PIC__) && !defined(__PIE__)
// A function on the stack of a fiber may be on another thread after any call, and no
// compiler knows it.  In an executable each access names the segment of the thread.  In a
// shared library the address is asked for, once in each function: so this is one.
template <class T>
[[nodiscard, gnu::noinline]] T& per_thread() noexcept {
  static_assert(std::is_trivially_destructible_v<T>);
  T* found = &detail::thread_instance<T>::value;
  asm volatile("" : "+r"(found));  // Or it would be known to give the same each time.
  return *found;
}
#else
template <class T>
[[nodiscard]] inline T& per_thread() noexcept {
  static_assert(std::is_trivially_destructible_v<T>);
  return detail::thread_instance<T>::value;
}
#endif

}  // namespace hotseat::platform
