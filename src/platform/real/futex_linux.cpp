// hotseat/platform/real/futex_linux.cpp — the system calls, and a substitute for them.
#include <hotseat/platform/seam.hpp>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <ctime>

namespace hotseat::platform {

namespace {

timespec to_timespec(clock::time_point time) noexcept {
  const auto since = time.time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since);
  const auto rest = std::chrono::duration_cast<std::chrono::nanoseconds>(since - seconds);
  timespec result{};
  result.tv_sec = static_cast<std::time_t>(seconds.count());
  result.tv_nsec = static_cast<long>(rest.count());
  return result;
}

}  // namespace

// The bitset forms take an absolute deadline on the monotonic clock, which is the steady
// clock.  A seccomp filter sees them as operations of their own.
void futex_wait(atomic<std::uint32_t>& word, std::uint32_t expected,
                const clock::time_point* deadline) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  timespec until{};
  if (deadline != nullptr) until = to_timespec(*deadline);
  const long result =
      syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected,
              deadline != nullptr ? &until : nullptr, nullptr, FUTEX_BITSET_MATCH_ANY);
  if (result == -1 && errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT) {
    // No futex.  Poll: a waiter may lose time, but no wake-up.
    const timespec a_while{.tv_sec = 0, .tv_nsec = 200'000};
    nanosleep(&a_while, nullptr);
  }
}

void futex_wake(atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr,
          FUTEX_BITSET_MATCH_ANY);
}

}  // namespace hotseat::platform
