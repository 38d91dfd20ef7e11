// hotseat/platform/simulated/machine.hpp — threads with their own clocks; the one furthest
// behind runs.  Layer: platform.  Read next: src/platform/simulated/lines.hpp (what an
// access costs).
#pragma once

#include <hotseat/platform/simulated/description.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hotseat::platform::simulated {

/// Picoseconds.
using duration = std::int64_t;

enum class access : std::uint8_t { load, store, update };

/// What a thread does with its time.
enum class activity : std::uint8_t { scheduling, section, parallel, searching, asleep };
inline constexpr std::size_t activities = 5;

/// Whether a simulation runs.  If not, nothing takes time, and there is one thread.
[[nodiscard]] bool is_running() noexcept;
/// An address that identifies the calling thread.
[[nodiscard]] const void* self() noexcept;

/// An access to memory that other threads may see: lets threads that are behind go first
/// where that matters, then takes its time.
void touch(const void* address, access how) noexcept;

/// The same for memory that no other thread uses meanwhile: only takes its time.
void touch_private(const void* address, access how) noexcept;

/// Sends for a line and does not wait for it.
void prefetch(const void* address) noexcept;

/// Computes for that long.
void work(duration time) noexcept;

/// Waits until no other thread is behind.
void catch_up() noexcept;

/// The time of the calling thread.  `now` takes as long as reading a clock; `time` is free.
[[nodiscard]] duration now() noexcept;
[[nodiscard]] duration time() noexcept;
void relax() noexcept;
void heavy_fence() noexcept;
void on_resume(const void* frame) noexcept;

/// Counts time as spent on `how` from now on.  Returns the former activity.
activity spend_time(activity how) noexcept;

/// Sleeps until `wake` is called for the bed, or until the deadline.
void sleep_on(const void* bed, const duration* deadline) noexcept;
void wake(const void* bed, unsigned most) noexcept;

using thread_id = unsigned;
[[nodiscard]] thread_id start_thread(std::function<void()> body);
void join_thread(thread_id other) noexcept;
/// Moves the calling thread to a CPU of the machine.
void settle_on(unsigned cpu) noexcept;
void name_thread(const char* name) noexcept;

/// A pointer of the calling thread, one for each kind; null at first.
[[nodiscard]] void*& local(std::size_t kind) noexcept;
/// Memory for its object, until the simulation ends.
[[nodiscard]] void* allocate_local(std::size_t bytes);
[[nodiscard]] std::uintptr_t stack_floor() noexcept;
void set_last_words(void (*last_words)() noexcept) noexcept;

[[noreturn]] void fail(const std::string& what) noexcept;

[[nodiscard]] const machine_description& description() noexcept;

/// How long a thread spent on each activity.
using time_by_activity = std::array<duration, activities>;

/// What a simulation has counted.
struct counts {
  std::array<std::uint64_t, 5> transfers{};  ///< of lines, by where they came from: a
                                             ///< sibling, cache, node, remote, memory
  std::uint64_t waited = 0;                  ///< accesses that had to wait for other cores
  std::uint64_t events = 0;                  ///< switches from one thread to another
  std::uint64_t accesses = 0;
  duration end = 0;
  std::vector<time_by_activity> worker_time;  ///< of each worker, in starting order
};

/// Runs `program` as the first thread of a machine, beside its CPUs.  Returns when all
/// threads have ended.  Throws what the program throws, std::invalid_argument for an
/// impossible machine, and std::runtime_error if the threads cannot end.
counts run(const machine_description& machine, std::uint64_t seed,
           const std::function<void()>& program);

/// The counts so far.
[[nodiscard]] counts so_far();

}  // namespace hotseat::platform::simulated
