// hotseat/platform/explored/machine.hpp — threads that take turns as somebody chooses.
// Layer: platform.  Read next: location.hpp (what a load may see), then
// explore/explore.hpp (how all this is used).
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

/// Where in the program an operation stands.
using place = std::source_location;

enum class verb : std::uint8_t {
  load,
  store,
  update,            ///< any read-modify-write that cannot fail
  compare_exchange,  ///< one that has succeeded
  compare_failed,
  heavy_fence,
  futex_wait,
  futex_wake,
  start_thread,
  join_thread,
  end_thread,
  read_clock,
  relax,
  time_out,  ///< a deadline that passed while others were still running
};

/// What can go either way, besides whose turn it is.
enum class choice : std::uint8_t {
  value,         ///< Which of several stores a load sees; 0 is the newest.
  position,      ///< Before how many of the newest stores a store comes; 0 is none.
  time_out,      ///< 1: the next deadline passes now.
  weak_failure,  ///< 1: a weak compare-and-exchange fails although it could succeed.
  spin_on,       ///< 1: a thread that waits in a loop does not let the others go first.
};

/// Decides everything that is not determined by the program.  The same decisions make the
/// same execution.
class chooser {
 public:
  chooser() = default;
  chooser(const chooser&) = delete;
  chooser& operator=(const chooser&) = delete;

  /// Whose step is next.  `ready` has a bit for each thread that can go on, at least two;
  /// `current` is among them unless it has just fallen asleep, ended or yielded.
  virtual unsigned pick_thread(std::uint32_t ready, unsigned current) noexcept = 0;
  virtual unsigned pick(choice what, unsigned options) noexcept = 0;
  virtual void on_start(unsigned /*thread*/) noexcept {}
  /// The thread waits for others in a loop.
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
  std::vector<trace_entry>* trace = nullptr;  ///< Where to write every step, if anywhere.
};

struct execution_result {
  failure failed;
  std::uint64_t steps = 0;
};

/// Runs `program` once, as the first thread of an execution.  One at a time.
/// After a failure the threads are left where they are: what they own is never freed.
execution_result execute(const std::function<void()>& program, chooser& decisions,
                         const execution_options& options);

/// The name of a thread of the last execution.
[[nodiscard]] const char* thread_name(unsigned thread) noexcept;

/// What a thread passes on to whoever synchronizes with it.
struct knowledge {
  vector_clock happened;
  vector_clock fenced;
};

/// One thread of the execution.
struct thread_record {
  unsigned id = 0;
  bool is_finished = false;
  vector_clock happened;      ///< Before whatever it does next.
  vector_clock fenced;        ///< Or ordered before it by fences; covers `happened`.
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

  /// What came before happens before what this thread does next.
  void learn(const knowledge& before) noexcept {
    happened.join(before.happened);
    fenced.join(before.fenced);
    visible.join(before.fenced);
  }
  /// The same for others: what to `learn` for what shall come after.
  [[nodiscard]] knowledge publish() noexcept {
    const knowledge so_far{happened, fenced};
    tick();
    return so_far;
  }
  /// A new moment.  What comes later is not covered by what was published before.
  moment tick() noexcept { return visible[id] = fenced[id] = ++happened[id]; }
};

/// The thread that runs; null while no execution does.  Then atomics and the like behave as
/// on a machine with one thread.
inline constinit thread_record* running = nullptr;

/// Which execution runs, counted from 1: what is older starts anew.
inline constinit std::uint32_t execution_number = 0;

/// A point at which another thread may go on instead.  Before each operation.
void step() noexcept;

/// The caller waits for others in a loop: mostly they go first, and it sees what they have
/// done.
void yield() noexcept;

/// Threads that wait in loops have something new to see.
void notice_change() noexcept;

[[nodiscard]] unsigned choose(choice what, unsigned options) noexcept;

/// Sleeps until `wake` is called for the bed, or until the deadline.  Returns whether it
/// was woken.
bool sleep_on(const void* bed, const std::int64_t* deadline) noexcept;
/// Wakes up to `most` of those who sleep on the bed, in no particular order.
void wake(const void* bed, unsigned most) noexcept;

[[nodiscard]] thread_record& start_thread(std::function<void()> body);
/// Until the execution is over, each start of a thread calls this first.  It may throw, as
/// where the system gives no more threads.
void on_thread_start(std::function<void()> call);
void join_thread(thread_record& other) noexcept;

/// Virtual time in nanoseconds; every step takes a microsecond.
[[nodiscard]] std::int64_t time() noexcept;

/// The two sides of an asymmetric fence: of any light and any heavy one, the earlier shows
/// the later all stores that it has come after.  Two light ones order nothing.
void light_fence() noexcept;
void heavy_fence() noexcept;
[[nodiscard]] bool has_membarrier() noexcept;
[[nodiscard]] bool shows_stale_values() noexcept;

void note(verb what, const void* object, std::uint64_t value, std::memory_order order,
          const place& where, bool is_stale = false) noexcept;

/// Ends the execution.  Does not return to the thread that calls it.
[[noreturn]] void fail(failure_kind kind, const std::string& what) noexcept;

/// Memory that lives until the execution is over.
[[nodiscard]] void* allocate_in_execution(std::size_t bytes) noexcept;

/// Makes the operations at one place of the source relaxed, to see whether anybody notices:
/// "lock_free_state.hpp:62", or only a part: "lock_free_state.hpp:62:release",
/// "...:acquire",
/// "...:failure" (of a compare-and-exchange), "...:fence".  Empty: none.
void weaken(const std::string& what);
[[nodiscard]] std::memory_order weakened_slow(std::memory_order order, const place& where,
                                              bool is_failure) noexcept;
[[nodiscard]] bool has_fence_slow(const place& where) noexcept;

/// Whether anybody wants to know of places: to weaken one, or to list them.
inline constinit bool watches_sites = false;

[[nodiscard]] inline std::memory_order weakened(std::memory_order order, const place& where,
                                                bool is_failure = false) noexcept {
  return watches_sites ? weakened_slow(order, where, is_failure) : order;
}
/// Whether the fence at that place is still one.
[[nodiscard]] inline bool has_fence(const place& where) noexcept {
  return !watches_sites || has_fence_slow(where);
}

/// From now on, remembers what could be weakened in what runs; `list_sites` adds it to the
/// file, a line each behind the name of the program, and starts anew.
void watch_sites();
void list_sites(const std::string& file, const std::string& program);

}  // namespace hotseat::platform::explored
