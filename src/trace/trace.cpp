// hotseat/trace/trace.cpp — the recorder: a log for each thread that records events.
#include <hotseat/core/spin_lock.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/trace/recording.hpp>

#include "trace/environment.hpp"
#include "trace/log.hpp"

#include <mutex>
#include <new>

namespace hotseat::trace {

namespace {

using detail::thread_log;

/// Logs are never freed: a thread may still be writing after recording has stopped.
struct recorder {
  spin_lock guard;  // of what follows
  thread_log* newest = nullptr;
  unsigned threads = 0;

  detail::event_budget budget;
  platform::atomic<std::uint64_t> recording{0};  ///< Counts recordings.
  platform::atomic<std::uint64_t> dropped{0};    ///< Events without a log.
};

constinit recorder all;

struct of_thread {
  thread_log* log = nullptr;
  unsigned worker = 0;  // its number, plus one
};

/// Null if there is no memory.
thread_log* begin_log(of_thread& mine, std::uint64_t recording) noexcept {
  const std::lock_guard guard{all.guard};
  auto* const log = new (std::nothrow) thread_log{recording, all.threads, mine.worker};
  if (log == nullptr) return nullptr;
  ++all.threads;
  log->older = all.newest;
  all.newest = log;
  return mine.log = log;
}

/// Makes HOTSEAT_TRACE work in every program that links the library.
struct environment_reader {
  environment_reader() noexcept {
    if constexpr (config::records_traces) detail::start_from_environment();
  }
};
const environment_reader at_start;

}  // namespace

namespace detail {

void record(kind what, const void* whom, std::uint32_t number) noexcept {
  const std::uint64_t now = platform::ticks();
  auto& mine = platform::per_thread<of_thread>();
  const std::uint64_t recording = all.recording.load(std::memory_order_relaxed);
  thread_log* log = mine.log;
  if (log == nullptr || log->recording() != recording) [[unlikely]] {
    log = begin_log(mine, recording);
    if (log == nullptr) {
      all.dropped.fetch_add(1, std::memory_order_relaxed);
      return;
    }
  }
  log->append({.ticks = now, .whom = whom, .number = number, .what = what}, all.budget);
}

void this_thread_is_worker(unsigned index) noexcept {
  if constexpr (config::records_traces) {
    platform::per_thread<of_thread>().worker = index + 1;
  }
}

}  // namespace detail

void start(std::size_t most_events) {
  if constexpr (config::records_traces) {
    all.budget.reset(most_events);
    {
      const std::lock_guard guard{all.guard};
      all.threads = 0;
    }
    all.dropped.store(0, std::memory_order_relaxed);
    all.recording.fetch_add(1, std::memory_order_relaxed);
    detail::is_recording.store(true, std::memory_order_relaxed);
  }
}

recording stop() {
  detail::is_recording.store(false, std::memory_order_relaxed);
  recording result;
  result.ticks_per_microsecond = platform::ticks_per_microsecond();
  const std::uint64_t wanted = all.recording.load(std::memory_order_relaxed);
  const std::lock_guard guard{all.guard};
  for (const thread_log* log = all.newest; log != nullptr; log = log->older) {
    if (log->recording() != wanted) continue;
    thread_events& mine = result.threads.emplace_back();
    mine.name = log->name();
    log->append_to(mine.events);
    mine.dropped = log->dropped();
  }
  if (const std::uint64_t lost = all.dropped.load(std::memory_order_relaxed); lost != 0) {
    result.threads.push_back(
        {.name = "threads without memory", .dropped = lost, .events = {}});
  }
  return result;
}

}  // namespace hotseat::trace
