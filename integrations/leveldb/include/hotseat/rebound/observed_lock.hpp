// hotseat/rebound/observed_lock.hpp — a lock that notes its heirs' queuing delays.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/histogram.hpp>

#include <cstdint>

namespace hotseat::rebound {

/// What happened in all sections of all observed locks, in processor ticks.
struct observations {
  std::uint64_t locks = 0;   ///< Calls of `lock`.
  std::uint64_t waited = 0;  ///< Calls that did not find it free.
  histogram delay;           ///< From `unlock` until the heir's `lock` returns.
  histogram section;         ///< From then until `unlock`.

  void add(const observations& other) noexcept {
    locks += other.locks;
    waited += other.waited;
    delay.add(other.delay);
    section.add(other.section);
  }
};

/// The calling thread's observations.  Never keep the reference across a suspension.
[[nodiscard]] observations& observed_here() noexcept;

/// The sum over all threads.  REQUIRES: no thread uses an observed lock.
[[nodiscard]] observations observed_everywhere();

/// `Lock` and the time of its last change of owners, in the bytes of a std::mutex.
template <class Lock>
class observed_lock {
 public:
  void lock() noexcept {
    const bool has_waited = !lock_.try_lock();
    if (has_waited) lock_.lock();
    enter(has_waited);
  }

  void unlock() noexcept {
    leave();
    lock_.unlock();
  }

  /// For a condition: calls `wait(lock)`, which releases the lock and acquires it again.
  void wait_in(const auto& wait) noexcept {
    leave();
    wait(lock_);
    since_ = platform::ticks();  // A new section, but without a call of `lock`.
  }

 private:
  // Not inlined: they ask the thread, which may be another one each time.
  [[gnu::noinline]] void enter(bool has_waited) noexcept {
    const std::uint64_t now = platform::ticks();
    observations& here = observed_here();
    ++here.locks;
    if (has_waited) {
      ++here.waited;
      here.delay.add(now > since_ ? now - since_ : 0);
    }
    since_ = now;
  }
  [[gnu::noinline]] void leave() noexcept {
    const std::uint64_t now = platform::ticks();
    observed_here().section.add(now > since_ ? now - since_ : 0);
    since_ = now;
  }

  Lock lock_;
  std::uint64_t since_ = 0;  // When the owner entered, or the last one unlocked.
};

}  // namespace hotseat::rebound
