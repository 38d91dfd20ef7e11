// hotseat/platform/parker.cpp — parking: the same steps on every machine.
#include <hotseat/platform/parker.hpp>

namespace hotseat::platform {

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
    futex_wait(word_, asleep, nullptr);
    std::uint32_t seen = token;
    if (word_.compare_exchange_strong(seen, empty, std::memory_order_acquire,  // P
                                      std::memory_order_relaxed)) {
      return;
    }
  }
}

bool parker::park_until(clock::time_point deadline) noexcept {
  if (take_token_or_lie_down()) return true;
  while (now() < deadline) {
    futex_wait(word_, asleep, &deadline);
    std::uint32_t seen = token;
    if (word_.compare_exchange_strong(seen, empty, std::memory_order_acquire,  // P
                                      std::memory_order_relaxed)) {
      return true;
    }
  }
  return word_.exchange(empty, std::memory_order_acquire) == token;  // P
}

void parker::unpark() noexcept {
  if (word_.exchange(token, std::memory_order_release) == asleep) futex_wake(word_);  // U
}

}  // namespace hotseat::platform
