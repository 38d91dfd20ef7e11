// hotseat/sync/detail/gate.hpp — waiting until something is open: what event, latch and
// wait_group share.  Layer: sync/detail.  Read next: detail/broadcast_state.hpp.
#pragma once

#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>

#include <cstdint>
#include <stop_token>
#include <utility>

namespace hotseat::detail {

/// The standard's names for waits with a time.  `Waited` is the derived class.
template <class Waited>
class wait_names {
 public:
  auto wait_for(any_duration auto time, std::stop_token stop = {}) noexcept {
    return self().wait({time, std::move(stop)});
  }
  auto wait_until(any_time auto due, std::stop_token stop = {}) noexcept {
    return self().wait({due, std::move(stop)});
  }

 protected:
  wait_names() = default;
  ~wait_names() = default;

 private:
  Waited& self() noexcept { return static_cast<Waited&>(*this); }
};

/// While it is open, waiting costs one load.  A task that is let out may destroy it, unless
/// others wait with limits: they may be leaving at that moment.
class gate : pinned<gate>, public wait_names<gate> {
  struct line {
    using waiter = line_waiter;
    broadcast_state& state;
    bool try_acquire(line_waiter&) const noexcept { return state.is_open(); }
    bool acquire_or_enqueue(line_waiter& w) noexcept { return state.pass_or_enqueue(w); }
    bool leave(line_waiter& w) noexcept { return state.leave(w); }
  };

 public:
  using wait_operation = acquire_operation<line>;
  using limited_wait_operation = acquire_operation<line, limited>;

  /// Awaitable.  Goes on when the gate is open, or was open while the caller waited.
  wait_operation wait() noexcept { return wait_operation{{state_}}; }

  /// Awaitable.  Yields true if it was open; false on timeout or stop, no longer queued.
  /// `wait_for` and `wait_until` are the same.
  limited_wait_operation wait(wait_limits limits) noexcept {
    return limited_wait_operation{{state_}, std::move(limits)};
  }

  /// For non-worker threads: blocks the calling thread.
  void wait_blocking() noexcept { block_on(wait()); }

 protected:
  constexpr explicit gate(std::uint64_t missing) noexcept : state_{missing} {}
  ~gate() = default;

  broadcast_state state_;
};

}  // namespace hotseat::detail
