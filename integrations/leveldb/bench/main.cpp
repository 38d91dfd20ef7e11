// hotseat/rebound/bench/main.cpp — LevelDB under all locks, from the command line.
#include <bench/isolated.hpp>
#include <bench/one_run.hpp>
#include <drive/database.hpp>
#include <harness/interrupt.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <support/command_line.hpp>
#include <support/machine.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/statistics.hpp>
#include <support/table.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace hotseat::rebound {
namespace {

using bench::summary;

std::vector<std::string> lock_names() {
  std::vector<std::string> names;
  for (const lock_verbs& each : contenders()) names.emplace_back(each.name);
  return names;
}

struct options {
  std::vector<std::string> workloads{"readrandom"};
  std::vector<std::string> locks = lock_names();
  std::vector<std::size_t> readers{1, 2, 8, 48, 64, 128, 256};
  unsigned workers = 0;
  std::uint64_t records = 1'000'000;
  double seconds = 0.4;
  unsigned repetitions = 5;
  std::size_t yield_every = 0;
  std::uint64_t seed = 1;
  bool is_observed = false;
  std::string directory;
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  bench::add_words(app, "--workloads", wanted.workloads, "what is done", workload_names);
  bench::add_words(app, "--locks", wanted.locks, "which locks to compare", lock_names());
  bench::add_numbers(app, "--readers", wanted.readers,
                     "how many work at the same time, as threads or as fibers",
                     std::size_t{1}, std::size_t{10'000});
  bench::add_number(app, "--workers", wanted.workers,
                    "workers for the fibers; 0: as many as CPUs", 0U, 4096U);
  bench::add_number(app, "--records", wanted.records, "in the database that is read",
                    std::uint64_t{1}, std::uint64_t{1'000'000'000});
  bench::add_number(app, "--seconds", wanted.seconds, "for each run", 0.01, 3600.0);
  bench::add_number(app, "--repetitions", wanted.repetitions, "measurements of each cell",
                    1U, 1000U);
  bench::add_number(app, "--yield-every", wanted.yield_every,
                    "operations after which each lets others run; 0: never", std::size_t{0},
                    std::size_t{1'000'000});
  app.add_option("--seed", wanted.seed, "of the choice of records")->capture_default_str();
  app.add_flag("--observe", wanted.is_observed,
               "measure delays and sections, with the locks that can be observed");
  app.add_option("--directory", wanted.directory,
                 "where to make the databases; by default in memory");
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

struct cell {
  std::string workload;
  std::size_t readers = 0;
  std::string lock;

  auto operator<=>(const cell&) const = default;
};

class benchmark {
 public:
  explicit benchmark(const options& wanted) : wanted_{wanted}, scratch_{wanted.directory} {
    for (const std::string& workload : wanted_.workloads) {
      for (const std::size_t readers : wanted_.readers) {
        for (const std::string& lock : wanted_.locks) {
          if (wanted_.is_observed && !can_be_observed(lock)) continue;
          cells_.push_back({workload, readers, lock});
        }
      }
    }
    if (cells_.empty()) throw std::invalid_argument{"none of these locks can be observed"};
  }

  int run() {
    bench::require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print("{} records of 116 bytes, {} s a run, median of {}, workers: {}{}\n\n",
               wanted_.records, wanted_.seconds, wanted_.repetitions,
               wanted_.workers == 0 ? bench::usable_cpus() : wanted_.workers,
               wanted_.is_observed ? ", observed" : "");
    std::fflush(stdout);
    measure();
    wanted_.is_observed ? print_delays() : print();
    if (!is_complete()) fmt::print("interrupted: medians of the completed runs\n");
    bench::write_report(wanted_.output, report());
    return is_complete() ? 0 : bench::interrupted_exit_code;
  }

 private:
  /// Interleaved; each repetition starts elsewhere in the list.  An interrupt ends it after
  /// the current run.
  void measure() {
    const bench::interrupt_guard guard;
    const std::string filled = scratch_.path("filled");
    run_isolated(
        [&] {
          fill_database(filled, wanted_.records);
          return std::string{};
        },
        std::chrono::seconds{600});
    bench::progress bar{cells_.size() * wanted_.repetitions};
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      const std::size_t first = repetition * cells_.size() / wanted_.repetitions;
      for (std::size_t i = 0; i < cells_.size() && !bench::is_interrupted(); ++i) {
        const cell& what = cells_[(first + i) % cells_.size()];
        bar.begin(
            fmt::format("{}, {}, {} at once", what.workload, what.lock, what.readers));
        const run_settings settings{.workload = what.workload,
                                    .lock = what.lock,
                                    .readers = what.readers,
                                    .workers = wanted_.workers,
                                    .records = wanted_.records,
                                    .seconds = wanted_.seconds,
                                    .seed = wanted_.seed + repetition,
                                    .yield_every = wanted_.yield_every,
                                    .is_observed = wanted_.is_observed,
                                    .filled = filled,
                                    .scratch = scratch_.path("written")};
        runs_[what].push_back(nlohmann::json::parse(run_isolated(
            [&] { return run_once(settings).dump(); },
            std::chrono::seconds{60 + static_cast<long>(10 * wanted_.seconds)})));
        std::filesystem::remove_all(settings.scratch);
        bar.step();
      }
    }
    std::erase_if(cells_, [this](const cell& each) { return !runs_.contains(each); });
  }

  [[nodiscard]] bool is_complete() const { return !bench::is_interrupted(); }

  [[nodiscard]] std::vector<double> values_of(const cell& what, const char* path) const {
    std::vector<double> values;
    for (const nlohmann::json& each : runs_.at(what)) {
      values.push_back(each.at(nlohmann::json::json_pointer{path}).get<double>());
    }
    return values;
  }

  [[nodiscard]] summary summary_of(const cell& what, const char* path) const {
    return bench::summarize(values_of(what, path));
  }

  /// Empty if `other` was not measured.
  [[nodiscard]] std::string ratio(cell what, const std::string& other) const {
    const double own = summary_of(what, "/kops").median;
    what.lock = other;
    return runs_.contains(what)
               ? fmt::format("{:.2f}x", own / summary_of(what, "/kops").median)
               : "";
  }

  void print() const {
    bench::table lines{{"lock", "at once", "kops/s", "min", "max", "/ stock", "/ dispatch",
                        "least", "most", "Jain", "CPUs", "others"}};
    const cell* previous = nullptr;
    for (const cell& what : cells_) {
      if (previous == nullptr || previous->workload != what.workload) {
        lines.add({what.workload});
      } else if (previous->readers != what.readers) {
        lines.add_gap();
      }
      previous = &what;
      const summary kops = summary_of(what, "/kops");
      lines.add({what.lock, fmt::format("{}", what.readers),
                 fmt::format("{:.1f}", kops.median), fmt::format("{:.1f}", kops.min),
                 fmt::format("{:.1f}", kops.max), ratio(what, "stock"),
                 ratio(what, "dispatch"),
                 fmt::format("{:.0f}", summary_of(what, "/least").median),
                 fmt::format("{:.0f}", summary_of(what, "/most").median),
                 fmt::format("{:.3f}", summary_of(what, "/jain").median),
                 fmt::format("{:.2f}", summary_of(what, "/cpus_used").median),
                 fmt::format("{:.0f} %", 100 * summary_of(what, "/foreign_load").median)});
    }
    lines.print();
    fmt::print(
        "\nkops/s: thousands of operations of all readers (fillseq: writers) per second.\n"
        "least, most, Jain: operations of the slowest and the fastest one; 1 is even.\n"
        "CPUs: used by this process; others: share of the machine that others used.\n");
  }

  void print_delays() const {
    bench::table lines{{"lock", "at once", "waited", "delay p50", "p90", "p99", "p99.9",
                        "section p50", "p90", "p99", "p99.9", "kops/s", "others"}};
    const cell* previous = nullptr;
    for (const cell& what : cells_) {
      if (previous != nullptr && previous->readers != what.readers) lines.add_gap();
      previous = &what;
      bench::table::row cells{
          what.lock, fmt::format("{}", what.readers),
          fmt::format("{:.2f} %", 100 * summary_of(what, "/waited").median)};
      for (const char* const which : {"/delay_ns", "/section_ns"}) {
        for (const char* const share : {"/p50", "/p90", "/p99", "/p99.9"}) {
          cells.push_back(fmt::format(
              "{:.0f}", summary_of(what, (std::string{which} + share).c_str()).median));
        }
      }
      cells.push_back(fmt::format("{:.1f}", summary_of(what, "/kops").median));
      cells.push_back(
          fmt::format("{:.0f} %", 100 * summary_of(what, "/foreign_load").median));
      lines.add(cells);
    }
    lines.print();
    fmt::print(
        "\nwaited: share of the calls of lock that did not find it free.\n"
        "delay: from unlock to where the heir's lock returns; section: from there to "
        "unlock; "
        "ns.\n");
  }

  /// Over all runs: each has measured it in its own process.
  [[nodiscard]] double foreign_load() const {
    double sum = 0;
    double count = 0;
    for (const auto& [what, runs] : runs_) {
      for (const nlohmann::json& each : runs) sum += each.at("foreign_load").get<double>();
      count += static_cast<double>(runs.size());
    }
    return count == 0 ? 0 : sum / count;
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& what : cells_) {
      cells.push_back({{"contender", what.lock},
                       {"workload", what.workload},
                       {"readers", what.readers},
                       {"kops", bench::to_json_value(values_of(what, "/kops"))},
                       {"runs", runs_.at(what)}});
    }
    return {{"benchmark", "leveldb"},
            {"machine", bench::to_json_value(machine_)},
            {"settings",
             {{"records", wanted_.records},
              {"seconds", wanted_.seconds},
              {"repetitions", wanted_.repetitions},
              {"workers", wanted_.workers},
              {"yield_every", wanted_.yield_every},
              {"observed", wanted_.is_observed},
              {"seed", wanted_.seed}}},
            {"axes", {"workload", "readers"}},
            {"score", "kops"},
            {"rival", "dispatch"},
            {"is_complete", is_complete()},
            {"foreign_load", foreign_load()},
            {"is_quiet", foreign_load() <= bench::quiet_enough},
            {"cells", cells}};
  }

  options wanted_;
  scratch_directory scratch_;
  std::vector<cell> cells_;
  std::map<cell, std::vector<nlohmann::json>> runs_;
  bench::machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::rebound

int main(int argc, char** argv) {
  using namespace hotseat::rebound;
  CLI::App app{"LevelDB with one lock after the other: throughput, delays, fairness.",
               "bench_leveldb"};
  options wanted;
  declare(app, wanted);
  return hotseat::bench::run_program(app, argc, argv,
                                     [&] { return benchmark{wanted}.run(); });
}
