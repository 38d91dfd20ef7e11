// hotseat/platform/simulated/stop_callback.hpp — a stop callback among virtual threads.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <stop_token>
#include <utility>

namespace hotseat::platform {

/// Like std::stop_callback, which cannot tell virtual threads apart: so this destructor
/// waits itself for a call that is under way on another thread.
template <class F>
class stop_callback {
 public:
  template <class G>
  stop_callback(const std::stop_token& token, G&& call)
      : call_{std::forward<G>(call)}, inner_{token, on_stop{this}} {}
  stop_callback(const stop_callback&) = delete;
  stop_callback& operator=(const stop_callback&) = delete;

  ~stop_callback() {
    if (is_gone_ != nullptr && caller_ == simulated::self()) {
      *is_gone_ = true;
      return;
    }
    while (is_gone_ != nullptr) simulated::relax();
  }

 private:
  struct on_stop {
    stop_callback* which;
    void operator()() const noexcept { which->call(); }
  };

  void call() noexcept {
    bool is_gone = false;
    caller_ = simulated::self();
    is_gone_ = &is_gone;
    call_();
    if (!is_gone) is_gone_ = nullptr;
  }

  F call_;
  const void* caller_ = nullptr;  // the calling thread
  bool* is_gone_ = nullptr;       // not null: a call is under way
  std::stop_callback<on_stop> inner_;
};

}  // namespace hotseat::platform
