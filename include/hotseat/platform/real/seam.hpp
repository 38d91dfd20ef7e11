// hotseat/platform/real/seam.hpp — the real machine: std::atomic, the kernel and the clock.
// Layer: platform.
#pragma once

#include <hotseat/platform/config.hpp>

#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stop_token>
#include <thread>
#include <type_traits>

namespace hotseat::platform {

template <class T>
using atomic = std::atomic<T>;

template <class T>
using var = T;

template <class F>
using stop_callback = std::stop_callback<F>;

inline void relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

inline void relax(unsigned times) noexcept {
  for (unsigned i = 0; i < times; ++i) relax();
}

/// Yields this core to another thread, if one wants it.
inline void yield_core() noexcept { sched_yield(); }

/// Asks for the line at `address` to be in this core's cache soon.
inline void prefetch(const void* address) noexcept { __builtin_prefetch(address, 1, 3); }

using clock = std::chrono::steady_clock;

[[nodiscard]] inline clock::time_point now() noexcept { return clock::now(); }

/// A counter that takes some ten cycles to read and counts `ticks_per_microsecond`.  For
/// heuristics only: it may differ between cores by a few ticks.
[[nodiscard]] inline std::uint64_t ticks() noexcept {
#if HOTSEAT_HAS_TSC
  return __builtin_ia32_rdtsc();
#else
  return static_cast<std::uint64_t>(clock::now().time_since_epoch().count());
#endif
}

/// Measured once, at the first call.
[[nodiscard]] double ticks_per_microsecond() noexcept;

namespace detail {
/// Whether the kernel allows membarrier; determined once, before main.
extern const bool has_membarrier;
}  // namespace detail

/// The two sides of Dekker's argument, for a word `flag` on which the rare side has just
/// done a read-modify-write:
///
///     often:   store data;  load_after_stores(flag)
///     rarely:  flag.fetch_add(...);  heavy_fence();  load data
///
/// At least one of them sees the other; the load acquires what the flag's writer released.
/// With membarrier the frequent side pays a compiler barrier; without it, a
/// read-modify-write on `flag`: then both sides meet in the modification order of one word,
/// which needs no fence.
template <class T>
[[nodiscard]] inline T load_after_stores(atomic<T>& flag) noexcept {
  if constexpr (config::asymmetric_fences) {
    if (detail::has_membarrier) [[likely]] {
      asm volatile("" ::: "memory");
      return flag.load(std::memory_order_acquire);
    }
  }
  return flag.fetch_add(T{0}, std::memory_order_acq_rel);
}

/// Keeps the compiler from reading before a test what only one outcome allows to be read.
/// clang reads members of `*this` early, even after the atomic operation that may have
/// ended the object's life.
inline void read_only_now() noexcept { asm volatile("" ::: "memory"); }

/// The rare side; see `load_after_stores`.  Costs a system call.
void heavy_fence() noexcept;

/// Sleeps if `word` is `expected`, until woken or until `deadline`.  May return spuriously.
/// Where the kernel refuses futexes, this is a short sleep: a caller in a loop loses time,
/// but no wake-up.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                const clock::time_point* deadline) noexcept;

/// Wakes one thread that sleeps on `word`.  Uses only its address: the word may be gone.
void futex_wake(atomic<std::uint32_t>& word) noexcept;

namespace detail {

template <class T>
struct thread_instance {
  static inline constinit thread_local T value{};
};

}  // namespace detail

/// The calling thread's T.  Never keep the reference across a suspension: the task may
/// continue on another thread.  REQUIRES: T is constant-initialized and needs no
/// destructor, so that an access is one addition and works even while the thread exits.
#if defined(__PIC__) && !defined(__PIE__)
// A function on a fiber's stack may be on another thread after any call, which no compiler
// knows.  In an executable, each access goes through the thread's segment register.  In a
// shared library, a function looks the address up only once: hence this function.
template <class T>
[[nodiscard, gnu::noinline]] T& per_thread() noexcept {
  static_assert(std::is_trivially_destructible_v<T>);
  T* found = &detail::thread_instance<T>::value;
  asm volatile("" : "+r"(found));  // Else the result counts as constant.
  return *found;
}
#else
template <class T>
[[nodiscard]] inline T& per_thread() noexcept {
  static_assert(std::is_trivially_destructible_v<T>);
  return detail::thread_instance<T>::value;
}
#endif

/// The constructor throws std::system_error when the system is out of threads.
using thread = std::thread;

/// Shows `name` (up to 15 characters) in debuggers and in top.
void name_this_thread(const char* name) noexcept;

/// For machines without an operating system: moves the calling thread to a CPU.
inline void settle_on(unsigned /*cpu*/) noexcept {}

/// The address that the calling thread's stack should not grow below: a quarter of the
/// stack stays for what the program itself needs.
[[nodiscard]] std::uintptr_t stack_floor() noexcept;

/// How far down the calling thread's stack is now.
[[nodiscard, gnu::always_inline]] inline std::uintptr_t stack_position() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// Calls `last_words` when the calling thread ends; once for each thread, however often it
/// is set.  The whole program may use only one function.
void at_thread_exit(void (*last_words)() noexcept) noexcept;

/// A worker is about to resume the task with this frame.
inline void on_resume(const void* /*frame*/) noexcept {}

/// From here to the end of the scope the calling worker has nothing to do.
class searching_scope {
 public:
  searching_scope() noexcept {}  // NOLINT(modernize-use-equals-default): not unused.
};

}  // namespace hotseat::platform
