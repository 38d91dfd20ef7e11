// bench/harness/interrupt.hpp — Ctrl-C asks for an early end; results so far are kept.
#pragma once

namespace hotseat::bench {

/// While it lives, the first SIGINT or SIGTERM only sets a flag; the second one ends the
/// program as usual.  One at a time.
class interrupt_guard {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
};

/// Whether an interrupt has come since the program started.
bool is_interrupted() noexcept;

/// The exit code of an interrupted program, as a shell reports it.
inline constexpr int interrupted_exit_code = 130;

}  // namespace hotseat::bench
