// hotseat/trace/trace.hpp — records which task ran where, if a recording is on.
// Layer: trace.  Read next: trace/recording.hpp (what is kept), trace/timeline.hpp (what
// it says).
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat::trace {

/// What happened on a thread.
///
///     kind             whom      number
///     ───────────────  ────────  ─────────────────────────────────────────────────────
///     task_begins      a frame   0; may be inside another task (resume_inline)
///     task_follows     a frame   0; the task before it has ended on this thread
///     task_ends        null      0; suspended or finished
///     task_suspends    null      0; inside a section: from now on it may run elsewhere
///     section_entered  a lock    one of `entry`
///     section_left     a lock    0
///     combining        null      0; the running task has left: others' sections follow
///     mark_begins      a text    0
///     mark_ends        a text    0
///     task_named       a text    0; names the running task
///     park_begins      null      0
///     park_ends        null      0
///     stolen           null      how many tasks
enum class kind : std::uint8_t {
  task_begins,
  task_follows,
  task_ends,
  task_suspends,
  section_entered,
  section_left,
  combining,
  mark_begins,
  mark_ends,
  task_named,
  park_begins,
  park_ends,
  stolen,
};

/// How a section came to be entered.
enum entry : std::uint32_t {
  entry_free = 0,       ///< The lock was free.
  entry_waited = 1,     ///< Another task handed it over.
  entry_delegated = 2,  ///< The worker that has the lock runs it, not its own task.
};

namespace detail {

/// One for the whole program.  Relaxed: a thread that sees it late starts recording late.
inline constinit platform::atomic<bool> is_recording{false};

/// Takes some ten nanoseconds, which is slow only beside what it is called from.
void record(kind what, const void* whom, std::uint32_t number) noexcept;

/// The calling thread is a worker; its events are shown under this number.
void this_thread_is_worker(unsigned index) noexcept;

}  // namespace detail

/// Whether something is being recorded now.
[[nodiscard]] inline bool is_on() noexcept {
  if constexpr (config::records_traces) {
    return detail::is_recording.load(std::memory_order_relaxed);
  }
  return false;
}

/// Records an event if a recording is on.  Costs one predictable branch if none is, and
/// nothing at all if `config::records_traces` is false.
inline void note(kind what, const void* whom = nullptr, std::uint32_t number = 0) noexcept {
  if (is_on()) [[unlikely]]
    detail::record(what, whom, number);
}

/// Names the calling task for the rest of its life.  `name` must stay valid: use a literal.
/// A task is identified by its coroutine frame; a task that it awaits has another.
inline void name_task(const char* name) noexcept { note(kind::task_named, name); }

/// Marks a part of a task, whatever it is, from here to the end of the scope.  `name` must
/// stay valid: use a literal.
class section : pinned<section> {
 public:
  explicit section(const char* name) noexcept : name_{name} {
    note(kind::mark_begins, name);
  }
  ~section() { note(kind::mark_ends, name_); }

 private:
  const char* name_;
};

}  // namespace hotseat::trace
