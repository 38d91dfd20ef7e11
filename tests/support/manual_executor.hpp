// hotseat/tests/support/manual_executor.hpp — an executor whose workers move when told to.
// Deterministic: one thread plays all workers, in the order the test says.
#pragma once

#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/worker_scope.hpp>

#include <support/manual_clock.hpp>

#include <algorithm>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace hotseat::testing {

class manual_executor final : public executor {
 public:
  enum class verb { schedule, send_elsewhere, schedule_last, fork };

  /// A task that the executor was asked to run.
  struct request {
    verb how;
    std::coroutine_handle<> task;
    std::optional<unsigned> by;  ///< the worker that asked, if it was one of ours

    friend bool operator==(const request&, const request&) = default;
  };

  /// A worker resumed a task.
  struct resumption {
    unsigned worker;
    std::coroutine_handle<> task;

    friend bool operator==(const resumption&, const resumption&) = default;
  };

  explicit manual_executor(unsigned workers = 1, std::uint32_t chain_limit = 1000)
      : workers_{workers}, chain_limit_{chain_limit} {}

  void schedule(waiter& ready) noexcept override { add(verb::schedule, ready); }
  [[nodiscard]] alarm_clock* timers() noexcept override { return &clock; }

  /// Its alarms do not ring on a worker.
  manual_clock clock;

  /// Whether a chain continues past its limit.
  bool keeps_chains = false;

  /// Resumes the oldest task that `worker` may take, then what the slot holds, as a real
  /// worker does.  Returns whether there was one.
  bool step(unsigned worker = 0) {
    const auto found = std::find_if(queue_.begin(), queue_.end(),
                                    [&](const request& r) { return may_take(worker, r); });
    if (found == queue_.end()) return false;
    const std::coroutine_handle<> task = found->task;
    queue_.erase(found);
    run(worker, task);
    return true;
  }

  /// The workers take turns until no task is ready.
  void run_all() {
    for (unsigned idle = 0, worker = 0; idle < workers_; worker = (worker + 1) % workers_) {
      idle = step(worker) ? 0 : idle + 1;
    }
  }

  /// Tasks that are ready and not taken yet, oldest first.
  [[nodiscard]] const std::deque<request>& ready() const noexcept { return queue_; }
  [[nodiscard]] bool is_ready(std::coroutine_handle<> task) const noexcept {
    return std::any_of(queue_.begin(), queue_.end(),
                       [&](const request& r) { return r.task == task; });
  }
  [[nodiscard]] bool is_idle() const noexcept { return queue_.empty(); }

  /// All requests, and all resumptions, in order.
  [[nodiscard]] const std::vector<request>& requests() const noexcept { return requests_; }
  [[nodiscard]] const std::vector<resumption>& resumptions() const noexcept {
    return resumptions_;
  }

  /// The worker that is running, if any.
  [[nodiscard]] std::optional<unsigned> current_worker() const noexcept { return current_; }

 private:
  bool may_take(unsigned worker, const request& r) const noexcept {
    return workers_ == 1 || r.how != verb::send_elsewhere || r.by != worker;
  }

  void add(verb how, waiter& ready) {
    const request wanted{how, ready.task,
                         executor::current() == this ? current_ : std::nullopt};
    queue_.push_back(wanted);
    requests_.push_back(wanted);
  }

  /// A worker that moves when told to.
  class manual_worker final : public worker_scope {
   public:
    explicit manual_worker(manual_executor& where)
        : worker_scope{where, where.chain_limit_}, where_{where} {}

    void schedule_last(waiter& ready) noexcept override {
      where_.add(verb::schedule_last, ready);
    }
    void fork_all(std::span<waiter> children) noexcept override {
      for (std::size_t i = children.size(); i-- > 0;) where_.add(verb::fork, children[i]);
    }
    bool send_elsewhere(waiter& heir) noexcept override {
      if (where_.keeps_chains) return false;
      where_.add(verb::send_elsewhere, heir);
      detail::current().chain = 0;
      detail::current().chain_end = where_.chain_limit_;
      return true;
    }

   private:
    manual_executor& where_;
  };

  void run(unsigned worker, std::coroutine_handle<> task) {
    const manual_worker scope{*this};
    const std::optional<unsigned> former = current_;
    current_ = worker;
    detail::current().run_next = task;
    do {
      const std::coroutine_handle<> next = detail::current().run_next;
      detail::current().run_next = nullptr;
      resumptions_.push_back({worker, next});
      next.resume();
    } while (detail::current().run_next);
    current_ = former;
  }

  unsigned workers_;
  std::uint32_t chain_limit_;
  std::optional<unsigned> current_;
  std::deque<request> queue_;
  std::vector<request> requests_;
  std::vector<resumption> resumptions_;
};

}  // namespace hotseat::testing
