// bench/support/handoffs.hpp — from the names on the command line to types of mutexes.
#pragma once

#include <hotseat/runtime/queue_order.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hotseat::bench {

inline const std::vector<std::string> handoff_names{"exchange", "dispatch",
                                                    "resume_inline"};
inline const std::vector<std::string> state_names{"lock_free", "spin_locked"};
inline const std::vector<std::string> order_names{"fifo", "lifo"};

inline queue_order order_named(std::string_view name) {
  return name == "lifo" ? queue_order::lifo : queue_order::fifo;
}

/// Calls `use.template operator()<Mutex>()` with the named mutex.
template <class Use>
auto with_mutex_named(std::string_view wanted, std::string_view state, Use&& use) {
  const auto with_state = [&]<class Handoff>() {
    if (state == "lock_free") {
      return use.template operator()<basic_mutex<Handoff, lock_state::lock_free>>();
    }
    return use.template operator()<basic_mutex<Handoff, lock_state::spin_locked>>();
  };
  if (wanted == "exchange") return with_state.template operator()<handoff::exchange>();
  if (wanted == "dispatch") return with_state.template operator()<handoff::dispatch>();
  if (wanted == "resume_inline") {
    return with_state.template operator()<handoff::resume_inline>();
  }
  throw std::invalid_argument{"no such hand-off: " + std::string{wanted}};
}

}  // namespace hotseat::bench
