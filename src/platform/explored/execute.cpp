// hotseat/platform/explored/execute.cpp — one execution from its start to its end.
#include <hotseat/platform/explored/machine.hpp>
#include <hotseat/platform/memory.hpp>

#include <string>
#include <utility>

#include "arena.hpp"
#include "context.hpp"
#include "machine_state.hpp"

namespace hotseat::platform::explored {

execution_result execute(const std::function<void()>& program, chooser& decisions,
                         const execution_options& options) {
  ++execution_number;
  here.outside.id = outside_id;
  here.decisions = &decisions;
  here.options = &options;
  here.failed = failure{};
  here.steps = 0;
  here.now = 0;
  here.ready = here.yielding = here.timed = 0;
  here.turn = 0;
  here.threads = 0;
  here.on_thread_start = nullptr;
  reuse_memory();
  if (options.trace != nullptr) options.trace->clear();
  thread_record& first = new_thread([&program] { program(); });
  first.tick();
  running = &first;
  switch_context(here.outside, first);
  const bool is_good = here.failed.kind == failure_kind::none;
  if (is_good && !has_untouched_frames()) {
    here.failed = {failure_kind::use_after_free,
                   "the frame of a task was written to after it had been freed"};
  }
  const std::size_t lost = forget_frames();
  if (is_good && lost != 0 && options.checks_leaks) {
    here.failed = {failure_kind::leak,
                   std::to_string(lost) + " frames of tasks were never freed"};
  }
  return {std::move(here.failed), here.steps};
}

}  // namespace hotseat::platform::explored
