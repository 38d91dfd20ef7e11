// A program on asio::awaitable and an io_context of its own, with a lock of hotseat.
#include <hotseat/asio/await.hpp>
#include <hotseat/hotseat.hpp>

#include <cstdio>
#include <map>
#include <thread>

namespace net = hotseat::asio::net;

struct store {
  hotseat::mutex lock;  // was std::mutex
  std::map<int, int> hits;
};

net::awaitable<void> count(store& all, int key) {
  for (int i = 0; i < 1000; ++i) {
    co_await hotseat::asio::with_lock(all.lock, [&] { ++all.hits[key]; });
  }
}

int main() {
  net::io_context context;
  store all;
  for (int key = 0; key < 8; ++key) {
    net::co_spawn(context, count(all, key % 4), net::detached);
  }
  std::thread other{[&] { context.run(); }};
  context.run();
  other.join();
  std::printf("%d\n", all.hits[0]);
  return all.hits[0] == 2000 ? 0 : 1;
}
