// hotseat/platform/explored/stop_callback.hpp — a stop callback among virtual threads.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <stop_token>
#include <utility>

namespace hotseat::platform {

/// Like std::stop_callback, which cannot tell virtual threads apart.  The registration
/// happens before the call, and the call before the destructor returns.
template <class F>
class stop_callback {
 public:
  template <class G>
  stop_callback(const std::stop_token& token, G&& call)
      : call_{std::forward<G>(call)}, registered_{so_far()}, inner_{token, on_stop{this}} {}
  stop_callback(const stop_callback&) = delete;
  stop_callback& operator=(const stop_callback&) = delete;

  ~stop_callback() {
    explored::thread_record* const self = explored::running;
    if (self == nullptr) return;
    if (caller_ == self) {
      *is_gone_ = true;
      return;
    }
    explored::step();
    while (caller_ != nullptr) explored::sleep_on(this, nullptr);
    self->learn(called_);
  }

 private:
  struct on_stop {
    stop_callback* which;
    void operator()() const noexcept { which->call(); }
  };

  static explored::knowledge so_far() noexcept {
    return explored::running != nullptr ? explored::running->publish()
                                        : explored::knowledge{};
  }

  void call() noexcept {
    caller_ = explored::running;
    if (caller_ == nullptr) return call_();
    caller_->learn(registered_);
    bool is_gone = false;
    is_gone_ = &is_gone;
    call_();
    if (is_gone) return;  // Destroyed by the call itself.
    called_ = caller_->publish();
    caller_ = nullptr;
    explored::wake(this, explored::most_threads);
  }

  F call_;
  explored::knowledge registered_;
  explored::knowledge called_;
  explored::thread_record* caller_ = nullptr;
  bool* is_gone_ = nullptr;
  std::stop_callback<on_stop> inner_;
};

}  // namespace hotseat::platform
