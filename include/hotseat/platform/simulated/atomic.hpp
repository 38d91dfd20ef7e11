// hotseat/platform/simulated/atomic.hpp — an atomic whose every access takes its time.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <atomic>
#include <concepts>
#include <type_traits>
#include <utility>

namespace hotseat::platform {

/// The interface of std::atomic, as far as we use it.  Accesses happen one after the other
/// in the order of the threads' clocks, so memory orders make no difference.
template <class T>
class atomic {
  using order = std::memory_order;
  using access = simulated::access;

 public:
  using value_type = T;

  constexpr atomic() noexcept = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as std::atomic.
  constexpr atomic(T value) noexcept : value_{value} {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(order /*how*/ = order::seq_cst) const noexcept {
    simulated::touch(this, access::load);
    return value_;
  }
  void store(T value, order /*how*/ = order::seq_cst) noexcept {
    simulated::touch(this, access::store);
    value_ = value;
  }
  T exchange(T value, order /*how*/ = order::seq_cst) noexcept {
    simulated::touch(this, access::update);
    return std::exchange(value_, value);
  }
  bool compare_exchange_strong(T& expected, T wanted, order /*success*/ = order::seq_cst,
                               order /*failure*/ = order::seq_cst) noexcept {
    simulated::touch(this, access::update);
    if (value_ == expected) {
      value_ = wanted;
      return true;
    }
    expected = value_;
    return false;
  }
  bool compare_exchange_weak(T& expected, T wanted, order success = order::seq_cst,
                             order failure = order::seq_cst) noexcept {
    return compare_exchange_strong(expected, wanted, success, failure);
  }
  T fetch_add(T value, order /*how*/ = order::seq_cst) noexcept
    requires std::integral<T>
  {
    simulated::touch(this, access::update);
    return std::exchange(value_, static_cast<T>(value_ + value));
  }
  T fetch_sub(T value, order /*how*/ = order::seq_cst) noexcept
    requires std::integral<T>
  {
    simulated::touch(this, access::update);
    return std::exchange(value_, static_cast<T>(value_ - value));
  }
  T fetch_or(T value, order /*how*/ = order::seq_cst) noexcept
    requires std::integral<T>
  {
    simulated::touch(this, access::update);
    return std::exchange(value_, static_cast<T>(value_ | value));
  }
  T fetch_and(T value, order /*how*/ = order::seq_cst) noexcept
    requires std::integral<T>
  {
    simulated::touch(this, access::update);
    return std::exchange(value_, static_cast<T>(value_ & value));
  }

  /// Its value, for observers that are not simulated, such as the kernel.
  [[nodiscard]] T newest() const noexcept { return value_; }

 private:
  T value_{};
};

}  // namespace hotseat::platform
