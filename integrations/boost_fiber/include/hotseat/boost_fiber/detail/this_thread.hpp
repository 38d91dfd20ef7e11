// hotseat/boost_fiber/detail/this_thread.hpp — what we keep for each thread.
#pragma once

#include <hotseat/boost_fiber/detail/boost.hpp>
#include <hotseat/platform/seam.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace hotseat::boost_fiber::detail {

/// How many of our locks the running fiber owns.  A guess, since Boost's switches do not
/// tell us: after another fiber has run here, a fiber starts again at zero.  If the guess
/// is wrong, the section is passed on in a less suitable way, no more.
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

/// The guard that a switch unlocks when the registers are saved.  It belongs to the thread:
/// unlocking writes to the guard last, when the fiber may already run elsewhere and its
/// frame may be gone.
struct place_for_guard {
  alignas(boost_spin_guard) std::array<std::byte, sizeof(boost_spin_guard)> bytes{};
};

// The compilers keep the address of a thread-local variable across a switch, after which
// the fiber may be on another thread.  So only these functions see one, and the assembly
// keeps their results from being reused.

template <class T>
[[gnu::noinline]] T& of_this_thread() noexcept {
  T* place = &platform::per_thread<T>();
  asm volatile("" : "+r"(place) : : "memory");
  return *place;
}

inline seat& this_seat() noexcept { return of_this_thread<seat>(); }

/// Owns `locked`.  The former guard is not needed: its switch has unlocked it.
inline boost_spin_guard& parking_guard(boost_spin_lock& locked) noexcept {
  void* const place = of_this_thread<place_for_guard>().bytes.data();
  return *::new (place) boost_spin_guard{locked, std::adopt_lock};
}

}  // namespace hotseat::boost_fiber::detail
