// hotseat/core/result_slot.hpp — what work leaves behind: a value or an exception.
// Layer: core.
#pragma once

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace hotseat::detail {

/// Filled once, taken once.
template <class T>
class result_slot {
  // A reference is kept as the address of what it refers to.
  using stored = std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>, T>;

 public:
  template <class U>
  void set_value(U&& value) noexcept(std::is_nothrow_constructible_v<stored, U>) {
    if constexpr (std::is_reference_v<T>) {
      outcome_.template emplace<1>(std::addressof(value));
    } else {
      outcome_.template emplace<1>(std::forward<U>(value));
    }
  }
  void set_exception(std::exception_ptr error) noexcept {
    outcome_.template emplace<2>(std::move(error));
  }

  [[nodiscard]] bool has_exception() const noexcept { return outcome_.index() == 2; }

  /// The value, moved out; or throws the exception.
  T take() {
    if (auto* const error = std::get_if<2>(&outcome_)) {
      std::rethrow_exception(std::move(*error));
    }
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*std::get<1>(outcome_));
    } else {
      return std::get<1>(std::move(outcome_));
    }
  }

 private:
  std::variant<std::monostate, stored, std::exception_ptr> outcome_;
};

template <>
class result_slot<void> {
 public:
  void set_value() noexcept {}
  void set_exception(std::exception_ptr error) noexcept { error_ = std::move(error); }
  [[nodiscard]] bool has_exception() const noexcept { return error_ != nullptr; }
  void take() {
    if (error_) std::rethrow_exception(std::move(error_));
  }

 private:
  std::exception_ptr error_;
};

}  // namespace hotseat::detail
