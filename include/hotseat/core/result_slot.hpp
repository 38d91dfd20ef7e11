// hotseat/core/result_slot.hpp — the result of a task: a value or an exception.
// Layer: core.
#pragma once

#include <hotseat/core/assert.hpp>

#include <cstdint>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

namespace hotseat::detail {

/// Filled once, taken once.  Not a std::variant: every task creates, queries and destroys
/// one, and would pay for a variant's handling of further states.
template <class T>
class result_slot {
  // References are stored as addresses, const values as non-const ones that can be moved
  // out.
  using stored = std::conditional_t<std::is_reference_v<T>, std::add_pointer_t<T>,
                                    std::remove_cv_t<T>>;

 public:
  result_slot() noexcept {}  // NOLINT(modernize-use-equals-default): of a union.
  result_slot(const result_slot&) = delete;
  result_slot& operator=(const result_slot&) = delete;
  ~result_slot() { clear(); }

  template <class U>
  void set_value(U&& value) noexcept(std::is_nothrow_constructible_v<stored, U>) {
    if constexpr (std::is_reference_v<T>) {
      std::construct_at(&as_value, std::addressof(value));
    } else {
      std::construct_at(std::addressof(as_value), std::forward<U>(value));
    }
    holds_ = content::value;
  }
  /// Constructs the value in place.
  template <class... Args>
  void emplace(Args&&... args)
    requires(!std::is_reference_v<T>)
  {
    std::construct_at(std::addressof(as_value), std::forward<Args>(args)...);
    holds_ = content::value;
  }
  /// Replaces a value that was already set.
  void set_exception(std::exception_ptr error) noexcept {
    clear();
    std::construct_at(&as_error, std::move(error));
    holds_ = content::error;
  }

  [[nodiscard]] bool has_exception() const noexcept { return holds_ == content::error; }

  /// The exception, which stays in the slot.  REQUIRES: has_exception().
  [[nodiscard]] std::exception_ptr exception() const noexcept { return as_error; }

  /// A reference to the value, for several readers; or throws the exception, which stays in
  /// the slot.  REQUIRES: it was filled.
  [[nodiscard]] decltype(auto) look() const {
    if (holds_ != content::value) [[unlikely]] {
      require_filled();
      std::rethrow_exception(as_error);
    }
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*as_value);
    } else {
      return static_cast<const T&>(as_value);
    }
  }

  /// The value, moved out; or throws the exception.  REQUIRES: it was filled.
  T take() {
    static_assert(std::is_reference_v<T> || std::is_move_constructible_v<stored>,
                  "a result is moved out of its task: what cannot be moved is returned as "
                  "a reference, or as a std::unique_ptr");
    if (holds_ != content::value) [[unlikely]] {
      fail();
    }
    if constexpr (std::is_reference_v<T>) {
      return static_cast<T>(*as_value);
    } else {
      return std::move(as_value);
    }
  }

 private:
  enum class content : std::uint8_t { nothing, value, error };

  void require_filled() const noexcept {
    require(holds_ == content::error, "result_slot", this, "it was not filled");
  }

  [[noreturn, gnu::noinline]] void fail() {
    require_filled();
    std::rethrow_exception(std::move(as_error));
  }

  void clear() noexcept {
    if (holds_ == content::error) [[unlikely]] {
      std::destroy_at(&as_error);
    } else if constexpr (!std::is_trivially_destructible_v<stored>) {
      if (holds_ == content::value) std::destroy_at(std::addressof(as_value));
    }
    holds_ = content::nothing;
  }

  union {
    stored as_value;
    std::exception_ptr as_error;
  };
  content holds_ = content::nothing;
};

template <>
class result_slot<void> {
 public:
  void set_value() noexcept {}
  void set_exception(std::exception_ptr error) noexcept { error_ = std::move(error); }
  [[nodiscard]] bool has_exception() const noexcept { return error_ != nullptr; }
  [[nodiscard]] std::exception_ptr exception() const noexcept { return error_; }
  void look() const {
    if (error_) std::rethrow_exception(error_);
  }
  void take() {
    if (error_) std::rethrow_exception(std::move(error_));
  }

 private:
  std::exception_ptr error_;
};

}  // namespace hotseat::detail
