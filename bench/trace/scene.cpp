// bench/trace/scene.cpp — three tasks on three workers, as in the paper's pictures.
#include <hotseat/core/trace_recording.hpp>
#include <hotseat/hotseat.hpp>
#include <support/handoffs.hpp>
#include <trace/scene.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

using milliseconds = std::chrono::duration<double, std::milli>;

constexpr unsigned workers = 3;
constexpr int rounds = 2;

/// What the parts take, in lengths of a section.
constexpr std::array<double, 3> first_parts{0.5, 0.8, 1.1};
constexpr double last_part = 1.2;
constexpr double work_of_others = 0.7;
constexpr double rest_of_others = 0.5;

void occupy(milliseconds time) { std::this_thread::sleep_for(time); }

template <class Mutex>
struct stage {
  Mutex mutex;
  milliseconds unit;
  std::atomic<unsigned> playing{3};
};

template <class Mutex>
task<> play(stage<Mutex>& on, const char* name, double first_part) {
  for (int round = 0; round < rounds; ++round) {
    trace::name_task(
        name);  // In each run: the first may go on in the frame of who awaits it.
    occupy(first_part * on.unit);
    co_await on.mutex.lock();
    trace::name_task(name);
    occupy(on.unit);
    co_await on.mutex.unlock();
    trace::name_task(name);
    occupy(last_part * on.unit);
  }
  --on.playing;
}

template <class Mutex>
task<> disturb(stage<Mutex>& on) {
  while (on.playing != 0) {
    trace::name_task(other_name);
    occupy(work_of_others * on.unit);
    co_await sleep_for(
        std::chrono::duration_cast<std::chrono::nanoseconds>(rest_of_others * on.unit));
  }
}

}  // namespace

trace::timeline play_scene(const std::string& handoff, double milliseconds_of_a_section) {
  with_mutex_named(handoff, state_names.front(), [&]<class Mutex>() {
    thread_pool pool{thread_pool_options{.threads = workers}};
    stage<Mutex> on{.mutex = {}, .unit = milliseconds{milliseconds_of_a_section}};
    occupy(milliseconds{
        5});  // Until the workers sleep: only then do all of them share the forks.
    std::vector<task<>> all;
    // The worker that forks them takes the first, and thieves take the last.
    all.push_back(play(on, "T1", first_parts[0]));
    for (int i = 0; i < 2; ++i) all.push_back(disturb(on));
    all.push_back(play(on, "T2", first_parts[1]));
    all.push_back(play(on, "T3", first_parts[2]));
    trace::start();
    sync_wait(pool, when_all(std::move(all)));
    return 0;
  });
  return trace::timeline_of(trace::stop());
}

}  // namespace hotseat::bench
