// hotseat/platform/explored/machine.hpp — threads that take turns as a chooser decides.
// Layer: platform.  Read next: location.hpp (what a load may see), then
// explore/explore.hpp (how to use it).
#pragma once

#include <hotseat/platform/explored/vector_clock.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

namespace hotseat::platform::explored {

/// Where in the source an operation stands.
using place = std::source_location;

enum class verb : std::uint8_t {
  load,
  store,
  update,            ///< any read-modify-write that cannot fail
  compare_exchange,  ///< one that succeeded
  compare_failed,
  heavy_fence,
  futex_wait,
  futex_wake,
  start_thread,
  join_thread,
  end_thread,
  read_clock,
  relax,
  time_out,  ///< a deadline that passed while other threads were running
};

/// What can go either way, besides which thread runs next.
enum class choice : std::uint8_t {
  value,         ///< Which of several stores a load sees; 0 is the newest.
  position,      ///< Before how many of the newest stores a new one comes; 0 is none.
  time_out,      ///< 1: the next deadline passes now.
  weak_failure,  ///< 1: a weak compare-and-exchange fails although it could succeed.
  spin_on,       ///< 1: a thread that waits in a loop does not let the others go first.
};

/// Decides everything that the program does not determine.  The same decisions make the
/// same execution.
class chooser {
 public:
  chooser() = default;
  chooser(const chooser&) = delete;
  chooser& operator=(const chooser&) = delete;

  /// Which thread takes the next step.  `ready` has a bit for each that can, at least two;
  /// `current` is among them unless it has just fallen asleep, ended or yielded.
  virtual unsigned pick_thread(std::uint32_t ready, unsigned current) noexcept = 0;
  virtual unsigned pick(choice what, unsigned options) noexcept = 0;
  virtual void on_start(unsigned /*thread*/) noexcept {}
  /// The thread waits for others in a loop, and lets them go first.
  virtual void on_yield(unsigned /*thread*/) noexcept {}

 protected:
  ~chooser() = default;
};

enum class failure_kind : std::uint8_t {
  none,
  assertion,
  violation,
  exception,
  deadlock,
  livelock,
  race,
  use_after_free,
  leak,
  crash,
};

struct failure {
  failure_kind kind = failure_kind::none;
  std::string what;
};

/// What an operation did, for the trace.
struct trace_entry {
  std::uint32_t thread;
  verb what;
  std::memory_order order;
  bool is_stale;  ///< A load that did not see the newest value, or a store before others.
  const void* object;
  std::uint64_t value;
  place where;
};

struct execution_options {
  std::uint64_t most_steps = 20'000;
  bool shows_stale_values = true;
  bool has_membarrier = true;
  bool checks_leaks = true;
  std::vector<trace_entry>* trace = nullptr;  ///< If not null, records every step.
};

struct execution_result {
  failure failed;
  std::uint64_t steps = 0;
};

/// Runs `program` once, as the first thread of an execution.  One at a time.  After a
/// failure the threads stay where they are, and what they own is never freed.
execution_result execute(const std::function<void()>& program, chooser& decisions,
                         const execution_options& options);

/// The name of a thread of the last execution.
[[nodiscard]] const char* thread_name(unsigned thread) noexcept;

/// What a thread passes on to a thread that synchronizes with it.
struct knowledge {
  vector_clock happened;
  vector_clock fenced;
};

/// One thread of the execution.
struct thread_record {
  unsigned id = 0;
  bool is_finished = false;
  vector_clock happened;      ///< What happened before its next step.
  vector_clock fenced;        ///< Or is ordered before it by fences; covers `happened`.
  vector_clock visible;       ///< Stores that it cannot miss; covers `fenced`.
  const void* bed = nullptr;  ///< What it sleeps on.
  bool has_deadline = false;
  bool was_woken = false;
  std::int64_t deadline = 0;
  std::array<void*, 16> locals{};  ///< per_thread
  std::function<void()> body;
  void (*last_words)() noexcept = nullptr;
  std::uintptr_t stack_floor = 0;
  std::array<char, 16> name{};

