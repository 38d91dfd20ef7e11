// hotseat/sched/blocked_thread.cpp — where plain threads wait.
#include <hotseat/platform/config.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/blocked_thread.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/run.hpp>
#include <hotseat/trace/trace.hpp>

#include <utility>

namespace hotseat {

void blocked_thread::wait() noexcept {
  detail::run_homeless();  // They run on no other thread, and we may wait for them.
  while (alarm_ != nullptr) {
    if (parker_.park_until(alarm_->due)) return;
    alarm* const due = std::exchange(alarm_, nullptr);
    due->ring(*due);
  }
  parker_.park();
}

namespace detail {

namespace {

/// While it exists, tasks that suspend on this thread have `where` as their home.
class at_home {
 public:
  explicit at_home(executor& where) noexcept
      : former_{std::exchange(current().here, &where)},
        worker_{std::exchange(current().worker, nullptr)} {}
  at_home(const at_home&) = delete;
  at_home& operator=(const at_home&) = delete;
  ~at_home() {
    current().here = former_;
    current().worker = worker_;
  }

 private:
  executor* former_;
  worker_scope* worker_;
};

}  // namespace

void make_blocking_call(blocking_call& call) {
  blocked_thread self;  // Until the end: the operation may have set its alarm here.
  if constexpr (config::records_traces) current().is_traced = trace::is_on();
  bool is_suspended = false;
  {
    const at_home scope{self.home()};
    is_suspended = call.suspend(call);
  }
  if (is_suspended) self.wait();
  call.resume(call);
}

}  // namespace detail

}  // namespace hotseat
