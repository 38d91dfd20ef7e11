#include <harness/command.hpp>
#include <harness/interrupt.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <support/files.hpp>
#include <support/handoffs.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>

namespace hotseat::bench {

namespace {

/// For an overview: the fewest that can tell contenders apart.
constexpr unsigned short_repetitions = 4;

}  // namespace

int campaign_command::run() {
  require_writable(wanted_.output);
  if (std::string what = missing(); !what.empty()) throw std::runtime_error{what};
  const assignment next = prepare();
  campaign all{next.what};
  for (const std::string& each : next.absent) fmt::print("absent: {}\n", each);
  fmt::print("{}\n{}\nmedian of {}\n\n", all.machine().describe(), next.headline,
             all.what().repetitions);
  std::fflush(stdout);
  all.measure();
  print_table(all, next.columns);
  fmt::print("{}\n", next.legend);
  all.write(wanted_.output);
  return all.is_complete() ? 0 : interrupted_exit_code;
}

int campaign_command::run_for_all(const std::string& folder, bool is_short) {
  if (const std::string what = missing(); !what.empty()) {
    fmt::print("absent: {}\n", what);
    return 0;
  }
  wanted_.output = folder + "/" + name() + ".json";
  if (is_short) {
    wanted_.repetitions = short_repetitions;
    shorten();
  }
  return run();
}

plan campaign_command::plan_over(std::vector<axis> axes) const {
  plan made;
  made.benchmark = name();
  made.axes = std::move(axes);
  made.repetitions = wanted_.repetitions;
  made.seed = wanted_.seed;
  return made;
}

void campaign_command::declare_sizes(option_list& options) {
  options.number("--tasks", wanted_.tasks, "concurrent tasks", 1, 10'000'000);
  options.number("--iterations", wanted_.iterations,
                 "of each task; by default as many as suit the workload", 1, 100'000'000);
}

void campaign_command::declare_workers(option_list& options) {
  options.numbers("--workers", wanted_.workers, "worker counts, e.g. 1,2,4", 1,
                  thread_pool_options::most_threads);
}

void campaign_command::declare_repetitions(option_list& options) {
  options.number("--repetitions", wanted_.repetitions, "runs of each cell", 1, 1000);
  options.number("--seed", wanted_.seed, "of what is drawn at random", 0,
                 std::numeric_limits<std::uint64_t>::max());
  options.text("--output", wanted_.output, "file for all results, as JSON");
}

void campaign_command::declare_handoffs(option_list& options) {
  wanted_.handoffs = handoff_names;
  options.words("--handoffs", wanted_.handoffs, "what unlock does with the heir",
                handoff_names);
}

void campaign_command::declare_rivals(option_list& options,
                                      std::vector<std::string> present) {
  wanted_.rivals = present;
  present.emplace_back("none");
  options.words("--rivals", wanted_.rivals, "rivals to measure as well", present);
}

bool is_among(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<std::pair<std::string, double>> share_of_ideal(const campaign& measured,
                                                           const cell& alone,
                                                           const cell& which) {
  if (!measured.has(alone)) return {};
  const std::string& score = measured.what().score;
  const double cpus = std::min(which.at.front(), static_cast<double>(usable_cpus()));
  const double ideal = measured.of(alone, score).median * cpus;
  return {{"share_of_ideal", measured.of(which, score).median / ideal}};
}

}  // namespace hotseat::bench
