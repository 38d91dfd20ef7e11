// hotseat/rebound/drive/records.hpp — keys, and values that can be verified.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hotseat::rebound {

/// 16 digits, so that keys sort as numbers do.
class record_key {
 public:
  explicit record_key(std::uint64_t number) noexcept {
    for (std::size_t i = digits_.size(); i-- > 0; number /= 10) {
      digits_[i] = static_cast<char>('0' + number % 10);
    }
  }
  [[nodiscard]] std::string_view text() const noexcept {
    return {digits_.data(), digits_.size()};
  }

 private:
  std::array<char, 16> digits_;
};

/// 100 bytes that follow from the key and a version, which comes first.  Half of them
/// repeat, so that they compress like those of LevelDB's own benchmark.
class record_value {
 public:
  static constexpr std::size_t size = 100;

  record_value(std::uint64_t key, std::uint64_t version) noexcept {
    std::uint64_t state = key * 0x9e3779b97f4a7c15U + version;
    std::memcpy(bytes_.data(), &version, sizeof(version));
    for (std::size_t at = sizeof(version); at < half; at += sizeof(state)) {
      state = (state ^ (state >> 29U)) * 0xbf58476d1ce4e5b9U + key;
      std::memcpy(&bytes_[at], &state, std::min(sizeof(state), half - at));
    }
    std::memcpy(&bytes_[half], bytes_.data(), size - half);
  }

  [[nodiscard]] std::string_view text() const noexcept { return {bytes_.data(), size}; }

 private:
  static constexpr std::size_t half = size / 2;
  std::array<char, size> bytes_;
};

/// Whether `value` was written for this key, in any version.
[[nodiscard]] inline bool is_value_of(std::uint64_t key, std::string_view value) noexcept {
  if (value.size() != record_value::size) return false;
  std::uint64_t version = 0;
  std::memcpy(&version, value.data(), sizeof(version));
  return record_value{key, version}.text() == value;
}

/// REQUIRES: is_value_of.
[[nodiscard]] inline std::uint64_t version_of(std::string_view value) noexcept {
  std::uint64_t version = 0;
  std::memcpy(&version, value.data(), sizeof(version));
  return version;
}

}  // namespace hotseat::rebound
