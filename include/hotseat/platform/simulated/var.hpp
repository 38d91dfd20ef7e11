// hotseat/platform/simulated/var.hpp — a plain field whose line travels between cores.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <type_traits>

namespace hotseat::platform {

/// Behaves as a T.
template <class T>
class var {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  constexpr var() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): it stands for a T.
  constexpr var(T value) noexcept : value_{value} {}
  var(const var& other) noexcept : value_{other.get()} {}
  var& operator=(const var& other) noexcept { return *this = other.get(); }
  var& operator=(T value) noexcept {
    simulated::touch_private(this, simulated::access::store);
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
    simulated::touch_private(this, simulated::access::load);
    return value_;
  }

  T value_{};
};

}  // namespace hotseat::platform
