// hotseat/asio/serve.hpp — accepts connections and runs a task for each, until told to
// stop. Read next: hotseat/asio/timeout.hpp.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/asio/detail/open_connections.hpp>
#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/use_task.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/task/sleep.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/task_group.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_any.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <stop_token>
#include <utility>
#include <vector>

namespace hotseat::asio {

struct serve_options {
  /// With so many open, further clients wait in the kernel's queue.
  std::size_t most_connections = 10'000;
  /// How long no connection is accepted after one could not be, for want of descriptors or
  /// memory.
  std::chrono::milliseconds back_off{100};
  /// How long the handlers may go on after they were asked to stop.  Then their connections
  /// are shut down.
  std::chrono::milliseconds grace{5'000};
  /// Each of these ends `serve`; none does if it is empty.
  std::vector<int> signals{SIGINT, SIGTERM};
  /// Is given what left a handler.  Called on any worker, by several at once.
  std::function<void(std::exception_ptr)> on_failure = {};
};

/// What `serve` did.
struct serve_counts {
  std::uint64_t accepted = 0;
  std::uint64_t failed_accepts = 0;
  std::uint64_t failed_handlers = 0;  ///< an exception left them
  std::uint64_t shut_down = 0;        ///< still open at the end of the grace
};

namespace detail {

template <class Protocol, class Executor, class Handler>
class server : pinned<server<Protocol, Executor, Handler>> {
 public:
  using acceptor = net::basic_socket_acceptor<Protocol, Executor>;
  using socket = typename Protocol::socket;

  server(io_pool& pool, acceptor& from, Handler handler, serve_options options)
      : pool_{pool},
        acceptor_{from},
        handler_{std::move(handler)},
        options_{std::move(options)},
        free_{options_.most_connections},
        handlers_{pool},
        watch_{pool} {}

  task<serve_counts> run() {
    std::exception_ptr failure;
    try {
      if (options_.signals.empty()) {
        co_await accept_all();
      } else {
        task<> accepting = accept_all();
        task<> waiting = wait_for_signal();
        co_await when_any(std::move(accepting), std::move(waiting));
      }
    } catch (...) {  // The handlers go on until they are told.
      failure = std::current_exception();
    }
    error_code ignored;
    acceptor_.close(ignored);
    handlers_.request_stop();
    watch_.spawn(shut_down_late());
    co_await handlers_.join();
    co_await have_ended_.set();
    co_await watch_.join();
    if (failure) std::rethrow_exception(failure);
    counts_.failed_handlers = failed_handlers_.load(std::memory_order_relaxed);
    co_return counts_;
  }

 private:
  task<> accept_all() {
    const std::stop_token stop = co_await this_task::stop_token();
    for (;;) {
      const bool may_accept = co_await free_.acquire(1, stop);
      if (!may_accept) co_return;
      auto [error, peer] =
          co_await acceptor_.async_accept(pool_.next_context(), use_task_with_error);
      if (!error) {
        ++counts_.accepted;
        handlers_.spawn(serve_one(std::move(peer)));
        continue;
      }
      free_.release_dispatch(1);
      if (stop.stop_requested() || !acceptor_.is_open()) co_return;
      ++counts_.failed_accepts;
      // A client that has gone again is no reason to wait.  All else may last.
      const bool has_gone =
          error == net::error::connection_aborted || error == net::error::interrupted;
      if (!has_gone) co_await sleep_for(options_.back_off);
    }
  }

  task<> serve_one(socket peer) {
    const typename open_connections::entry listed{open_, peer.native_handle()};
    try {
      co_await handler_(peer);
    } catch (...) {
      failed_handlers_.fetch_add(1, std::memory_order_relaxed);
      if (options_.on_failure) options_.on_failure(std::current_exception());
    }
    free_.release_dispatch(1);
  }

  task<> wait_for_signal() {
    net::signal_set signals{pool_.context()};
    for (const int each : options_.signals) signals.add(each);
    co_await signals.async_wait(use_task_with_error);
  }

  task<> shut_down_late() {
    const bool in_time = co_await have_ended_.wait(options_.grace);
    if (!in_time) counts_.shut_down = open_.shut_down_all();
  }

  io_pool& pool_;
  acceptor& acceptor_;
  Handler handler_;
  const serve_options options_;
  semaphore free_;
  open_connections open_;
  task_group handlers_;
  task_group watch_;
  event have_ended_;
  serve_counts counts_;
  std::atomic<std::uint64_t> failed_handlers_{0};
};

}  // namespace detail

/// Accepts connections on the pool's contexts in turn, and runs `handler(socket&)`, a
/// task<>, for each.  The socket lives until its handler ends, which must not close it.
///
///     const auto counts = co_await serve(pool, acceptor, [&](tcp::socket& peer) {
///       return talk(peer, store);
///     });
///
/// It ends when a signal comes or its task is asked to stop, or when the acceptor is
/// closed: it closes the acceptor, asks the handlers to stop, shuts down the connections of
/// those that have not ended after the grace, and waits for the handlers.
///
/// An exception that leaves a handler ends that connection only.
///
///     serve_options options{.most_connections = 1000};  // named: docs/guide/compilers.md
///     co_await serve(pool, acceptor, handler, options);
template <class Protocol, class Executor, class Handler>
task<serve_counts> serve(io_pool& pool,
                         net::basic_socket_acceptor<Protocol, Executor>& acceptor,
                         Handler handler, serve_options options) {
  detail::server<Protocol, Executor, Handler> all{pool, acceptor, std::move(handler),
                                                  std::move(options)};
  co_return co_await all.run();
}
template <class Protocol, class Executor, class Handler>
task<serve_counts> serve(io_pool& pool,
                         net::basic_socket_acceptor<Protocol, Executor>& acceptor,
                         Handler handler) {
  return serve(pool, acceptor, std::move(handler), serve_options{});
}

}  // namespace hotseat::asio
