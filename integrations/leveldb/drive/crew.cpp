// hotseat/rebound/drive/crew.cpp — starting a crew, and waiting until all have returned.
#include <drive/crew.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/fiber.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sched/reschedule.hpp>

#include <pthread.h>
#include <sched.h>

#include <exception>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::rebound {
namespace {

std::vector<unsigned> allowed_cpus() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  std::vector<unsigned> cpus;
  if (::sched_getaffinity(0, sizeof(allowed), &allowed) == 0) {
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &allowed)) cpus.push_back(cpu);
    }
  }
  return cpus;
}

void pin_this_thread(unsigned cpu) noexcept {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(cpu, &only);
  ::pthread_setaffinity_np(::pthread_self(), sizeof(only), &only);  // If permitted.
}

/// The first exception that any member throws.
class first_failure {
 public:
  void guard(const auto& call) noexcept {
    try {
      call();
    } catch (...) {
      const std::lock_guard held{mutex_};
      if (!error_) error_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

void run_threads(const crew_settings& settings,
                 const std::function<void(std::size_t)>& member,
                 const std::function<void()>& meanwhile) {
  const std::vector<unsigned> cpus = allowed_cpus();
  first_failure failure;
  std::latch start{static_cast<std::ptrdiff_t>(settings.size) + 1};
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < settings.size; ++i) {
    threads.emplace_back([&, i] {
      if (!cpus.empty()) pin_this_thread(cpus[(settings.first_cpu + i) % cpus.size()]);
      start.arrive_and_wait();
      failure.guard([&] { member(i); });
    });
  }
  start.arrive_and_wait();
  failure.guard(meanwhile);
  threads.clear();
  failure.rethrow();
}

worker_stats run_fibers(const crew_settings& settings,
                        const std::function<void(std::size_t)>& member,
                        const std::function<void()>& meanwhile) {
  thread_pool pool{{.threads = settings.workers, .pin = pinning::core}};
  first_failure failure;
  std::vector<fiber> fibers;
  for (std::size_t i = 0; i < settings.size; ++i) {
    fiber_options options{.name = "member " + std::to_string(i),
                          .stack_size = settings.stack_size};
    fibers.emplace_back(pool, std::move(options),
                        [&, i] { failure.guard([&] { member(i); }); });
  }
  failure.guard(meanwhile);
  for (fiber& each : fibers) each.join();
  failure.rethrow();
  return pool.stats().total();
}

}  // namespace

void yield_member(runs_on kind) noexcept {
  if (kind == runs_on::fibers) {
    await(reschedule());
  } else {
    std::this_thread::yield();
  }
}

std::optional<worker_stats> run_crew(const crew_settings& settings,
                                     const std::function<void(std::size_t)>& member,
                                     const std::function<void()>& meanwhile) {
  if (settings.kind == runs_on::fibers) return run_fibers(settings, member, meanwhile);
  run_threads(settings, member, meanwhile);
  return std::nullopt;
}

}  // namespace hotseat::rebound
