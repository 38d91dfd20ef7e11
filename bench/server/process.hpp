// bench/server/process.hpp — a server or a client, as a process of its own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace hotseat::bench {

/// A child whose standard output is read.  The destructor ends it and waits for it.
class process {
 public:
  /// Searches $PATH for the program if its name has no slash.  Throws if it cannot run.
  explicit process(std::vector<std::string> command);
  ~process();
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  /// Up to the end of the line, or of the output.
  [[nodiscard]] std::string read_line();
  [[nodiscard]] std::string read_all();

  /// Of all its threads, while it runs.
  [[nodiscard]] double cpu_seconds() const;

  /// Asks it to end, waits, and returns whether it did so with exit code 0.
  bool terminate();
  /// Waits for it to end by itself; throws unless its exit code is 0.
  void wait();

 private:
  [[nodiscard]] bool reap();
  bool read_more();

  std::string name_;
  pid_t id_ = 0;
  int output_ = -1;
  std::string unread_;
};

/// Whether a program of this name is in $PATH.
bool is_installed(const std::string& program);

/// A port of the loopback address that was free a moment ago.
unsigned free_port();
/// Waits until something accepts connections there; throws after ten seconds.
void await_listener(unsigned port);

}  // namespace hotseat::bench
