// hotseat/boost_fiber/detail/this_thread.hpp — what we keep for each thread, and spinning.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>

#include <boost/fiber/detail/cpu_relax.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace hotseat::boost_fiber::detail {

/// Waits for something that another thread does soon, unless it was preempted: then it
/// needs a CPU, perhaps ours.
class spin_wait {
 public:
  void operator()() noexcept {
    if (++rounds_ < rounds_until_yield) {
      cpu_relax();
    } else {
      std::this_thread::yield();
    }
  }

  /// Whether it yielded so often.
  [[nodiscard]] bool has_yielded(int times) const noexcept {
    return rounds_ >= rounds_until_yield + times;
  }

 private:
  static constexpr int rounds_until_yield = 64;
  int rounds_ = 0;
};

/// Guards the line of a lock or a condition.  Never held across a switch.
class spin_lock {
 public:
  void lock() noexcept {
    // A  acquire  ⟵ R   sees what the last one did to the line
    while (is_taken_.exchange(true, std::memory_order_acquire)) {  // A
      spin_wait wait;
      while (is_taken_.load(std::memory_order_relaxed)) wait();
    }
  }
  void unlock() noexcept { is_taken_.store(false, std::memory_order_release); }  // R

 private:
  std::atomic<bool> is_taken_{false};
};

/// How many of our locks the running fiber owns.  Boost's switches do not tell us, so it is
/// a guess: a fiber that another fiber followed on this thread starts again at zero.  If it
/// is wrong the section is passed on in a less suitable way, no more.
class seat {
 public:
  void enter(const context& self) noexcept { sit(self, owned_by(self) + 1); }

  /// Returns how many are left.
  std::uint32_t leave(const context& self) noexcept {
    const std::uint32_t owned = owned_by(self);
    sit(self, owned == 0 ? 0 : owned - 1);
    return sections_;
  }

  void sit(const context& self, std::uint32_t sections) noexcept {
    fiber_ = &self;
    sections_ = sections;
  }

  [[nodiscard]] std::uint32_t owned_by(const context& self) const noexcept {
    return fiber_ == &self ? sections_ : 0;
  }

 private:
  const context* fiber_ = nullptr;
  std::uint32_t sections_ = 0;
};

// The compilers keep the address of a thread-local variable across a switch, after which
// the fiber may be on another thread.  So nobody but these functions sees one, and the
// assembly keeps their results from being reused.

[[gnu::noinline]] inline seat& this_seat() noexcept {
  static constinit thread_local seat here;
  seat* place = &here;
  asm volatile("" : "+r"(place) : : "memory");
  return *place;
}

/// The guard that a switch unlocks when the registers are saved.  It belongs to the thread:
/// unlocking writes to the guard last, when the fiber may already run elsewhere and its
/// frame may be gone.
[[gnu::noinline]] inline boost_spin_guard& this_parking_guard() noexcept {
  thread_local boost_spin_guard here;
  boost_spin_guard* place = &here;
  asm volatile("" : "+r"(place) : : "memory");
  return *place;
}

}  // namespace hotseat::boost_fiber::detail
