// bench/forking/sizes.hpp — how many tasks fib and skynet have, and what they must compute.
#pragma once

#include <cstdint>

namespace hotseat::bench {

/// Children of each inner node of skynet's tree.
inline constexpr std::uint64_t skynet_children = 10;

/// The largest fib(argument) with at most the given number of calls.
struct fib_size {
  std::uint64_t argument = 1;
  std::uint64_t result = 1;
  std::uint64_t calls = 1;

  constexpr explicit fib_size(std::uint64_t most_calls) {
    std::uint64_t before = 0;
    std::uint64_t calls_before = 1;
    while (calls + calls_before + 1 <= most_calls) {
      const std::uint64_t next = result + before;
      before = result;
      result = next;
      const std::uint64_t next_calls = calls + calls_before + 1;
      calls_before = calls;
      calls = next_calls;
      ++argument;
    }
  }
};

/// The largest tree of tens with at most the given number of nodes, and its leaves' sum.
struct skynet_size {
  std::uint64_t leaves = 1;
  std::uint64_t nodes = 1;

  constexpr explicit skynet_size(std::uint64_t most_nodes) {
    while (nodes + leaves * skynet_children <= most_nodes) {
      leaves *= skynet_children;
      nodes += leaves;
    }
  }
  /// REQUIRES: `leaves` is a power of ten.
  static constexpr skynet_size with_leaves(std::int64_t leaves) {
    const auto count = static_cast<std::uint64_t>(leaves);
    return skynet_size{count + count / (skynet_children - 1)};
  }

  [[nodiscard]] constexpr std::uint64_t result() const { return leaves * (leaves - 1) / 2; }
};

}  // namespace hotseat::bench
