// bench/shared_mutex/bench_shared_mutex.cpp — the paper's reader-writer benchmark (section
// 6.2) from the command line.
#include <hotseat/hotseat.hpp>
#include <shared_mutex/workload.hpp>
#include <support/command_line.hpp>
#include <support/handoffs.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
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
shared_mutex_outcome run_on_pool(const shared_mutex_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers,
                                       .chain_limit = settings.chain_limit,
                                       .order = settings.order}};
  shared_mutex_run<Mutex> run{settings, settings.tasks};
  std::vector<task<>> tasks;
  tasks.reserve(settings.tasks);
  for (reader_writer& each : run.participants()) tasks.push_back(loop(run, each));
  shared_mutex_outcome outcome =
      run.measure([&] { sync_wait(pool, when_all(std::move(tasks))); });
  outcome.stats = pool.stats().total();
  return outcome;
}

struct no_lock {};

/// The same number of iterations by one thread, without a lock.
shared_mutex_outcome run_on_one_thread(const shared_mutex_settings& settings) {
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

/// The same number of iterations by as many threads as the settings have workers.
shared_mutex_outcome run_on_threads(const shared_mutex_settings& settings) {
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

struct options {
  std::size_t tasks = 5000;
  std::uint32_t iterations = 0;
  std::vector<unsigned> workers{1, 2, 4, 8};
  std::vector<double> writers{6.25, 12.5, 25, 50};
  std::string range = "large";
  std::string order = "fifo";
  std::uint32_t chain_limit = thread_pool_options{}.chain_limit;
  unsigned repetitions = 5;
  std::uint64_t seed = 1;
  std::vector<std::string> handoffs = handoff_names;
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  add_number(app, "--tasks", wanted.tasks, "concurrent tasks", std::size_t{1},
             std::size_t{10'000'000});
  app.add_option("--iterations", wanted.iterations,
                 "loop iterations of each task; by default 40 (large) or 200 (small)")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{100'000'000}));
  add_numbers(app, "--workers", wanted.workers, "worker counts", 1U,
              unsigned{thread_pool_options::most_threads});
  add_numbers(app, "--writers", wanted.writers, "shares of sections that write, in percent",
              0.0, 100.0);
  app.add_option(
         "--range", wanted.range,
         "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel part)")
      ->check(CLI::IsMember(std::vector<std::string>{"large", "small"}))
      ->capture_default_str();
  app.add_option("--order", wanted.order, "from which end a worker takes its tasks")
      ->check(CLI::IsMember(order_names))
      ->capture_default_str();
  add_number(app, "--chain-limit", wanted.chain_limit, "exchanges in a row on one worker",
             1U, 4'000'000'000U);
  add_number(app, "--repetitions", wanted.repetitions, "measurements of each cell", 1U,
             1000U);
  app.add_option("--seed", wanted.seed, "of what is drawn")->capture_default_str();
  add_words(app, "--handoffs", wanted.handoffs, "what unlock does with the heirs",
            handoff_names);
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

constexpr const char* one_thread = "one thread, no lock";
constexpr const char* os_threads = "OS threads, std::shared_mutex";

/// A line of the table: what is measured again and again.
struct cell {
  std::string contender;  ///< A hand-off, or the name of a baseline.
  unsigned workers;
  double writers;  ///< In percent.

  auto operator<=>(const cell&) const = default;

  [[nodiscard]] bool is_baseline() const {
    return contender == one_thread || contender == os_threads;
  }
};

class benchmark {
 public:
  explicit benchmark(const options& wanted)
      : wanted_{wanted},
        range_{wanted.range == "large" ? prime_range::large : prime_range::small},
        primes_{primes_near(range_)} {
    if (wanted_.iterations == 0) {
      wanted_.iterations = range_ == prime_range::large ? 40 : 200;
    }
    if (std::uint64_t{wanted_.iterations} * wanted_.tasks > 4'000'000'000) {
      throw std::invalid_argument{"more than 4e9 iterations in a run"};
    }
    for (const double writers : wanted_.writers) {
      add({one_thread, 1, writers});
      for (const unsigned workers : wanted_.workers) {
        add({os_threads, workers, writers});
        for (const std::string& handoff : wanted_.handoffs)
          add({handoff, workers, writers});
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print(
        "{} tasks x {} iterations, primes: {}, order: {}, chain limit {}, median of {}\n\n",
        wanted_.tasks, wanted_.iterations, wanted_.range, wanted_.order,
        wanted_.chain_limit, wanted_.repetitions);
    std::fflush(stdout);
    measure();
    print();
    write_report(wanted_.output, report());
    return 0;
  }

 private:
  void add(cell what) {
    if (std::find(cells_.begin(), cells_.end(), what) == cells_.end()) {
      cells_.push_back(std::move(what));
    }
  }

  /// Interleaved: noise that lasts longer than a run meets all contenders alike.  Each
  /// repetition starts somewhere else in the list.
  void measure() {
    progress bar{cells_.size() * wanted_.repetitions};
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      const std::size_t first = repetition * cells_.size() / wanted_.repetitions;
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        const cell& what = cells_[(first + i) % cells_.size()];
        bar.begin(fmt::format("{}, {} workers, {} % writers", what.contender, what.workers,
                              what.writers));
        outcomes_[what].push_back(run_once(what, wanted_.seed + repetition));
        bar.step();
      }
    }
  }

  [[nodiscard]] shared_mutex_outcome run_once(const cell& what, std::uint64_t seed) const {
    const shared_mutex_settings settings{.tasks = wanted_.tasks,
                                         .iterations = wanted_.iterations,
                                         .workers = what.workers,
                                         .writers = what.writers / 100,
                                         .primes = primes_,
                                         .order = order_named(wanted_.order),
                                         .chain_limit = wanted_.chain_limit,
                                         .seed = seed};
    if (what.contender == one_thread) return run_on_one_thread(settings);
    if (what.contender == os_threads) return run_on_threads(settings);
    if (what.contender == "exchange") {
      return run_on_pool<basic_shared_mutex<handoff::exchange>>(settings);
    }
    if (what.contender == "dispatch") {
      return run_on_pool<basic_shared_mutex<handoff::dispatch>>(settings);
    }
    return run_on_pool<basic_shared_mutex<handoff::resume_inline>>(settings);
  }

  [[nodiscard]] summary summary_of(const cell& what,
                                   double shared_mutex_outcome::* field) const {
    std::vector<double> values;
    for (const shared_mutex_outcome& each : outcomes_.at(what))
      values.push_back(each.*field);
    return summarize(values);
  }

  /// As many times one thread's throughput as there are CPUs for the workers.
  [[nodiscard]] double ideal(const cell& what) const {
    const cell alone{one_thread, 1, what.writers};
    return summary_of(alone, &shared_mutex_outcome::mops).median *
           std::min(what.workers, usable_cpus());
  }

  /// Zero if dispatch was not measured.
  [[nodiscard]] double ratio_to_dispatch(const cell& what) const {
    const cell dispatch{"dispatch", what.workers, what.writers};
    if (!outcomes_.contains(dispatch)) return 0;
    return summary_of(what, &shared_mutex_outcome::mops).median /
           summary_of(dispatch, &shared_mutex_outcome::mops).median;
  }

  void print() const {
    table lines{{"contender", "workers", "writers", "Mops/s", "min", "max", "spread",
                 "of ideal", "/ dispatch", "CPUs used", "others", "line"}};
    const cell* previous = nullptr;
    for (const cell& what : cells_) {
      if (previous != nullptr && std::tie(previous->workers, previous->writers) !=
                                     std::tie(what.workers, what.writers)) {
        lines.add_gap();
      }
      previous = &what;
      const summary mops = summary_of(what, &shared_mutex_outcome::mops);
      const double ratio = ratio_to_dispatch(what);
      const double used = summary_of(what, &shared_mutex_outcome::cpu_seconds).median /
                          summary_of(what, &shared_mutex_outcome::seconds).median;
      const double others = summary_of(what, &shared_mutex_outcome::foreign_load).median;
      lines.add({what.contender, fmt::format("{}", what.workers),
                 fmt::format("{} %", what.writers), fmt::format("{:.3f}", mops.median),
                 fmt::format("{:.3f}", mops.min), fmt::format("{:.3f}", mops.max),
                 fmt::format("{:.0f} %", 100 * mops.spread()),
                 fmt::format("{:.0f} %", 100 * mops.median / ideal(what)),
                 ratio == 0 || what.is_baseline() ? "" : fmt::format("{:.2f}x", ratio),
                 fmt::format("{:.2f}", used), fmt::format("{:.0f} %", 100 * others),
                 fmt::format("{:.0f} ns",
                             summary_of(what, &shared_mutex_outcome::line_ns).median)});
    }
    lines.print();
    fmt::print(
        "\nMops/s: millions of iterations per second, the median; spread: (max - min) / "
        "median.\n"
        "writers: share of the sections that write to the map; the others look it up.\n"
        "of ideal: of one thread's throughput without a lock, times the CPUs for the "
        "workers.\n"
        "others: share of the machine that other processes used meanwhile.\n"
        "line: a cache line from CPU to CPU, before or after the run; compare only like "
        "with like.\n");
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& what : cells_) {
      nlohmann::json runs = nlohmann::json::array();
      for (const shared_mutex_outcome& each : outcomes_.at(what)) {
        runs.push_back({{"seconds", each.seconds},
                        {"cpu_seconds", each.cpu_seconds},
                        {"foreign_load", each.foreign_load},
                        {"line_ns", each.line_ns},
                        {"mops", each.mops},
                        {"stats", to_json_value(each.stats)}});
      }
      const summary mops = summary_of(what, &shared_mutex_outcome::mops);
      cells.push_back({{"contender", what.contender},
                       {"workers", what.workers},
                       {"writers_percent", what.writers},
                       {"mops", to_json_value(mops)},
                       {"share_of_ideal", mops.median / ideal(what)},
                       {"ratio_to_dispatch", ratio_to_dispatch(what)},
                       {"runs", runs}});
    }
    return {{"benchmark", "shared_mutex"},
            {"machine", machine_.finish()},
            {"settings",
             {{"tasks", wanted_.tasks},
              {"iterations", wanted_.iterations},
              {"range", name_of(range_)},
              {"order", wanted_.order},
              {"chain_limit", wanted_.chain_limit},
              {"repetitions", wanted_.repetitions},
              {"seed", wanted_.seed}}},
            {"cells", cells}};
  }

  options wanted_;
  prime_range range_;
  std::vector<std::uint32_t> primes_;
  std::vector<cell> cells_;
  std::map<cell, std::vector<shared_mutex_outcome>> outcomes_;
  machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{
      "Tasks that share a map behind one shared mutex: throughput of the hand-offs.",
      "bench_shared_mutex"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] { return benchmark{wanted}.run(); });
}
