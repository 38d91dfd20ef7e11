// hotseat/rebound/observed_lock.hpp — a lock that notes how long its heirs waited for a
// worker.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/histogram.hpp>

#include <cstdint>

namespace hotseat::rebound {

/// What happened in all sections of all observed locks, in ticks of the processor.
struct observations {
  std::uint64_t locks = 0;   ///< Calls of `lock`.
  std::uint64_t waited = 0;  ///< Those that did not find it free.
  histogram delay;           ///< From `unlock` to where the heir's `lock` returns.
  histogram section;         ///< From there to `unlock`.

  void add(const observations& other) noexcept {
    locks += other.locks;
    waited += other.waited;
    delay.add(other.delay);
    section.add(other.section);
  }
};

/// Those of the calling thread; never keep the reference across a suspension.
[[nodiscard]] observations& observed_here() noexcept;

/// The sum over all threads.  REQUIRES: nobody uses an observed lock.
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

  /// For a condition: calls `wait(lock)`, which gives the lock away and takes it back.
  void wait_in(const auto& wait) noexcept {
    leave();
    wait(lock_);
    since_ = platform::ticks();  // A new section, but nobody has called `lock`.
  }

 private:
  // Not inlined: they ask the thread, and it may be another one each time.
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
  std::uint64_t since_ = 0;  // The owner entered; or somebody has just unlocked.
};

}  // namespace hotseat::rebound
