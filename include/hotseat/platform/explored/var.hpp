// hotseat/platform/explored/var.hpp — a plain field that detects races.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace hotseat::platform {

namespace explored {

/// Which threads have read and written a field, and when.
class shadow {
 public:
  constexpr shadow() noexcept {
    if (!std::is_constant_evaluated() && running != nullptr) on_birth();
  }
  constexpr ~shadow() {
    if (std::is_constant_evaluated()) return;
    if (running != nullptr && execution_ == execution_number) on_death();
    // Volatile: else the compiler drops a store to an object that has ended.
    *const_cast<volatile std::uint32_t*>(&life_) = dead;
  }
  shadow(const shadow&) = delete;
  shadow& operator=(const shadow&) = delete;

  void on_read(const char* type) const noexcept {
    if (running != nullptr) check_read(type);
  }
  void on_write(const char* type) noexcept {
    if (running != nullptr) check_write(type);
  }

 private:
  static constexpr std::uint32_t alive = 0x48'6f'74'56;
  static constexpr std::uint32_t dead = 0;

  void on_birth() noexcept;
  void on_death() const noexcept;
  void check_read(const char* type) const noexcept;
  void check_write(const char* type) noexcept;
  void renew(const char* type) const noexcept;

  std::uint32_t life_ = alive;
  mutable std::uint32_t execution_ = 0;
  mutable std::uint32_t writer_ = 0;
  mutable moment written_ = 0;
  mutable vector_clock read_;  // when each thread last read it; 0: never
};

}  // namespace explored

/// Behaves as a T.  Every read and write is checked: two unordered accesses, one of them a
/// write, are a race, whether or not it shows.  Destruction counts as a write.
template <class T>
class var {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  constexpr var() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for a T.
  constexpr var(T value) noexcept : value_{value} {}
  var(const var& other) noexcept : value_{other.get()} {}
  var& operator=(const var& other) noexcept {
    *this = other.get();
    return *this;
  }
  var& operator=(T value) noexcept {
    shadow_.on_write(__PRETTY_FUNCTION__);
    value_ = value;
    return *this;
  }
  ~var() = default;

  // NOLINTNEXTLINE(google-explicit-constructor): it stands for a T.
  operator T() const noexcept { return get(); }
  T operator->() const noexcept
    requires std::is_pointer_v<T>
  {
    return get();
  }

 private:
  T get() const noexcept {
    shadow_.on_read(__PRETTY_FUNCTION__);
    return value_;
  }

  T value_{};
  explored::shadow shadow_;
};

}  // namespace hotseat::platform
