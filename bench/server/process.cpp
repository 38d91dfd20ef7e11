// bench/server/process.cpp — starting, reading, measuring and ending a child.
#include <server/process.hpp>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it so.

namespace hotseat::bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error{errno, std::generic_category(), what};
}

sockaddr_in loopback(unsigned port) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<std::uint16_t>(port));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return where;
}

struct tcp_socket {
  tcp_socket() : descriptor{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    if (descriptor < 0) fail("no socket");
  }
  ~tcp_socket() { ::close(descriptor); }
  tcp_socket(const tcp_socket&) = delete;
  tcp_socket& operator=(const tcp_socket&) = delete;
  int descriptor;
};

}  // namespace

process::process(std::vector<std::string> command) : name_{command.front()} {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail("no pipe");
  std::vector<char*> arguments;
  for (std::string& each : command) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int error =
      ::posix_spawnp(&id_, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  output_ = ends[0];
  if (error != 0) {
    ::close(output_);
    throw std::system_error{error, std::generic_category(), name_};
  }
}

process::~process() {
  terminate();
  ::close(output_);
}

bool process::read_more() {
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t size = ::read(output_, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    unread_.append(part.data(), static_cast<std::size_t>(size));
    return true;
  }
}

std::string process::read_line() {
  while (unread_.find('\n') == std::string::npos && read_more()) {
  }
  const std::size_t end = std::min(unread_.find('\n'), unread_.size());
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

std::string process::read_all() {
  while (read_more()) {
  }
  return std::exchange(unread_, {});
}

double process::cpu_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(id_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) {
    throw std::runtime_error{name_ + " has ended"};
  }
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

bool process::reap() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool process::terminate() {
  if (id_ == 0) return true;
  ::kill(id_, SIGTERM);
  return reap();
}

void process::wait() {
  if (!reap()) throw std::runtime_error{name_ + " failed"};
}

bool is_installed(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders{path != nullptr ? path : ""};
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((std::filesystem::path{folder} / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

unsigned free_port() {
  const tcp_socket any;
  sockaddr_in where = loopback(0);
  socklen_t size = sizeof where;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast): as POSIX has it.
  if (::bind(any.descriptor, reinterpret_cast<sockaddr*>(&where), size) != 0 ||
      ::getsockname(any.descriptor, reinterpret_cast<sockaddr*>(&where), &size) != 0) {
    fail("no free port");
  }
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast)
  return ntohs(where.sin_port);
}

void await_listener(unsigned port) {
  for (int i = 0; i < 1000; ++i) {
    const tcp_socket client;
    const sockaddr_in where = loopback(port);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    if (::connect(client.descriptor, reinterpret_cast<const sockaddr*>(&where),
                  sizeof where) == 0) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{10});
  }
  throw std::runtime_error{"no server listens on port " + std::to_string(port)};
}

}  // namespace hotseat::bench
