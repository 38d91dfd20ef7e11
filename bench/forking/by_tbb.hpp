// bench/forking/by_tbb.hpp — fib and skynet by oneTBB, each call a separate task.
#pragma once

#include <forking/sizes.hpp>

#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

#include <array>
#include <cstdint>
#include <numeric>

namespace hotseat::bench::by_tbb {

inline std::uint64_t fib(std::uint64_t n) {
  if (n < 2) return n;
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  tbb::parallel_invoke([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
  return a + b;
}

/// The sum of the leaves' numbers, from `first` on.
inline std::uint64_t skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) return first;
  const std::uint64_t below = leaves / skynet_children;
  std::array<std::uint64_t, skynet_children> sums{};
  tbb::task_group children;
  for (std::uint64_t i = 0; i < skynet_children; ++i) {
    children.run([&sums, first, below, i] { sums[i] = skynet(first + i * below, below); });
  }
  children.wait();
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

}  // namespace hotseat::bench::by_tbb
