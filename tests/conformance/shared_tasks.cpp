// hotseat/tests/conformance/shared_tasks.cpp — tasks that several await, as subjects.
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/task/shared_task.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>

#include <conformance/subject.hpp>

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

/// The task has started, on no executor.  So it ends inside the call that lets waiters in,
/// and the first heir gets the worker before the caller continues.
class shared_tasks final : public subject {
 public:
  static constexpr traits what{
      .awaited = hand_over::nested, .serves_all = true, .in_one_batch = true};

  explicit shared_tasks(unsigned) {
    std::stop_source stopped;
    stopped.request_stop();
    const owned starter = start(stopped.get_token());
    starter.run();
  }

  owned wait(std::string& log, char name) override {
    auto operation = shared_.wait();
    co_await interrupted(operation, this->before_it_joins);
    log += name;
  }
  owned wait(wait_limits until, std::string& log, char name) override {
    auto operation = limited(std::move(until));
    const bool has_ended = co_await interrupted(operation, this->before_it_joins);
    log += has_ended ? name : '-';
  }
  /// A plain thread needs an executor to await a task.
  bool wait_blocking(wait_limits until) override {
    return sync_wait(pool_, limited(std::move(until)));
  }
  void wait_blocking() override { sync_wait(pool_, shared_); }

  bool let_in() override {
    go_.set_dispatch();
    return true;
  }
  owned let_in_awaited(std::string& log) override {
    co_await go_.set();
    log += '.';
  }

 private:
  static task<> run_until(event& go) { co_await go.wait(); }

  owned start(std::stop_token stopped) {
    auto operation = shared_.wait(std::move(stopped));
    const bool has_ended = co_await operation;
    static_cast<void>(has_ended);
  }

  shared_task<>::limited_wait_operation limited(wait_limits until) {
    return shared_.wait(std::move(until));
  }

  event go_;
  shared_task<> shared_{run_until(go_)};
  thread_pool pool_{1};
};

}  // namespace

std::vector<subject_kind> shared() {
  std::vector<subject_kind> all;
  add_one<shared_tasks>(all, "shared_task");
  return all;
}

}  // namespace hotseat::conformance
