// hotseat/asio/io_pool.hpp — a thread_pool whose workers run an io_context each.
// Read next: hotseat/asio/use_task.hpp.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/runtime/event_source.hpp>
#include <hotseat/runtime/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace hotseat::asio {

/// An event_source of io_contexts, one for each worker.
class io_contexts final : public event_source {
 public:
  void open(unsigned workers) override {
    for (unsigned i = 0; i < workers; ++i) contexts_.push_back(std::make_unique<part>());
  }
  void poll(unsigned worker) noexcept override {
    net::io_context& context = at(worker);
    if (context.stopped()) context.restart();
    run_ready(context);
  }
  void wait(unsigned worker, platform::clock::time_point deadline) noexcept override {
    net::io_context& context = at(worker);
    const std::size_t count = deadline == platform::clock::time_point::max()
                                  ? context.run_one()
                                  : context.run_one_until(deadline);
    if (count != 0) run_ready(context);
    // An interrupt that comes now ends this wait, not the next one.
    if (context.stopped()) context.restart();
  }
  void interrupt(unsigned worker) noexcept override { at(worker).stop(); }

  [[nodiscard]] net::io_context& at(unsigned worker) const noexcept {
    return contexts_[worker]->context;
  }
  [[nodiscard]] std::size_t size() const noexcept { return contexts_.size(); }

 private:
  /// Handlers of one poll, so that tasks get their turn.
  static constexpr int batch = 64;

  struct part {
    // Opens its descriptors now, not with the first socket: there may be none left then.
    part() { static_cast<void>(net::ip::tcp::socket{context}); }

    net::io_context context{1};
    net::executor_work_guard<net::io_context::executor_type> keeps_running{
        context.get_executor()};
  };

  static void run_ready(net::io_context& context) noexcept {
    for (int i = 0; i < batch && context.poll_one() != 0; ++i) {
    }
  }

  std::vector<std::unique_ptr<part>> contexts_;
};

/// Workers that run tasks and wait for their sockets.
///
///     hotseat::asio::io_pool pool;
///     tcp::acceptor acceptor{pool.context(), endpoint};
///     tcp::socket peer = co_await acceptor.async_accept(pool.context(), use_task);
///
/// Each worker runs one io_context, alone.  So the operations of a socket need no strand,
/// and its completions come on one thread; the task that waits for them may run on any.
/// Make each socket on the context of the worker that is to poll for it.
class io_pool {
 public:
  explicit io_pool(thread_pool_options wanted = {}) : pool_{with(wanted, contexts_)} {}
  explicit io_pool(unsigned threads) : io_pool{thread_pool_options{.threads = threads}} {}

  [[nodiscard]] thread_pool& tasks() noexcept { return pool_; }
  // NOLINTNEXTLINE(google-explicit-constructor): for sync_wait, task_group and the like.
  operator executor&() noexcept { return pool_; }

  [[nodiscard]] unsigned size() const noexcept { return pool_.size(); }
  [[nodiscard]] net::io_context& context(unsigned worker) noexcept {
    return contexts_.at(worker);
  }
  /// That of the calling worker, or of another one in turn.
  [[nodiscard]] net::io_context& context() noexcept {
    if (const auto worker = pool_.current_worker()) return contexts_.at(*worker);
    return next_context();
  }
  /// One after the other, for connections that are to be spread.
  [[nodiscard]] net::io_context& next_context() noexcept {
    return contexts_.at(next_.fetch_add(1, std::memory_order_relaxed) % pool_.size());
  }

 private:
  static thread_pool_options with(thread_pool_options wanted, event_source& events) {
    wanted.events = &events;
    return wanted;
  }

  io_contexts contexts_;  // Outlives the pool.
  thread_pool pool_;
  std::atomic<unsigned> next_{0};
};

}  // namespace hotseat::asio
