// hotseat/platform/explored/thread.hpp — a virtual thread.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <utility>

namespace hotseat::platform {

/// The interface of std::thread, as far as we use it.  Threads exist only inside an
/// execution.
class thread {
 public:
  thread() = default;
  template <std::invocable F>
  explicit thread(F&& body) : record_{&explored::start_thread(std::forward<F>(body))} {}
  thread(thread&& other) noexcept : record_{std::exchange(other.record_, nullptr)} {}
  thread& operator=(thread&& other) noexcept;
  ~thread();

  [[nodiscard]] bool joinable() const noexcept { return record_ != nullptr; }
  void join() noexcept { explored::join_thread(*std::exchange(record_, nullptr)); }

 private:
  explored::thread_record* record_ = nullptr;
};

void name_this_thread(const char* name) noexcept;
inline void settle_on(unsigned /*cpu*/) noexcept {}

/// A quarter of the stack is left.
[[nodiscard]] inline std::uintptr_t stack_floor() noexcept {
  return explored::running != nullptr ? explored::running->stack_floor : UINTPTR_MAX;
}

[[nodiscard, gnu::always_inline]] inline std::uintptr_t stack_position() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

inline void at_thread_exit(void (*last_words)() noexcept) noexcept {
  if (explored::running != nullptr) explored::running->last_words = last_words;
}

}  // namespace hotseat::platform