  /// What `before` covers happens before what this thread does next.
  void learn(const knowledge& before) noexcept {
    happened.join(before.happened);
    fenced.join(before.fenced);
    visible.join(before.fenced);
  }
  /// What another thread must `learn` for its next steps to come after this point.
  [[nodiscard]] knowledge publish() noexcept {
    const knowledge so_far{happened, fenced};
    tick();
    return so_far;
  }
  /// A new moment: earlier publications do not cover what follows.
  moment tick() noexcept { return visible[id] = fenced[id] = ++happened[id]; }
};

/// The thread that runs; null outside an execution, where atomics and the like behave as on
/// a machine with one thread.
inline constinit thread_record* running = nullptr;

/// Which execution runs, counted from 1.  State left from an earlier one starts anew.
inline constinit std::uint32_t execution_number = 0;

/// Called before each operation: another thread may run instead.
void step() noexcept;

/// The caller waits for others in a loop: usually they go first, and it sees what they did.
void yield() noexcept;

/// Tells threads that wait in loops to look again.
void notice_change() noexcept;

[[nodiscard]] unsigned choose(choice what, unsigned options) noexcept;

/// Sleeps until `wake` is called for the bed, or until the deadline.  Returns whether it
/// was woken.
bool sleep_on(const void* bed, const std::int64_t* deadline) noexcept;
/// Wakes up to `most` of the threads that sleep on the bed, in no particular order.
void wake(const void* bed, unsigned most) noexcept;

[[nodiscard]] thread_record& start_thread(std::function<void()> body);
/// Until the execution ends, each start of a thread calls this first.  It may throw, as on
/// a system that is out of threads.
void on_thread_start(std::function<void()> call);
void join_thread(thread_record& other) noexcept;

/// Virtual time in nanoseconds; every step takes a microsecond.
[[nodiscard]] std::int64_t time() noexcept;

/// The two sides of an asymmetric fence.  Of two fences, at least one of them heavy, the
/// earlier shows the later all stores before it.  Two light ones order nothing.
void light_fence() noexcept;
void heavy_fence() noexcept;
[[nodiscard]] bool has_membarrier() noexcept;
[[nodiscard]] bool shows_stale_values() noexcept;

void note(verb what, const void* object, std::uint64_t value, std::memory_order order,
          const place& where, bool is_stale = false) noexcept;

/// Ends the execution.  Does not return to the thread that calls it.
[[noreturn]] void fail(failure_kind kind, const std::string& what) noexcept;

/// Memory that lives until the execution ends.
[[nodiscard]] void* allocate_in_execution(std::size_t bytes) noexcept;

/// Makes the operations at one place of the source relaxed, to see whether a test notices:
/// "lock_free_state.hpp:62", or only a part of it: "lock_free_state.hpp:62:release",
/// "...:acquire", "...:failure" (of a compare-and-exchange), "...:fence".  Empty: none.
void weaken(const std::string& what);
[[nodiscard]] std::memory_order weakened_slow(std::memory_order order, const place& where,
                                              bool is_failure) noexcept;
[[nodiscard]] bool has_fence_slow(const place& where) noexcept;

/// Whether places matter: one is weakened, or all are listed.
inline constinit bool watches_sites = false;

[[nodiscard]] inline std::memory_order weakened(std::memory_order order, const place& where,
                                                bool is_failure = false) noexcept {
  return watches_sites ? weakened_slow(order, where, is_failure) : order;
}
/// Whether the fence at that place is still one.
[[nodiscard]] inline bool has_fence(const place& where) noexcept {
  return !watches_sites || has_fence_slow(where);
}

/// From now on, records what could be weakened in the code that runs.  `list_sites` appends
/// the sites to the file, one per line after the program's name, and clears them.
void watch_sites();
void list_sites(const std::string& file, const std::string& program);

}  // namespace hotseat::platform::explored
