// bench/harness/interrupt.hpp — Ctrl-C asks for an early end; what was measured is kept.
#pragma once

namespace hotseat::bench {

/// While it lives, the first SIGINT or SIGTERM only sets a flag, and the second one ends
/// the program as usual.  One at a time.
class interrupt_guard {
 public:
  interrupt_guard();
  ~interrupt_guard();
  interrupt_guard(const interrupt_guard&) = delete;
  interrupt_guard& operator=(const interrupt_guard&) = delete;
};

/// Whether somebody has asked, since the program began.
bool is_interrupted() noexcept;

/// What a program returns that was interrupted: as a shell would say it.
inline constexpr int interrupted_exit_code = 130;

}  // namespace hotseat::bench
