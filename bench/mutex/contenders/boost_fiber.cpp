// bench/mutex/contenders/boost_fiber.cpp — fibers of Boost.Fiber and its mutex.
#include <mutex/contenders.hpp>

#ifdef HOTSEAT_BENCH_HAS_BOOST_FIBER

#include <boost/fiber/all.hpp>

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hotseat::bench {

namespace {

namespace fibers = boost::fibers;

/// An event that happens once; fibers of all threads wait for it.
class signal {
 public:
  void give() {
    {
      const std::lock_guard held{mutex_};
      is_given_ = true;
    }
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock held{mutex_};
    changed_.wait(held, [this] { return is_given_; });
  }

 private:
  fibers::mutex mutex_;
  fibers::condition_variable changed_;
  bool is_given_ = false;
};

/// Threads that run whatever fibers there are, until `finish`.
class helpers {
 public:
  explicit helpers(unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
      threads_.emplace_back([this] {
        fibers::use_scheduling_algorithm<fibers::algo::shared_work>(true);
        end_.wait();
      });
    }
  }
  void finish() {
    end_.give();
    threads_.clear();
  }

 private:
  signal end_;
  std::vector<std::jthread> threads_;
};

/// Created before the clock starts, as the tasks of the others are.
mutex_outcome run_fibers(const mutex_settings& settings) {
  mutex_run<fibers::mutex> all{settings, settings.tasks};
  signal start;
  std::vector<fibers::fiber> each;
  each.reserve(settings.tasks);
  for (participant& self : all.participants()) {
    each.emplace_back([&all, &start, &self] {
      start.wait();
      all.loop_with_guards(self);
    });
  }
  return all.measure([&] {
    start.give();
    for (fibers::fiber& one : each) one.join();
  });
}

/// On a separate thread, since a thread cannot get rid of its scheduler.
mutex_outcome run(const mutex_settings& settings) {
  mutex_outcome outcome{};
  std::exception_ptr failure;
  std::jthread{[&] {
    fibers::use_scheduling_algorithm<fibers::algo::shared_work>(true);
    helpers others{settings.workers - 1};
    try {
      outcome = run_fibers(settings);
    } catch (...) {
      failure = std::current_exception();
    }
    others.finish();
  }}.join();
  if (failure) std::rethrow_exception(failure);
  return outcome;
}

}  // namespace

mutex_contender boost_fiber() { return {"boost::fibers", "", run, "", "", ""}; }

}  // namespace hotseat::bench

#else

namespace hotseat::bench {
mutex_contender boost_fiber() {
  return {
      "boost::fibers", "built without Boost.Fiber (libboost-fiber-dev)", {}, "", "", ""};
}
}  // namespace hotseat::bench

#endif
