// hotseat/asio/detail/signal_cache.hpp — cancellation signals that are used again: each
// keeps the memory of its handler.
#pragma once

#include <hotseat/asio/detail/asio.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace hotseat::asio::detail {

using signal = std::unique_ptr<net::cancellation_signal>;

/// Those of the calling thread.
class signal_cache {
 public:
  [[nodiscard]] static signal take() {
    std::vector<signal>& kept = of_this_thread();
    if (kept.empty()) return std::make_unique<net::cancellation_signal>();
    signal taken = std::move(kept.back());
    kept.pop_back();
    return taken;
  }
  static void give_back(signal used) noexcept {
    std::vector<signal>& kept = of_this_thread();
    if (kept.size() < kept.capacity()) kept.push_back(std::move(used));
  }

 private:
  static constexpr std::size_t most = 64;

  [[gnu::noinline]] static std::vector<signal>& of_this_thread() {
    static thread_local std::vector<signal> kept = [] {
      std::vector<signal> made;
      made.reserve(most);
      return made;
    }();
    return kept;
  }
};

}  // namespace hotseat::asio::detail
