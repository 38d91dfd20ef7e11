// examples/kv_server/session.hpp — one connection, as a coroutine.
#pragma once

#include "conversation.hpp"
#include "store.hpp"

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace kv {

/// What all connections share.
template <class Front>
struct server_state {
  template <class... Given>
  explicit server_state(const limits& wanted = {}, Given&&... for_front)
      : allowed{wanted}, front{std::forward<Given>(for_front)...} {
    data.set_most_value(wanted.request.most_value);
  }

  const limits allowed;
  Front front;
  store data;  ///< only inside front's lock
  std::atomic<std::uint64_t> clients{0};
};

/// Serves a client until it goes, says QUIT, or breaks the protocol, or until the coroutine
/// is asked to stop: then what has been executed is answered first.
///
/// A Front says how to wait and how to lock, so that other forms of the server can be
/// measured against ours with this very function:
///
///     coroutine                what this function is: hotseat::task<>, for instance
///     socket                   its reference is given
///     stop_token()             awaited: the std::stop_token of the coroutine, or none
///     read_some(peer, span)    awaited: an error and a count
///     write_some(peer, view)   the same; a stop does not cancel it
///     inside(f)                calls `f()` inside the lock; awaited unless it is void
template <class Front>
typename Front::coroutine session(typename Front::socket& peer,
                                  server_state<Front>& server) {
  try {
    peer.set_option(typename Front::socket::protocol_type::no_delay{true});
    const std::stop_token stop = co_await Front::stop_token();
    conversation client{server.clients.fetch_add(1, std::memory_order_relaxed) + 1,
                        server.allowed};
    for (;;) {
      if (stop.stop_requested()) client.end();
      const step next = client.next();
      if (next == step::execute) {
        auto section = [&client, &server] { client.execute(server.data); };
        if constexpr (std::is_void_v<decltype(server.front.inside(section))>) {
          server.front.inside(section);
        } else {
          co_await server.front.inside(section);
        }
        client.finish();
      } else if (next == step::write) {
        const auto [error, count] = co_await Front::write_some(peer, client.unwritten());
        if (error) co_return;
        client.written(count);
      } else if (next == step::read) {
        const auto [error, count] = co_await Front::read_some(peer, client.room());
        if (error) co_return;
        client.received(count);
      } else {
        co_return;
      }
    }
  } catch (...) {
    // What failed was this connection's: it has no memory, for instance.  Others go on.
    co_return;
  }
}

}  // namespace kv
