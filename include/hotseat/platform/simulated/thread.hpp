// hotseat/platform/simulated/thread.hpp — a virtual thread with a CPU of its own.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>

namespace hotseat::platform {

/// The interface of std::thread, as far as we use it.
class thread {
 public:
  thread() = default;
  template <class F>
  explicit thread(F&& body) : id_{simulated::start_thread(std::forward<F>(body))} {}
  thread(thread&& other) noexcept : id_{std::exchange(other.id_, std::nullopt)} {}
  thread& operator=(thread&& other) noexcept {
    if (joinable()) std::terminate();
    id_ = std::exchange(other.id_, std::nullopt);
    return *this;
  }
  ~thread() {
    if (joinable()) std::terminate();
  }

  [[nodiscard]] bool joinable() const noexcept { return id_.has_value(); }
  void join() noexcept { simulated::join_thread(*std::exchange(id_, std::nullopt)); }

 private:
  std::optional<simulated::thread_id> id_;
};

inline void name_this_thread(const char* name) noexcept { simulated::name_thread(name); }
inline void settle_on(unsigned cpu) noexcept { simulated::settle_on(cpu); }
[[nodiscard]] inline std::uintptr_t stack_floor() noexcept {
  return simulated::stack_floor();
}
[[nodiscard, gnu::always_inline]] inline std::uintptr_t stack_position() noexcept {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}
inline void at_thread_exit(void (*last_words)() noexcept) noexcept {
  simulated::set_last_words(last_words);
}

}  // namespace hotseat::platform
