// bench/support/progress.hpp — progress: a bar on a terminal, lines elsewhere.
#pragma once

#include <support/timing.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

#include <unistd.h>

namespace hotseat::bench {

/// Writes to stderr, so that stdout has only the results.
class progress {
 public:
  explicit progress(std::size_t steps) : steps_{std::max<std::size_t>(steps, 1)} {}
  ~progress() {
    if (is_terminal_) fmt::print(stderr, "\r\x1b[K");
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  /// Shows what runs now.
  void begin(std::string_view what) {
    if (is_terminal_) draw(what);
  }

  /// One step is done.
  void step() {
    ++done_;
    const std::size_t tenth = 10 * done_ / steps_;
    if (!is_terminal_ && tenth != tenths_shown_) {
      tenths_shown_ = tenth;
      fmt::print(stderr, "{} of {} runs, {} left\n", done_, steps_, time_left());
    }
  }

 private:
  void draw(std::string_view what) {
    constexpr std::size_t width = 30;
    const std::size_t filled = width * done_ / steps_;
    fmt::print(stderr, "\r[{:#<{}}{:.<{}}] {:3} %  {:>5} left  {}\x1b[K", "", filled, "",
               width - filled, 100 * done_ / steps_, time_left(), what);
    std::fflush(stderr);
  }

  [[nodiscard]] std::string time_left() const {
    if (done_ == 0) return "?";
    const double left =
        clock_.seconds() * static_cast<double>(steps_ - done_) / static_cast<double>(done_);
    const auto seconds = static_cast<long>(left + 0.5);
    return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  }

  std::size_t steps_;
  std::size_t done_ = 0;
  std::size_t tenths_shown_ = 0;
  stopwatch clock_;
  bool is_terminal_ = ::isatty(STDERR_FILENO) == 1;
};

}  // namespace hotseat::bench
