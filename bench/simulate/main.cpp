// bench/simulate/main.cpp — the lock benchmarks, and one for each primitive, on described
// machines.
#include <harness/interrupt.hpp>
#include <simulate/share_report.hpp>
#include <simulate/workload.hpp>
#include <support/build_facts.hpp>
#include <support/command_line.hpp>
#include <support/handoffs.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {
namespace {

const std::vector<std::string> machine_names{"two_sockets", "four_sockets", "this_machine"};

struct options {
  std::vector<std::string> primitives;
  unsigned tasks_each = 8;
  std::vector<std::uint64_t> permits{64, 0};
  std::uint64_t capacity = 1024;
  std::string machine = "two_sockets";
  std::vector<std::size_t> tasks{5000};
  std::uint32_t iterations = 20;
  std::vector<unsigned> workers{1, 2, 4, 8, 16, 32, 64, 128, 256};
  std::vector<std::uint64_t> sections_ns{100};
  std::uint64_t parallel_ns = 20'000;
  std::vector<double> writers{-1};
  bool has_no_map = false;
  unsigned repetitions = 1;
  std::uint64_t seed = 1;
  std::vector<std::string> handoffs = handoff_names;
  std::string output;
  bool shows_each = false;
};

void declare(CLI::App& app, options& wanted) {
  add_words(app, "--primitives", wanted.primitives,
            "what share of their work tasks still do that use each of these; without, the "
            "paper's\nlock benchmark, whose tasks share a map",
            primitive_names());
  app.add_option("--machine", wanted.machine, "which machine is simulated")
      ->check(CLI::IsMember(machine_names))
      ->capture_default_str();
  add_numbers(app, "--tasks", wanted.tasks, "concurrent tasks", std::size_t{1},
              std::size_t{1'000'000});
  add_number(app, "--iterations", wanted.iterations, "sections of each task", 1U,
             1'000'000U);
  add_numbers(app, "--workers", wanted.workers, "worker counts", 1U, 256U);
  add_numbers(app, "--section-ns", wanted.sections_ns,
              "lengths of the section, besides the map", std::uint64_t{0},
              std::uint64_t{1'000'000'000});
  add_number(app, "--parallel-ns", wanted.parallel_ns, "length of the parallel part",
             std::uint64_t{0}, std::uint64_t{1'000'000'000});
  add_numbers(app, "--writers", wanted.writers,
              "shares of writers, 0 to 1, of a shared_mutex; -1 is a mutex", -1.0, 1.0);
  app.add_flag("--no-map", wanted.has_no_map, "the section is busy waiting and no more");
  add_number(app, "--repetitions", wanted.repetitions,
             "runs of each cell, with one seed after the other; the middle one is shown",
             1U, 1000U);
  add_number(app, "--tasks-each", wanted.tasks_each,
             "concurrent tasks for each worker, with a primitive", 1U, 10'000U);
  add_numbers(app, "--permits", wanted.permits, "of a semaphore; 0 is one for each worker",
              std::uint64_t{0}, std::uint64_t{1'000'000'000});
  add_number(app, "--capacity", wanted.capacity, "of a channel", std::uint64_t{0},
             std::uint64_t{1'000'000'000});
  app.add_option("--seed", wanted.seed, "the same seed makes the same run")
      ->capture_default_str();
  add_words(app, "--handoffs", wanted.handoffs, "what unlock does with the heir",
            handoff_names);
  app.add_option("--output", wanted.output, "file for all results, as JSON");
  app.add_flag("--each-worker", wanted.shows_each,
               "the file has the time shares of each worker, not only of the busiest");
}

machine_description machine_named(const std::string& name) {
  if (name == "this_machine") return machines::this_machine();
  return name == "two_sockets" ? machines::two_sockets() : machines::four_sockets();
}

int run_shares(const options& wanted) {
  std::vector<double> writers = wanted.writers;
  std::erase(writers, -1);
  if (writers.empty()) writers = {0, 0.01, 0.0625, 0.5};
  return report_shares({.common = {.machine = machine_named(wanted.machine),
                                   .tasks_each = wanted.tasks_each,
                                   .iterations = wanted.iterations,
                                   .section_ns = wanted.sections_ns.front(),
                                   .parallel_ns = wanted.parallel_ns,
                                   .capacity = wanted.capacity,
                                   .seed = wanted.seed},
                        .preset = wanted.machine,
                        .primitives = wanted.primitives,
                        .workers = wanted.workers,
                        .writers = writers,
                        .permits = wanted.permits,
                        .handoffs = wanted.handoffs,
                        .repetitions = wanted.repetitions,
                        .output = wanted.output});
}

nlohmann::json as_json(const percentiles& of) {
  return {{"p50", of.p50},
          {"p90", of.p90},
          {"p99", of.p99},
          {"p999", of.p999},
          {"max", of.most}};
}

nlohmann::json as_json(const activity_shares& of) {
  return {{"scheduling", of[0]},
          {"section", of[1]},
          {"parallel", of[2]},
          {"searching", of[3]},
          {"asleep", of[4]}};
}

nlohmann::json as_json(const std::vector<activity_shares>& of_each) {
  nlohmann::json result = nlohmann::json::array();
  for (const activity_shares& one : of_each) result.push_back(as_json(one));
  return result;
}

constexpr auto in_section = static_cast<std::size_t>(activity::section);

/// The shares of the worker that spends the most time in sections.
const activity_shares& busiest_of(const simulated_outcome& seen) {
  return *std::max_element(
      seen.worker_shares.begin(), seen.worker_shares.end(),
      [](const auto& a, const auto& b) { return a[in_section] < b[in_section]; });
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

class benchmark {
 public:
  explicit benchmark(const options& wanted)
      : wanted_{wanted}, machine_{machine_named(wanted.machine)} {
    for (const std::size_t tasks : wanted_.tasks) {
      for (const double writers : wanted_.writers) {
        for (const std::uint64_t section_ns : wanted_.sections_ns) {
          for (const unsigned workers : wanted_.workers) {
            add_cells(tasks, writers, section_ns, workers);
          }
        }
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    fmt::print("simulated: {}, not measured\n", machine_.name);
    fmt::print("{} iterations a task, parallel part {} ns, seed {}, commit {}\n\n",
               wanted_.iterations, wanted_.parallel_ns, wanted_.seed, build_facts::commit);
    std::fflush(stdout);
    simulate_all();
    print();
    if (!is_complete()) fmt::print("interrupted: {} cells are missing\n", missing());
    write_report(wanted_.output, report());
    return is_complete() ? 0 : interrupted_exit_code;
  }

 private:
  /// An interrupt ends it after the current run.
  void simulate_all() {
    const interrupt_guard guard;
    progress bar{cells_.size() * wanted_.repetitions};
    for (const simulated_settings& each : cells_) {
      std::vector<simulated_outcome> runs;
      while (runs.size() < wanted_.repetitions && !is_interrupted()) {
        simulated_settings settings = each;
        settings.seed += runs.size();
        bar.begin(fmt::format("{}, {} workers", each.handoff, each.workers));
        runs.push_back(run_simulated(settings));
        bar.step();
      }
      if (runs.size() < wanted_.repetitions) return;
      std::sort(runs.begin(), runs.end(),
                [](const auto& a, const auto& b) { return a.mops < b.mops; });
      outcomes_.push_back(runs[(runs.size() - 1) / 2]);
      runs_.push_back(std::move(runs));
    }
  }

  [[nodiscard]] std::size_t missing() const { return cells_.size() - outcomes_.size(); }
  [[nodiscard]] bool is_complete() const { return missing() == 0; }

  void add_cells(std::size_t tasks, double writers, std::uint64_t section_ns,
                 unsigned workers) {
    for (const std::string& handoff : wanted_.handoffs) {
      cells_.push_back({.machine = machine_,
                        .handoff = handoff,
                        .workers = workers,
                        .tasks = tasks,
                        .iterations = wanted_.iterations,
                        .section_ns = section_ns,
                        .has_map = !wanted_.has_no_map,
                        .parallel_ns = wanted_.parallel_ns,
                        .writers = writers,
                        .seed = wanted_.seed});
    }
  }

  void print() const {
    table lines{{"simulated",  "tasks",   "writers",       "workers",   "section",
                 "Mops/s",     "ns/op",   "occupied",      "delegated", "queuing p50",
                 "p90",        "p99",     "cache",         "node",      "remote",
                 "memory",     "section", "parallel",      "searching", "asleep",
                 "scheduling", "busiest", "steals: cache", "node",      "remote",
                 "took"}};
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const simulated_settings& what = cells_[i];
      const simulated_outcome& seen = outcomes_[i];
      if (i > 0 && cells_[i - 1].workers != what.workers) lines.add_gap();
      const auto share = [&](activity how) {
        return percent(seen.shares[static_cast<std::size_t>(how)]);
      };
      table::row row{what.handoff,
                     fmt::format("{}", what.tasks),
                     what.writers < 0 ? "mutex" : fmt::format("{} %", 100 * what.writers),
                     fmt::format("{}", what.workers),
                     fmt::format("{} ns", what.section_ns),
                     fmt::format("{:.3f}", seen.mops),
                     fmt::format("{:.0f}", seen.ns_each),
                     percent(seen.occupancy),
                     percent(seen.delegated),
                     fmt::format("{:.0f}", seen.queuing_ns.p50),
                     fmt::format("{:.0f}", seen.queuing_ns.p90),
                     fmt::format("{:.0f}", seen.queuing_ns.p99)};
      for (std::size_t from = 1; from < seen.transfers.size(); ++from) {
        row.push_back(fmt::format("{:.1f}", seen.transfers[from]));
      }
      for (const activity how : {activity::section, activity::parallel, activity::searching,
                                 activity::asleep, activity::scheduling}) {
        row.push_back(share(how));
      }
      row.push_back(percent(busiest_of(seen)[in_section]));
      for (const std::uint64_t steals : seen.stats.steals) {
        row.push_back(fmt::format("{}", steals));
      }
      row.push_back(fmt::format("{:.1f} s", seen.seconds_to_simulate));
      lines.add(std::move(row));
    }
    lines.print();
    fmt::print(
        "\nAll times are virtual, except in the last column.\n"
        "Mops/s: millions of sections per second; occupied: share of the time in which a "
        "task\n"
        "  is alone in the section; delegated: sections whose task had waited.\n"
        "queuing: ns from the end of a section to the start of the next delegated one.\n"
        "cache, node, remote, memory: lines brought to a core, for each section, by "
        "origin.\n"
        "section to scheduling: shares of the workers' time; busiest: how much of its own "
        "one\n"
        "  worker spends in sections; --each-worker has the shares of all.\n");
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const simulated_settings& what = cells_[i];
      const simulated_outcome& seen = outcomes_[i];
      nlohmann::json runs = nlohmann::json::array();
      for (const simulated_outcome& each : runs_[i]) {
        runs.push_back({{"mops", each.mops}, {"ns_each", each.ns_each}});
      }
      cells.push_back({{"contender", what.handoff},
                       {"tasks", what.tasks},
                       {"writers", what.writers},
                       {"workers", what.workers},
                       {"section_ns", what.section_ns},
                       {"mops", seen.mops},
                       {"ns_each", seen.ns_each},
                       {"occupancy", seen.occupancy},
                       {"delegated_share", seen.delegated},
                       {"queuing_ns", as_json(seen.queuing_ns)},
                       {"wait_ns", as_json(seen.wait_ns)},
                       {"transfers_each",
                        {{"cache", seen.transfers[1]},
                         {"node", seen.transfers[2]},
                         {"remote", seen.transfers[3]},
                         {"memory", seen.transfers[4]}}},
                       {"shares", as_json(seen.shares)},
                       {"busiest", as_json(busiest_of(seen))},
                       {"stats", to_json_value(seen.stats)},
                       {"runs", std::move(runs)}});
      if (wanted_.shows_each) {
        cells.back()["worker_shares"] = as_json(seen.worker_shares);
      }
    }
    return {{"benchmark", "simulate"},
            {"simulated", true},
            {"machine",
             {{"simulated", machine_.name},
              {"preset", wanted_.machine},
              {"compiler", build_facts::compiler},
              {"flags", build_facts::flags},
              {"commit", build_facts::commit},
              {"governor", "of no matter: time is virtual"},
              {"load_before", "of no matter: time is virtual"}}},
            {"settings",
             {{"iterations", wanted_.iterations},
              {"has_map", !wanted_.has_no_map},
              {"parallel_ns", wanted_.parallel_ns},
              {"repetitions", wanted_.repetitions},
              {"seed", wanted_.seed}}},
            {"axes", {"tasks", "writers", "workers", "section_ns"}},
            {"score", "mops"},
            {"rival", "dispatch"},
            {"is_complete", is_complete()},
            {"cells", cells}};
  }

  options wanted_;
  machine_description machine_;
  std::vector<simulated_settings> cells_;
  std::vector<simulated_outcome> outcomes_;           ///< The middle run of each cell.
  std::vector<std::vector<simulated_outcome>> runs_;  ///< All of them.
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{"Tasks that share a primitive, on a large simulated machine.",
               "bench_simulate"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] {
    return wanted.primitives.empty() ? benchmark{wanted}.run() : run_shares(wanted);
  });
}
