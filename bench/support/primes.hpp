// bench/support/primes.hpp — the paper's work: primes to draw from, and their factors.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace hotseat::bench {

/// large: near 2^20, the paper's workload; small: near 2^14, the same with a parallel part
/// a tenth as long.
enum class prime_range : std::uint8_t { large, small };

inline std::string_view name_of(prime_range range) {
  return range == prime_range::large ? "large" : "small";
}

/// The number of prime factors of `n`, the slow way: each call sieves up to the square root
/// of `n` and divides by what remains.  On one thread about 1.25 us near 2^20 and 0.13 us
/// near 2^14.  For a prime the result is 1.
[[gnu::noinline]] inline std::uint32_t factors(std::uint32_t n) {
  constexpr std::uint32_t most = 1100;  // The square root of the largest prime we draw.
  std::array<bool, most> is_composite;
  const auto root = static_cast<std::uint32_t>(std::sqrt(static_cast<double>(n)));
  if (root >= most) throw std::invalid_argument{"factors: the number is too large"};
  for (std::uint32_t i = 0; i <= root; ++i) is_composite[i] = false;
  std::uint32_t count = 0;
  for (std::uint32_t i = 2; i <= root; ++i) {
    if (is_composite[i]) continue;
    for (std::uint32_t multiple = i * i; multiple <= root; multiple += i) {
      is_composite[multiple] = true;
    }
    for (; n % i == 0; n /= i) ++count;
  }
  return n > 1 ? count + 1 : count;
}

/// The 500 primes below and the 500 above 2^20 or 2^14.
inline std::vector<std::uint32_t> primes_near(prime_range range) {
  constexpr std::size_t on_each_side = 500;
  const std::uint32_t middle = range == prime_range::large ? 1U << 20 : 1U << 14;
  std::vector<std::uint32_t> primes;
  for (std::uint32_t n = middle; primes.size() < on_each_side; --n) {
    if (factors(n) == 1) primes.push_back(n);
  }
  for (std::uint32_t n = middle + 1; primes.size() < 2 * on_each_side; ++n) {
    if (factors(n) == 1) primes.push_back(n);
  }
  return primes;
}

}  // namespace hotseat::bench
