// bench/micro/forking.hpp — what fib and skynet must compute, and in how many tasks.
#pragma once

#include <forking/skynet_children.hpp>

#include <cstdint>

namespace hotseat::bench {

inline constexpr std::uint64_t fib_argument = 30;
inline constexpr std::uint64_t fib_result = 832'040;
inline constexpr std::int64_t fib_tasks = 2'692'537;  // 2 fib(31) - 1 calls.

/// All nodes of the tree.
constexpr std::int64_t skynet_tasks(std::uint64_t leaves) {
  std::int64_t tasks = 0;
  for (; leaves > 0; leaves /= skynet_children) tasks += static_cast<std::int64_t>(leaves);
  return tasks;
}

/// The sum of the leaves' numbers.
constexpr std::uint64_t skynet_result(std::uint64_t leaves) {
  return leaves * (leaves - 1) / 2;
}

}  // namespace hotseat::bench
