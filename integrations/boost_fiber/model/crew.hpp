// integrations/boost_fiber/model/crew.hpp — threads of fibers for one scenario.
#pragma once

#include <hotseat/platform/seam.hpp>
#include <model/boost_fiber.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::boost_fiber::test {

namespace fibers = boost::fibers;

/// Wakers change only the end of a timed wait, so fewer schedules will do.
constexpr std::uint64_t share = HOTSEAT_BOOST_HAS_WAKERS ? 2 : 1;

enum class order { round_robin, shared_work, work_stealing };

inline const char* name_of(order which) noexcept {
  switch (which) {
    case order::round_robin:
      return "round_robin";
    case order::shared_work:
      return "shared_work";
    default:
      return "work_stealing";
  }
}
constexpr std::array all_orders{order::round_robin, order::shared_work,
                                order::work_stealing};

inline void PrintTo(order which, std::ostream* out) { *out << name_of(which); }
inline std::string name_of_instance(const ::testing::TestParamInfo<order>& info) {
  return name_of(info.param);
}

/// Makes the algorithms of all threads before any of them runs, as Boost's work_stealing
/// does.
class crew {
 public:
  using body = std::function<void()>;

  /// Runs each body as the main fiber of a thread of its own, the first on the calling
  /// thread. Returns when all threads have ended.
  static void run(const std::vector<std::pair<order, body>>& bodies) {
    crew all;
    for (const auto& each : bodies) all.add(each.first);
    std::vector<platform::thread> others;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
      others.emplace_back([&all, &bodies, i] { all.run_on(i, bodies[i]); });
    }
    all.run_on(0, bodies[0]);
    for (platform::thread& each : others) each.join();
  }

  static void run(order same, const std::vector<body>& bodies) {
    std::vector<std::pair<order, body>> all;
    for (const body& each : bodies) all.emplace_back(same, each);
    run(all);
  }

 private:
  void add(order which) {
    if (which == order::round_robin) {
      algorithms_.push_back(std::make_shared<fibers::algo::round_robin>());
    } else if (which == order::shared_work) {
      algorithms_.push_back(std::make_shared<fibers::algo::shared_work>(queue_));
    } else {
      thieves_.push_back(std::make_shared<fibers::algo::work_stealing>(thieves_));
      algorithms_.push_back(thieves_.back());
    }
  }

  void run_on(std::size_t i, const std::pair<order, body>& what) {
    // The algorithm ends with its thread.
    const fibers::fiber_thread here{std::move(algorithms_[i])};
    what.second();
    if (what.first != order::work_stealing) return;
    // Boost says: a thread that steals must not end while others may have fibers in its
    // queue.
    done_.fetch_add(1, std::memory_order_relaxed);
    while (done_.load(std::memory_order_relaxed) != thieves_.size()) {
      fibers::context::active()->yield();
      platform::relax();
    }
  }

  fibers::algo::shared_queue queue_;
  fibers::algo::thieves thieves_;
  std::vector<fibers::algo::algorithm::ptr_t> algorithms_;
  platform::atomic<std::size_t> done_{0};
};

/// Runs the bodies as fibers of the calling thread, and returns when all have ended.
inline void run_fibers(const std::vector<crew::body>& bodies) {
  std::vector<fibers::fiber> started;
  for (const crew::body& each : bodies) started.emplace_back(each);
  for (fibers::fiber& each : started) each.join();
}

}  // namespace hotseat::boost_fiber::test
