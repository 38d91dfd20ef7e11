// examples/kv_server/words.hpp — what several commands do with their arguments.
#pragma once

#include "commands.hpp"
#include "numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace kv {

[[nodiscard]] inline char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether the text is that word, which is in lower case.
[[nodiscard]] inline bool is_word(std::string_view text, std::string_view word) noexcept {
  return std::ranges::equal(text, word, {}, lower_case);
}

/// Places of a list, from 0.
struct slice {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// Both ends included; -1 is the last place.
[[nodiscard]] inline slice slice_of(std::int64_t first, std::int64_t last,
                                    std::size_t size) noexcept {
  const auto total = static_cast<std::int64_t>(size);
  if (first < 0) first = std::max<std::int64_t>(first + total, 0);
  last = last < 0 ? last + total : std::min(last, total - 1);
  if (first > last) return {};
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)};
}

/// The optional count of LPOP and its like; empty, and an error is replied, if it is none.
[[nodiscard]] inline std::optional<std::size_t> count_of(std::string_view text,
                                                         reply& out) {
  const std::optional<std::int64_t> count = to_integer(text);
  if (!count || *count < 0) {
    out.error("ERR value is out of range, must be positive");
    return std::nullopt;
  }
  return static_cast<std::size_t>(*count);
}

/// In so many units from now; empty if no clock goes that far.
[[nodiscard]] inline std::optional<milliseconds> time_after(milliseconds now,
                                                            std::int64_t amount,
                                                            milliseconds unit) noexcept {
  constexpr milliseconds least = std::numeric_limits<milliseconds>::min();
  constexpr milliseconds most = store::never - 1;
  if (amount > (most - now) / unit || amount < least / unit) return std::nullopt;
  return now + amount * unit;
}

}  // namespace kv
