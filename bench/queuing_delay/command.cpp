// bench/queuing_delay/command.cpp — hotseat-bench queuing-delay: how long does a lock stay
// unused between two sections? (paper, 6.5)
#include <harness/measurement.hpp>
#include <hotseat/hotseat.hpp>
#include <hotseat/platform/seam.hpp>
#include <program/commands.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/observed_lock.hpp>
#include <support/statistics.hpp>
#include <support/timing.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

struct delay_settings {
  std::size_t tasks;
  std::uint32_t iterations;
  unsigned workers;
  std::uint64_t section_ns;
  std::uint64_t parallel_ns;
};

/// All times in ticks.
struct delay_sample {
  std::uint32_t wait;        ///< From the call of lock to the start of the section.
  std::uint32_t queuing;     ///< From the end of the previous section; 0 without a waiter.
  std::uint32_t section;     ///< From its start to its end.
  std::uint32_t has_waited;  ///< Whether the lock was handed over.
};

/// What one task noted.  It writes after its section, so as not to make that longer.
struct alignas(64) delay_log {
  std::vector<delay_sample> samples;
};

template <class Mutex>
struct delay_run {
  alignas(64) Mutex mutex;
  alignas(64) std::uint64_t left_at = 0;  // Protected, as is all that follows.
  std::uint64_t sections = 0;
  std::uint64_t half = 0;
  std::vector<std::uint32_t> progress;
  std::vector<std::uint32_t> progress_at_half;
};

std::uint32_t ticks_between(std::uint64_t from, std::uint64_t to) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(to < from ? 0 : std::min(to - from, most));
}

template <class Mutex>
task<> note_delays(delay_run<Mutex>& run, std::size_t index, const delay_settings& settings,
                   delay_log& log) {
  const busy_wait in_section{settings.section_ns};
  const busy_wait in_parallel{settings.parallel_ns};
  for (std::uint32_t i = 0; i < settings.iterations; ++i) {
    const std::uint64_t called = platform::ticks();
    const bool has_waited = co_await observed_lock<Mutex>{run.mutex};
    const std::uint64_t entered = platform::ticks();
    const std::uint64_t left_before = run.left_at;
    ++run.progress[index];
    if (++run.sections == run.half) [[unlikely]] {
      run.progress_at_half = run.progress;
    }
    in_section();
    const std::uint64_t left = platform::ticks();
    run.left_at = left;
    co_await run.mutex.unlock();
    log.samples.push_back({ticks_between(called, entered),
                           has_waited ? ticks_between(left_before, entered) : 0,
                           ticks_between(entered, left), has_waited ? 1U : 0U});
    in_parallel();
  }
}

measurement evaluate(std::span<const delay_log> logs, double seconds) {
  std::vector<std::uint32_t> waits;
  std::vector<std::uint32_t> queuing;
  std::vector<std::uint32_t> sections;
  for (const delay_log& log : logs) {
    for (const delay_sample& each : log.samples) {
      waits.push_back(each.wait);
      sections.push_back(each.section);
      if (each.has_waited != 0) queuing.push_back(each.queuing);
    }
  }
  const double tick_ns = 1e3 / platform::ticks_per_microsecond();
  measurement result;
  result.numbers = {
      {"mops", 1e-6 * static_cast<double>(sections.size()) / seconds},
      {"waited", static_cast<double>(queuing.size()) / static_cast<double>(waits.size())}};
  add_percentiles(result.numbers, "queuing_ns", queuing, tick_ns);
  add_percentiles(result.numbers, "wait_ns", waits, tick_ns);
  add_percentiles(result.numbers, "section_ns", sections, tick_ns);
  result.histograms = {{"queuing_histogram_ns", histogram{queuing, tick_ns}}};
  return result;
}

template <class Mutex>
measurement measure_delays(const delay_settings& settings) {
  thread_pool pool{thread_pool_options{.threads = settings.workers}};
  delay_run<Mutex> run;
  const std::uint64_t total = std::uint64_t{settings.iterations} * settings.tasks;
  run.half = (total + 1) / 2;
  run.progress.resize(settings.tasks);
  std::vector<delay_log> logs(settings.tasks);
  std::vector<task<>> tasks;
  for (std::size_t i = 0; i < settings.tasks; ++i) {
    logs[i].samples.reserve(settings.iterations);
    tasks.push_back(note_delays(run, i, settings, logs[i]));
  }
  const foreign_load others;
  const stopwatch clock;
  sync_wait(pool, when_all(std::move(tasks)));
  measurement result = evaluate(logs, clock.seconds());
  if (run.sections != total) throw std::runtime_error{"wrong result: sections were lost"};
  result.numbers.emplace_back("foreign_load", others.share());
  result.numbers.emplace_back(
      "jain", jain_index(std::span<const std::uint32_t>{run.progress_at_half}));
  const auto [least, most] =
      std::minmax_element(run.progress_at_half.begin(), run.progress_at_half.end());
  result.numbers.emplace_back("least_progress", *least);
  result.numbers.emplace_back("most_progress", *most);
  return result;
}

