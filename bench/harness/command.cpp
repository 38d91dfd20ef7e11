#include <harness/command.hpp>
#include <harness/interrupt.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <support/handoffs.hpp>
#include <support/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hotseat::bench {

void declare_sizes(CLI::App& app, common_options& wanted) {
  add_number(app, "--tasks", wanted.tasks, "concurrent tasks", std::size_t{1},
             std::size_t{10'000'000});
  app.add_option("--iterations", wanted.iterations,
                 "of each task; by default as many as suit the workload")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{100'000'000}));
}

void declare_workers(CLI::App& app, common_options& wanted) {
  add_numbers(app, "--workers", wanted.workers, "worker counts, e.g. 1,2,4", 1U,
              unsigned{thread_pool_options::most_threads});
}

void declare_repetitions(CLI::App& app, common_options& wanted) {
  add_number(app, "--repetitions", wanted.repetitions, "runs of each cell", 1U, 1000U);
  app.add_option("--seed", wanted.seed, "of what is drawn at random")
      ->capture_default_str();
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

void declare_handoffs(CLI::App& app, common_options& wanted) {
  wanted.handoffs = handoff_names;
  add_words(app, "--handoffs", wanted.handoffs, "what unlock does with the heir",
            handoff_names);
}

void declare_rivals(CLI::App& app, common_options& wanted,
                    std::vector<std::string> present) {
  wanted.rivals = present;
  present.emplace_back("none");
  add_words(app, "--rivals", wanted.rivals, "who else takes part", present);
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

int run_campaign(plan wanted, const std::string& output, const std::string& headline,
                 const std::vector<column>& columns, const std::string& legend) {
  require_writable(output);
  campaign all{std::move(wanted)};
  fmt::print("{}\n{}\nmedian of {}\n\n", all.machine().describe(), headline,
             all.what().repetitions);
  std::fflush(stdout);
  all.measure();
  print_table(all, columns);
  fmt::print("{}\n", legend);
  write_report(output, all.report());
  return all.is_complete() ? 0 : interrupted_exit_code;
}

}  // namespace hotseat::bench
