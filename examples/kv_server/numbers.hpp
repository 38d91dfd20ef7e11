// examples/kv_server/numbers.hpp — numbers as Redis reads and writes them.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string_view>

namespace kv {

/// Strict: no blanks, no '+', no leading zeros, so that each number has one text.
[[nodiscard]] inline std::optional<std::int64_t> to_integer(
    std::string_view text) noexcept {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  if (digits.starts_with('0') && text != "0") return std::nullopt;
  std::int64_t value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last) return std::nullopt;
  return value;
}

/// The score of a sorted set's member: any number, or infinite.
[[nodiscard]] inline std::optional<double> to_score(std::string_view text) noexcept {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error != std::errc{} || end != last || std::isnan(value)) return std::nullopt;
  return value;
}

/// The text of a number, in place.
class number_text {
 public:
  explicit number_text(std::int64_t value) noexcept {
    size_ = static_cast<std::size_t>(
        std::to_chars(text_.data(), text_.data() + text_.size(), value).ptr - text_.data());
  }
  explicit number_text(std::size_t value) noexcept
      : number_text{static_cast<std::int64_t>(value)} {}
  explicit number_text(double value) noexcept {
    // Whole scores are the rule, and printf takes its time.
    constexpr double exact = 1e15;
    if (value > -exact && value < exact && value == std::trunc(value) && value != 0) {
      *this = number_text{static_cast<std::int64_t>(value)};
    } else {
      const int count = std::snprintf(text_.data(), text_.size(), "%.17g", value);
      size_ = static_cast<std::size_t>(count);
    }
  }
  [[nodiscard]] std::string_view view() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, 32> text_;
  std::size_t size_ = 0;
};

}  // namespace kv