class queuing_delay_command final : public campaign_command {
 public:
  queuing_delay_command() {
    wanted_.workers = {usable_cpus()};
    wanted_.iterations = 0;
  }

  [[nodiscard]] std::string name() const override { return "queuing-delay"; }
  [[nodiscard]] std::string about() const override {
    return "from the end of a section to the start of the next one, and how long tasks "
           "wait";
  }

  void declare(option_list& options) override {
    options.numbers("--tasks", tasks_, "numbers of concurrent tasks", 1, 1'000'000);
    options.number("--iterations", wanted_.iterations,
                   "of each task; by default 200000 for all tasks together", 1,
                   100'000'000);
    declare_workers(options);
    options.number("--section-ns", section_ns_, "busy waiting in the section", 0,
                   1'000'000);
    options.number("--parallel-ns", parallel_ns_, "busy waiting after the section", 0,
                   1'000'000);
    declare_handoffs(options);
    declare_repetitions(options);
  }

  assignment prepare() override {
    plan all = plan_over({{"workers", "workers", ""}, {"tasks", "tasks", ""}});
    all.settings = {{"section_ns", section_ns_},
                    {"parallel_ns", parallel_ns_},
                    {"iterations", wanted_.iterations}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const unsigned workers : wanted_.workers) {
      for (const std::size_t tasks : tasks_) {
        for (const std::string& handoff : wanted_.handoffs) {
          all.cells.push_back(
              {handoff, {static_cast<double>(workers), static_cast<double>(tasks)}});
        }
      }
    }
    const std::string headline =
        fmt::format("section {} ns, parallel part {} ns", section_ns_, parallel_ns_);
    return {
        std::move(all),
        headline,
        {median_of("mops", "Mops/s", 3), ratio_to_rival("dispatch"),
         percent_of("waited", "waited"),
         median_of("queuing_ns_p50", "queuing p50", 0, "ns"),
         median_of("queuing_ns_p99", "p99", 0, "ns"),
         median_of("queuing_ns_p999", "p99.9", 0, "ns"),
         median_of("wait_ns_p50", "wait p50", 0, "ns"),
         median_of("wait_ns_p99", "p99", 0, "ns"),
         median_of("wait_ns_p999", "p99.9", 0, "ns"),
         median_of("section_ns_p50", "section p50", 0, "ns"), median_of("jain", "Jain", 3)},
        "queuing: from the end of a section to the start of the one it was handed to.  "
        "wait: from the\ncall of lock to the start of the section, all calls.  waited: "
        "share "
        "of calls that had to wait.\nJain: fairness of the tasks' progress at half time, 1 "
        "is "
        "even.",
        {}};
  }

 private:
  [[nodiscard]] measurement run_once(const cell& which) const {
    constexpr std::size_t all_sections = 200'000;
    const auto tasks = static_cast<std::size_t>(which.at[1]);
    const delay_settings settings{
        .tasks = tasks,
        .iterations = wanted_.iterations != 0 ? wanted_.iterations
                                              : static_cast<std::uint32_t>(std::max(
                                                    all_sections / tasks, std::size_t{1})),
        .workers = static_cast<unsigned>(which.at[0]),
        .section_ns = section_ns_,
        .parallel_ns = parallel_ns_};
    return with_mutex_named(which.contender, state_names.front(),
                            [&]<class Mutex>() { return measure_delays<Mutex>(settings); });
  }

  std::vector<std::size_t> tasks_{1, 2, 8, 48, 64, 128, 256};
  std::uint64_t section_ns_ = 500;
  std::uint64_t parallel_ns_ = 1000;
};

}  // namespace

command_pointer make_queuing_delay_command() {
  return std::make_unique<queuing_delay_command>();
}

}  // namespace hotseat::bench
