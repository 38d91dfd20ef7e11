// hotseat/platform/explored/atomic.hpp — an atomic whose every access is a decision.
// Layer: platform.  Read next: location.hpp.
#pragma once

#include <hotseat/platform/explored/location.hpp>

#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace hotseat::platform {

/// The interface of std::atomic, as far as we use it.
template <class T>
class atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
  using order = std::memory_order;
  using place = explored::place;
  static constexpr order strongest = order::seq_cst;

 public:
  using value_type = T;

  constexpr atomic() noexcept : atomic{T{}} {}
  // NOLINTNEXTLINE(google-explicit-constructor): as std::atomic.
  constexpr atomic(T value) noexcept : word_{to_word(value)} {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  T load(order how = strongest, place where = place::current()) const noexcept {
    return to_value(word_.load(how, where));
  }
  void store(T value, order how = strongest, place where = place::current()) noexcept {
    word_.store(to_word(value), how, where);
  }
  T exchange(T value, order how = strongest, place where = place::current()) noexcept {
    return update([value](T) { return value; }, how, where);
  }

  bool compare_exchange_strong(T& expected, T wanted, order success, order failure,
                               place where = place::current()) noexcept {
    return compare_exchange(expected, wanted, false, success, failure, where);
  }
  bool compare_exchange_strong(T& expected, T wanted, order how = strongest,
                               place where = place::current()) noexcept {
    return compare_exchange(expected, wanted, false, how, without_release(how), where);
  }
  bool compare_exchange_weak(T& expected, T wanted, order success, order failure,
                             place where = place::current()) noexcept {
    return compare_exchange(expected, wanted, true, success, failure, where);
  }
  bool compare_exchange_weak(T& expected, T wanted, order how = strongest,
                             place where = place::current()) noexcept {
    return compare_exchange(expected, wanted, true, how, without_release(how), where);
  }

  T fetch_add(T value, order how = strongest, place where = place::current()) noexcept
    requires std::integral<T>
  {
    return update([value](T now) { return static_cast<T>(now + value); }, how, where);
  }
  T fetch_sub(T value, order how = strongest, place where = place::current()) noexcept
    requires std::integral<T>
  {
    return update([value](T now) { return static_cast<T>(now - value); }, how, where);
  }
  T fetch_or(T value, order how = strongest, place where = place::current()) noexcept
    requires std::integral<T>
  {
    return update([value](T now) { return static_cast<T>(now | value); }, how, where);
  }
  T fetch_and(T value, order how = strongest, place where = place::current()) noexcept
    requires std::integral<T>
  {
    return update([value](T now) { return static_cast<T>(now & value); }, how, where);
  }

  /// The newest value; a glance outside the model.
  [[nodiscard]] T newest() const noexcept { return to_value(word_.newest_value()); }

 private:
  static constexpr order without_release(order how) noexcept {
    if (how == order::acq_rel) return order::acquire;
    return how == order::release ? order::relaxed : how;
  }

  template <class Change>
  T update(Change change, order how, const place& where) noexcept {
    return to_value(word_.update(
        [&](std::uint64_t now) { return to_word(change(to_value(now))); }, how, where));
  }

  bool compare_exchange(T& expected, T wanted, bool may_fail, order success, order failure,
                        const place& where) noexcept {
    std::uint64_t seen = to_word(expected);
    const bool is_done =
        word_.compare_exchange(seen, to_word(wanted), may_fail, success, failure, where);
    if (!is_done) expected = to_value(seen);
    return is_done;
  }

  static constexpr std::uint64_t to_word(T value) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
      return value ? 1 : 0;
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      return static_cast<std::uint64_t>(value);
    } else {
      // At compile time, only the null pointer has a known number.
      if (std::is_constant_evaluated() && value == T{}) return 0;
      return std::bit_cast<std::uint64_t>(value);
    }
  }
  static constexpr T to_value(std::uint64_t word) noexcept {
    if constexpr (std::is_same_v<T, bool>) {
      return word != 0;
    } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
      return static_cast<T>(word);
    } else {
      return std::bit_cast<T>(word);
    }
  }

  explored::location word_;
};

}  // namespace hotseat::platform
