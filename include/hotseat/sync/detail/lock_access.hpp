// hotseat/sync/detail/lock_access.hpp — how sections and conditions reach into a mutex.
// Layer: sync/detail.
#pragma once

namespace hotseat::detail {

struct lock_access {
  /// What the operations of a mutex do with its state.
  template <class Mutex>
  static auto line_of(Mutex& mutex) noexcept {
    return typename Mutex::line{mutex.state_};
  }

  template <class Mutex>
  static auto& state_of(Mutex& mutex) noexcept {
    return mutex.state_;
  }
};

}  // namespace hotseat::detail
