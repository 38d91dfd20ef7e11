// hotseat/rebound/bench/isolated.hpp — one run in its own process.
#pragma once

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>

namespace hotseat::rebound {

/// Calls `work` in a child process and returns the text that it returns.  LevelDB keeps
/// threads and locks as long as its process lives, so a run with another lock needs another
/// process.  Throws the child's exception, or an exception for its signal or its timeout.
/// REQUIRES: the calling process has one thread.
inline std::string run_isolated(const std::function<std::string()>& work,
                                std::chrono::seconds patience) {
  const auto check = [](bool is_fine, const char* what) {
    if (!is_fine) throw std::system_error{errno, std::generic_category(), what};
  };
  std::array<int, 2> ends{};
  check(::pipe(ends.data()) == 0, "pipe");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  check(child >= 0, "fork");
  if (child == 0) {
    ::close(ends[0]);
    std::string text;
    int status = 0;
    try {
      text = work();
    } catch (const std::exception& error) {
      text = error.what();
      status = 1;
    }
    for (std::size_t done = 0; done < text.size();) {
      const ssize_t step = ::write(ends[1], text.data() + done, text.size() - done);
      if (step <= 0) std::_Exit(2);
      done += static_cast<std::size_t>(step);
    }
    std::_Exit(status);
  }
  ::close(ends[1]);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  std::string text;
  bool is_late = false;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd ready{ends[0], POLLIN, 0};
    is_late = left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0;
    if (is_late) break;
    std::array<char, 4096> piece{};
    const ssize_t size = ::read(ends[0], piece.data(), piece.size());
    if (size <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(size));
  }
  ::close(ends[0]);
  if (is_late) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  if (is_late) throw std::runtime_error{"a run hangs"};
  if (WIFSIGNALED(status)) {
    throw std::runtime_error{"a run was ended by signal " +
                             std::to_string(WTERMSIG(status))};
  }
  if (WEXITSTATUS(status) != 0) throw std::runtime_error{text};
  return text;
}

}  // namespace hotseat::rebound
