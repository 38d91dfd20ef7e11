// integrations/boost_fiber/tests/crew.hpp — threads that run fibers under one algorithm.
#pragma once

#include <boost/fiber/algo/round_robin.hpp>
#include <boost/fiber/algo/shared_work.hpp>
#include <boost/fiber/algo/work_stealing.hpp>
#include <boost/fiber/barrier.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>

#include <condition_variable>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hotseat::boost_fiber::test {

namespace fibers = boost::fibers;

/// The same four threads for all tests of a program: Boost's work_stealing can be set up
/// only once in a process.
template <class Algorithm>
class crew {
 public:
  static constexpr unsigned size = 4;

  static crew& instance() {
    static crew one;
    return one;
  }

  /// Runs `work(i)` for each i below `count` as a fiber, the same number on each thread,
  /// and returns when all have ended.
  void run(std::size_t count, const std::function<void(std::size_t)>& work) {
    on_each_thread([&](unsigned thread) {
      std::vector<fibers::fiber> started;
      for (std::size_t i = thread; i < count; i += size) {
        started.emplace_back([&work, i] { work(i); });
      }
      for (fibers::fiber& each : started) each.join();
    });
  }

  /// Calls `job(i)` once on each thread, in its main fiber.
  void on_each_thread(const std::function<void(unsigned)>& job) {
    // No thread leaves before all are done: fibers of other threads may be in its queue.
    fibers::barrier end{size};
    std::unique_lock held{guard_};
    job_ = [&](unsigned thread) {
      job(thread);
      end.wait();
    };
    ++generation_;
    busy_ = size;
    changed_.notify_all();
    changed_.wait(held, [&] { return busy_ == 0; });
  }

 private:
  crew() {
    for (unsigned i = 0; i < size; ++i) threads_.emplace_back([this, i] { loop(i); });
  }
  ~crew() {
    {
      const std::lock_guard held{guard_};
      is_over_ = true;
    }
    changed_.notify_all();
  }

  void loop(unsigned index) {
    if constexpr (std::is_same_v<Algorithm, fibers::algo::work_stealing>) {
      fibers::use_scheduling_algorithm<Algorithm>(size);
    } else {
      fibers::use_scheduling_algorithm<Algorithm>();
    }
    for (unsigned seen = 0;;) {
      std::unique_lock held{guard_};
      changed_.wait(held, [&] { return is_over_ || generation_ != seen; });
      if (is_over_) return;
      seen = generation_;
      held.unlock();
      job_(index);
      held.lock();
      --busy_;
      changed_.notify_all();
    }
  }

  std::mutex guard_;
  std::condition_variable changed_;
  std::function<void(unsigned)> job_;
  unsigned generation_ = 0;
  unsigned busy_ = 0;
  bool is_over_ = false;
  std::vector<std::jthread> threads_;  // Last: they use the others.
};

/// Runs the works as fibers of the calling thread, and returns when all have ended.
inline void run_here(const std::vector<std::function<void()>>& works,
                     fibers::launch how = fibers::launch::post) {
  std::vector<fibers::fiber> started;
  for (const auto& work : works) started.emplace_back(how, work);
  for (fibers::fiber& each : started) each.join();
}

/// `count`, multiplied by HOTSEAT_STRESS_SCALE.
inline std::size_t scaled(std::size_t count) {
  const char* const scale = std::getenv("HOTSEAT_STRESS_SCALE");
  const double factor = scale == nullptr ? 1.0 : std::atof(scale);
  const double wanted = static_cast<double>(count) * factor;
  return wanted < 1 ? 1 : static_cast<std::size_t>(wanted);
}

}  // namespace hotseat::boost_fiber::test
