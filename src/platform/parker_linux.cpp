// hotseat/platform/parker_linux.cpp — parking on a futex.
#include <hotseat/platform/parker.hpp>

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

// The bitset forms take an absolute deadline on the monotonic clock, which is the steady
// clock, and are operations of their own to a seccomp filter.
void sleep_while(atomic<std::uint32_t>& word, std::uint32_t expected,
                 const timespec* deadline) noexcept {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  const long result = syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
                              expected, deadline, nullptr, FUTEX_BITSET_MATCH_ANY);
  if (result == -1 && errno != EAGAIN && errno != EINTR && errno != ETIMEDOUT) {
    // No futex for us.  Poll: a waiter may lose time, but no wake-up.
    const timespec a_while{.tv_sec = 0, .tv_nsec = 200'000};
    nanosleep(&a_while, nullptr);
  }
}

}  // namespace

bool parker::take_token_or_lie_down() noexcept {
  std::uint32_t seen = token;
  if (word_.compare_exchange_strong(seen, empty, std::memory_order_acquire,  // P
                                    std::memory_order_relaxed)) {
    return true;
  }
  seen = empty;
  if (word_.compare_exchange_strong(seen, asleep, std::memory_order_relaxed)) return false;
  word_.exchange(empty, std::memory_order_acquire);  // P
  return true;
}

void parker::park() noexcept {
  if (take_token_or_lie_down()) return;
  for (;;) {
    sleep_while(word_, asleep, nullptr);
    std::uint32_t seen = token;
    if (word_.compare_exchange_strong(seen, empty, std::memory_order_acquire,  // P
                                      std::memory_order_relaxed)) {
      return;
    }
  }
}

bool parker::park_until(clock::time_point deadline) noexcept {
  if (take_token_or_lie_down()) return true;
  const timespec until = to_timespec(deadline);
  while (now() < deadline) {
    sleep_while(word_, asleep, &until);
    std::uint32_t seen = token;
    if (word_.compare_exchange_strong(seen, empty, std::memory_order_acquire,  // P
                                      std::memory_order_relaxed)) {
      return true;
    }
  }
  return word_.exchange(empty, std::memory_order_acquire) == token;  // P
}

void parker::unpark() noexcept {
  if (word_.exchange(token, std::memory_order_release) == asleep) {  // U
    syscall(SYS_futex, &word_, FUTEX_WAKE_BITSET | FUTEX_PRIVATE_FLAG, 1, nullptr, nullptr,
            FUTEX_BITSET_MATCH_ANY);
  }
}

}  // namespace hotseat::platform
