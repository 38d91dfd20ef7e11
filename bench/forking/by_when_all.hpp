// bench/forking/by_when_all.hpp — fib and skynet: a task for each call, joined by when_all.
#pragma once

#include <forking/sizes.hpp>
#include <hotseat/hotseat.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace hotseat::bench::by_when_all {

inline task<std::uint64_t> fib(std::uint64_t n) {
  if (n < 2) co_return n;
  auto [a, b] = co_await when_all(fib(n - 1), fib(n - 2));
  co_return a + b;
}

inline task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves);

template <std::size_t... I>
auto children_of(std::uint64_t first, std::uint64_t below, std::index_sequence<I...>) {
  return when_all(skynet(first + I * below, below)...);
}

/// The sum of the leaves' numbers, from `first` on.
inline task<std::uint64_t> skynet(std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) co_return first;
  const auto sums = co_await children_of(first, leaves / skynet_children,
                                         std::make_index_sequence<skynet_children>{});
  co_return std::apply([](auto... each) { return (each + ...); }, sums);
}

}  // namespace hotseat::bench::by_when_all
