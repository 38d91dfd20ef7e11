// examples/kv_server/kv_server.cpp — a server for the clients of Redis.
#include "session.hpp"
#include "task_front.hpp"

#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/serve.hpp>
#include <hotseat/hotseat.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using tcp = kv::net::ip::tcp;

// The lock of the whole store.  Try hotseat::basic_mutex<hotseat::handoff::dispatch>.
using lock = hotseat::mutex;

struct options {
  std::string address = "127.0.0.1";
  std::uint16_t port = 6380;
  unsigned threads = 0;
  std::size_t most_connections = 10'000;
  std::size_t most_value = kv::request_limits{}.most_value;
};

using shared_state = kv::server_state<kv::task_front<lock>>;

kv::limits limits_of(const options& wanted) {
  kv::limits all;
  all.request.most_value = wanted.most_value;
  all.request.most_request = std::max(all.request.most_request, 2 * wanted.most_value);
  all.most_reply = std::max(all.most_reply, 2 * wanted.most_value);
  return all;
}

hotseat::task<> serve(hotseat::asio::io_pool& pool, tcp::acceptor& acceptor,
                      shared_state& shared, std::size_t most_connections) {
  const hotseat::asio::serve_options serving{.most_connections = most_connections,
                                             .grace = std::chrono::seconds{1},
                                             .signals = {}};
  const auto handler = [&shared](tcp::socket& peer) { return kv::session(peer, shared); };
  const auto counts = co_await hotseat::asio::serve(pool, acceptor, handler, serving);
  std::printf("served %llu connections\n",
              static_cast<unsigned long long>(counts.accepted));
}

void run(const options& wanted) {
  // Blocked before there are threads, so that a signal waits for sigwait from the start.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGINT);
  sigaddset(&ends, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  shared_state shared{limits_of(wanted)};
  hotseat::asio::io_pool pool{wanted.threads};
  const tcp::endpoint where{kv::net::ip::make_address(wanted.address), wanted.port};
  tcp::acceptor acceptor{pool.context(0), where};
  const unsigned port = acceptor.local_endpoint().port();
  hotseat::task_group server{pool};
  server.spawn(serve(pool, acceptor, shared, wanted.most_connections));
  std::printf("listening on %s:%u\n", wanted.address.c_str(), port);
  std::fflush(stdout);

  int signal = 0;
  sigwait(&ends, &signal);
  server.request_stop();
  hotseat::sync_wait(pool, server.join());
}

}  // namespace

int main(int argc, char** argv) {
  options wanted;
  CLI::App app{"A key-value server for the clients of Redis."};
  app.add_option("--address", wanted.address, "where to listen")->capture_default_str();
  app.add_option("--port", wanted.port, "0: any that is free; it is printed")
      ->capture_default_str();
  app.add_option("--threads", wanted.threads, "0: one for each CPU")->capture_default_str();
  app.add_option("--most-connections", wanted.most_connections, "others wait")
      ->capture_default_str();
  app.add_option("--max-value", wanted.most_value, "bytes of one value")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    run(wanted);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "kv_server: %s\n", failed.what());
    return 1;
  }
}
