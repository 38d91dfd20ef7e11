// bench/support/random.hpp — a small random generator, splitmix64: one word, 2 ns.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hotseat::bench {

class random_source {
 public:
  /// Streams of one seed are independent of each other.
  random_source(std::uint64_t seed, std::uint64_t stream)
      : state_{mixed(seed + mixed(stream + 1))} {}

  std::uint64_t next() { return mixed(state_ += step); }

  /// In [0, bound).  REQUIRES: bound < 2^32; the bias is below bound / 2^32.
  std::size_t below(std::size_t bound) { return (next() >> 32) * bound >> 32; }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace hotseat::bench
