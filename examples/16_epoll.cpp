// Workers that wait for sockets: an event_source of your own on plain epoll.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <hotseat/hotseat.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>
#include <vector>

// Each worker has a set of its own.  A socket belongs to the set it was first waited in.
class epoll_source final : public hotseat::event_source {
 public:
  ~epoll_source() {
    for (const part& each : parts_) {
      close(each.set);
      close(each.bell);
    }
  }
  void open(unsigned workers) override {
    for (unsigned i = 0; i < workers; ++i) {
      const part made{epoll_create1(0), eventfd(0, EFD_NONBLOCK)};
      if (made.set < 0 || made.bell < 0) throw_errno();
      parts_.push_back(made);
      watch(made.set, made.bell, EPOLLIN | EPOLLET, nullptr);
    }
  }
  void poll(unsigned worker) noexcept override { look(worker, 0); }
  void wait(unsigned worker,
            std::chrono::steady_clock::time_point until) noexcept override {
    using namespace std::chrono;
    const auto left = ceil<milliseconds>(until - steady_clock::now()).count();
    const bool is_for_ever = until == steady_clock::time_point::max();
    look(worker, is_for_ever ? -1 : static_cast<int>(std::clamp<long>(left, 0, 60'000)));
  }
  void interrupt(unsigned worker) noexcept override {
    const std::uint64_t one = 1;
    static_cast<void>(write(parts_[worker].bell, &one, sizeof one));
  }

  // Completes `ready` when the socket can be read.
  void when_readable(unsigned worker, int socket, hotseat::one_shot<>& ready) {
    watch(parts_[worker].set, socket, EPOLLIN | EPOLLONESHOT, &ready);
  }

 private:
  struct part {
    int set;
    int bell;  // rung by `interrupt`
  };
  [[noreturn]] static void throw_errno() {
    throw std::system_error{errno, std::generic_category()};
  }
  static void watch(int set, int file, std::uint32_t what, void* whom) {
    epoll_event wanted{.events = what, .data = {.ptr = whom}};
    if (epoll_ctl(set, EPOLL_CTL_MOD, file, &wanted) == 0) return;
    if (errno != ENOENT || epoll_ctl(set, EPOLL_CTL_ADD, file, &wanted) != 0) throw_errno();
  }
  void look(unsigned worker, int milliseconds) noexcept {
    std::array<epoll_event, 64> events;
    const int count = epoll_wait(parts_[worker].set, events.data(), 64, milliseconds);
    for (int i = 0; i < count; ++i) {
      void* const whom = events[static_cast<std::size_t>(i)].data.ptr;
      if (whom != nullptr) static_cast<hotseat::one_shot<>*>(whom)->set_value();
    }
  }
  std::vector<part> parts_;
};

// Sends back each byte that it receives.
hotseat::task<> play(epoll_source& events, unsigned worker, int socket, int rounds) {
  for (char byte = 0; rounds > 0;) {
    if (recv(socket, &byte, 1, MSG_DONTWAIT) == 1) {
      --rounds;
      send(socket, &byte, 1, 0);
    } else {
      hotseat::one_shot<> ready;
      events.when_readable(worker, socket, ready);
      co_await ready.wait();
    }
  }
}

int main() {
  epoll_source events;
  hotseat::thread_pool pool{{.threads = 2, .events = &events}};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  send(ends[0], "x", 1, 0);
  hotseat::sync_wait(pool, hotseat::when_all(play(events, 0, ends[0], 1000),
                                             play(events, 1, ends[1], 1000)));
}
