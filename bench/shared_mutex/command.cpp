// bench/shared_mutex/command.cpp — hotseat-bench shared-mutex: the paper's reader-writer
// benchmark (section 6.2), by tasks on a pool and by plain threads.
#include <hotseat/hotseat.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <program/commands.hpp>
#include <shared_mutex/workload.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

template <class Mutex>
task<> loop(shared_mutex_run<Mutex>& run, reader_writer& self) {
  for (std::uint32_t i = 0; i < self.iterations; ++i) {
    const step next = run.draw(self);
    if (next.is_write) {
      co_await run.mutex().lock();
      run.write(next.prime);
      co_await run.mutex().unlock();
    } else {
      co_await run.mutex().lock_shared();
      run.read(self, next.prime);
      co_await run.mutex().unlock_shared();
    }
    run.work(self, next.prime);
  }
}

/// As many tasks as the settings say, on a pool.
template <class Mutex>
timed_run run_on_pool(const shared_mutex_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  shared_mutex_run<Mutex> run{settings, settings.tasks};
  std::vector<task<>> tasks;
  tasks.reserve(settings.tasks);
  for (reader_writer& each : run.participants()) tasks.push_back(loop(run, each));
  return run.measure([&] { sync_wait(pool, when_all(std::move(tasks))); });
}

struct no_lock {};

timed_run run_on_one_thread(const shared_mutex_settings& settings) {
  shared_mutex_run<no_lock> run{settings, 1};
  reader_writer& self = run.participants().front();
  return run.measure([&] {
    for (std::uint32_t i = 0; i < self.iterations; ++i) {
      const step next = run.draw(self);
      if (next.is_write) {
        run.write(next.prime);
      } else {
        run.read(self, next.prime);
      }
      run.work(self, next.prime);
    }
  });
}

timed_run run_on_threads(const shared_mutex_settings& settings) {
  shared_mutex_run<std::shared_mutex> run{settings, settings.workers};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (reader_writer& each : run.participants()) {
    threads.emplace_back([&run, &start, &self = each] {
      start.arrive_and_wait();
      for (std::uint32_t i = 0; i < self.iterations; ++i) {
        const step next = run.draw(self);
        if (next.is_write) {
          const std::unique_lock held{run.mutex()};
          run.write(next.prime);
        } else {
          const std::shared_lock held{run.mutex()};
          run.read(self, next.prime);
        }
        run.work(self, next.prime);
      }
    });
  }
  return run.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

struct shared_mutex_contender {
  std::string name;
  std::function<timed_run(const shared_mutex_settings&)> run;
};

/// The same number of iterations by one thread, without a lock: the basis of the ideal.
constexpr const char* one_reader_writer_name = "one thread, no lock";

/// The baseline, the hand-offs of tasks on a pool, and as many threads as there are
/// workers, with std::shared_mutex.
std::vector<shared_mutex_contender> shared_mutex_contenders() {
  return {{one_reader_writer_name, run_on_one_thread},
          {"exchange", run_on_pool<basic_shared_mutex<handoff::exchange>>},
          {"dispatch", run_on_pool<basic_shared_mutex<handoff::dispatch>>},
          {"resume_inline", run_on_pool<basic_shared_mutex<handoff::resume_inline>>},
          {"OS threads with std::shared_mutex", run_on_threads}};
}

class shared_mutex_command final : public campaign_command {
 public:
  [[nodiscard]] std::string name() const override { return "shared-mutex"; }
  [[nodiscard]] std::string about() const override {
    return "readers and writers of a map behind one shared mutex, over workers and writers";
  }

  void declare(option_list& options) override {
    declare_sizes(options);
    declare_workers(options);
    options.numbers("--writers", writers_, "shares of sections that write, in percent", 0.0,
                    100.0);
    options.word("--range", range_,
                 "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel "
                 "part)",
                 {"large", "small"});
    declare_handoffs(options);
    declare_rivals(options, {contenders_.back().name});
    declare_repetitions(options);
  }

  assignment prepare() override {
    const prime_range range = range_ == "large" ? prime_range::large : prime_range::small;
    if (wanted_.iterations == 0)
      wanted_.iterations = range == prime_range::large ? 40 : 200;
    if (std::uint64_t{wanted_.iterations} * wanted_.tasks > 4'000'000'000) {
      throw std::invalid_argument{"more than 4e9 iterations in a run"};
    }
    primes_ = primes_near(range);
    return {make_plan(),
            fmt::format("{} tasks x {} iterations, primes: {}", wanted_.tasks,
                        wanted_.iterations, range_),
            {median_of("mops", "Mops/s", 3), range_of("mops", 3),
             derived_percent("share_of_ideal", "of ideal"), ratio_to_rival("dispatch"),
             percent_of("foreign_load", "others"), median_of("line_ns", "line", 0, "ns")},
            "writers: share of the sections that write to the map; the others look it up.\n"
            "of ideal: of one thread without a lock, times the CPUs.",
            {}};
  }

 private:
  [[nodiscard]] plan make_plan() {
    plan all = plan_over({{"workers", "workers", ""}, {"writers_percent", "writers", "%"}});
    all.settings = {
        {"tasks", wanted_.tasks}, {"iterations", wanted_.iterations}, {"range", range_}};
    all.run = [this](const cell& which, std::uint64_t seed) {
      return run_once(which, seed);
    };
    all.derive = [](const campaign& measured, const cell& which) {
      return share_of_ideal(measured, {one_reader_writer_name, {1, which.at[1]}}, which);
    };
    for (const double writers : writers_) {
      all.cells.push_back({one_reader_writer_name, {1, writers}});
      for (const unsigned workers : wanted_.workers) {
        for (const shared_mutex_contender& each : contenders_) {
          if (is_among(wanted_.handoffs, each.name) ||
              is_among(wanted_.rivals, each.name)) {
            all.cells.push_back({each.name, {static_cast<double>(workers), writers}});
          }
        }
      }
    }
    return all;
  }

  [[nodiscard]] measurement run_once(const cell& which, std::uint64_t seed) const {
    const shared_mutex_settings settings{.tasks = wanted_.tasks,
                                         .iterations = wanted_.iterations,
                                         .workers = static_cast<unsigned>(which.at[0]),
                                         .writers = which.at[1] / 100,
                                         .primes = primes_,
                                         .order = queue_order::fifo,
                                         .chain_limit = thread_pool_options{}.chain_limit,
                                         .seed = seed};
    const auto who =
        std::find_if(contenders_.begin(), contenders_.end(),
                     [&](const auto& each) { return each.name == which.contender; });
    return to_measurement(who->run(settings));
  }

  std::vector<double> writers_{6.25, 12.5, 25, 50};
  std::string range_ = "large";
  std::vector<shared_mutex_contender> contenders_ = shared_mutex_contenders();
  std::vector<std::uint32_t> primes_;
};

}  // namespace

command_pointer make_shared_mutex_command() {
  return std::make_unique<shared_mutex_command>();
}

}  // namespace hotseat::bench
