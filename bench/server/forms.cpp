// bench/server/forms.cpp — bench_server: the server of examples/kv_server in several forms.
//
//     bench_server --form exchange --threads 2
//
// It prints its port, and ends on SIGTERM.
#include <hotseat/asio/io_pool.hpp>
#include <hotseat/asio/serve.hpp>
#include <hotseat/hotseat.hpp>
#include <server/asio_fronts.hpp>

#include <session.hpp>
#include <task_front.hpp>

#include <CLI/CLI.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

using tcp = net::ip::tcp;

const tcp::endpoint any_port{net::ip::address_v4::loopback(), 0};

void announce(const tcp::acceptor& acceptor) {
  std::printf("%u\n", static_cast<unsigned>(acceptor.local_endpoint().port()));
  std::fflush(stdout);
}

// --- On a pool of hotseat.

/// lock, section, unlock; what is compared is the hand-off of unlock.
template <class Handoff>
class handoff_front : public kv::task_front<mutex> {
 public:
  template <class Section>
  task<> inside(Section& section) {
    co_await lock_.lock();
    section();
    co_await lock_.unlock();
  }

 private:
  basic_mutex<Handoff> lock_;
};

template <class Front>
void serve_tasks(unsigned threads) {
  hotseat::asio::io_pool pool{threads};
  tcp::acceptor acceptor{pool.context(0), any_port};
  kv::server_state<Front> server;
  announce(acceptor);
  auto handler = [&server](tcp::socket& peer) { return kv::session(peer, server); };
  sync_wait(pool, hotseat::asio::serve(pool, acceptor, handler));
}

// --- On asio::awaitable.

template <class Front>
net::awaitable<void> own(tcp::socket peer, kv::server_state<Front>& server) {
  co_await kv::session(peer, server);
}

/// Accepts on the first context, for all of them in turn.
template <class Front>
net::awaitable<void> accept(tcp::acceptor& acceptor,
                            std::vector<std::unique_ptr<net::io_context>>& contexts,
                            kv::server_state<Front>& server) {
  for (std::size_t i = 0;; ++i) {
    net::io_context& where = *contexts[i % contexts.size()];
    tcp::socket peer = co_await acceptor.async_accept(where, net::use_awaitable);
    net::co_spawn(where, own(std::move(peer), server), net::detached);
  }
}

/// So many threads for each of so many contexts.
template <class Front, class... Given>
void serve_awaitables(unsigned context_count, unsigned threads_each) {
  std::vector<std::unique_ptr<net::io_context>> contexts;
  for (unsigned i = 0; i < context_count; ++i) {
    contexts.push_back(std::make_unique<net::io_context>(static_cast<int>(threads_each)));
  }
  using work = net::executor_work_guard<net::io_context::executor_type>;
  std::vector<work> busy;
  for (const auto& each : contexts) busy.emplace_back(each->get_executor());

  std::unique_ptr<kv::server_state<Front>> server;
  if constexpr (std::is_constructible_v<Front, net::io_context&>) {
    server = std::make_unique<kv::server_state<Front>>(kv::limits{}, *contexts[0]);
  } else {
    server = std::make_unique<kv::server_state<Front>>();
  }
  tcp::acceptor acceptor{*contexts[0], any_port};
  net::co_spawn(*contexts[0], accept(acceptor, contexts, *server), net::detached);
  net::signal_set signals{*contexts[0], SIGTERM, SIGINT};
  signals.async_wait([&](const auto&, int) {
    for (const auto& each : contexts) each->stop();
  });
  announce(acceptor);
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < context_count * threads_each; ++i) {
    threads.emplace_back([&context = *contexts[i % context_count]] { context.run(); });
  }
  for (std::thread& each : threads) each.join();
}

const std::map<std::string, std::function<void(unsigned)>> forms{
    {"exchange", [](unsigned n) { serve_tasks<handoff_front<handoff::exchange>>(n); }},
    {"dispatch", [](unsigned n) { serve_tasks<handoff_front<handoff::dispatch>>(n); }},
    {"resume_inline",
     [](unsigned n) { serve_tasks<handoff_front<handoff::resume_inline>>(n); }},
    {"with_lock", [](unsigned n) { serve_tasks<kv::task_front<mutex>>(n); }},
    {"asio_mutex", [](unsigned n) { serve_awaitables<kv::std_mutex_front>(1, n); }},
    {"asio_strand", [](unsigned n) { serve_awaitables<strand_front>(1, n); }},
    {"asio_contexts", [](unsigned n) { serve_awaitables<kv::std_mutex_front>(n, 1); }},
    {"asio_hotseat", [](unsigned n) { serve_awaitables<adopted_front>(1, n); }},
};

}  // namespace

}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using hotseat::bench::forms;
  CLI::App app{"The key-value server in one of its forms, for `hotseat-bench server`."};
  std::vector<std::string> names;
  for (const auto& [name, run] : forms) names.push_back(name);
  std::string form = "exchange";
  unsigned threads = 2;
  app.add_option("--form", form)->check(CLI::IsMember(names))->capture_default_str();
  app.add_option("--threads", threads)->check(CLI::Range(1, 256))->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    forms.at(form)(threads);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "bench_server: %s\n", failed.what());
    return 1;
  }
}
