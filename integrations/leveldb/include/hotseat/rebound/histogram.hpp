// hotseat/rebound/histogram.hpp — how often each length occurred, to within 1/16.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace hotseat::rebound {

/// Counts are exact, lengths to one part in 16: each power of two has 16 buckets.
class histogram {
 public:
  void add(std::uint64_t length) noexcept {
    ++counts_[bucket_of(length)];
    ++total_;
  }

  void add(const histogram& other) noexcept {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    total_ += other.total_;
  }

  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// The length that the given share of all does not exceed, rounded up; 0 if empty.
  [[nodiscard]] std::uint64_t quantile(double share) const noexcept {
    const double wanted = share * static_cast<double>(total_);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      seen += counts_[i];
      if (seen > 0 && static_cast<double>(seen) >= wanted) return greatest_in(i);
    }
    return 0;
  }

 private:
  static constexpr unsigned fine_bits = 4;
  static constexpr std::uint64_t fine = std::uint64_t{1} << fine_bits;

  static std::size_t bucket_of(std::uint64_t length) noexcept {
    if (length < fine) return length;
    const auto shift = static_cast<unsigned>(std::bit_width(length)) - fine_bits - 1;
    return (shift + 1) * fine + ((length >> shift) - fine);
  }

  static std::uint64_t greatest_in(std::size_t bucket) noexcept {
    if (bucket < fine) return bucket;
    const std::uint64_t shift = bucket / fine - 1;
    return ((bucket % fine + fine + 1) << shift) - 1;
  }

  std::array<std::uint64_t, (64 - fine_bits + 1) * fine> counts_{};
  std::uint64_t total_ = 0;
};

}  // namespace hotseat::rebound
