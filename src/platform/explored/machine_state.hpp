// hotseat/platform/explored/machine_state.hpp — the state of an execution.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <array>
#include <cstdint>
#include <functional>

namespace hotseat::platform::explored {

using thread_set = std::uint32_t;

struct machine {
  chooser* decisions = nullptr;
  const execution_options* options = nullptr;
  failure failed;
  std::uint64_t steps = 0;
  std::int64_t now = 0;
  thread_set ready = 0;
  thread_set yielding = 0;
  thread_set timed = 0;  // asleep, with a deadline
  std::uint32_t turn = 0;
  unsigned threads = 0;
  std::function<void()> on_thread_start;
  std::array<thread_record, most_threads> all;
  thread_record outside;  // the caller of execute
};

extern machine here;

/// Adds a thread that is ready to start.
thread_record& new_thread(std::function<void()> body);

}  // namespace hotseat::platform::explored
