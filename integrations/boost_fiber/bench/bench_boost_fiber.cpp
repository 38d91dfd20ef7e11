// integrations/boost_fiber/bench/bench_boost_fiber.cpp — the paper's mutex benchmark on
// Boost.Fiber (section 6.3): boost::fibers::mutex against the drop-in.
#include <harness/interrupt.hpp>
#include <hotseat/boost_fiber/mutex.hpp>
#include <mutex/workload.hpp>
#include <support/command_line.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>

#include "runs.hpp"

#include <boost/fiber/mutex.hpp>
#include <boost/version.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hotseat::bench {
namespace {

const std::vector<std::string> algorithm_names{"round_robin", "shared_work",
                                               "work_stealing"};
/// What no lock can exceed; see run_alone.
const std::string limit_name = "limit";
const std::vector<std::string> mutex_names{"boost", "hotseat", limit_name};

struct options {
  std::size_t fibers = 5000;
  std::uint32_t iterations = 0;
  std::vector<unsigned> workers{1, 2, 4, 8};
  std::vector<std::uint64_t> sections_ns{0};
  std::string range = "large";
  unsigned repetitions = 5;
  std::uint64_t seed = 1;
  std::vector<std::string> algorithms = algorithm_names;
  std::vector<std::string> mutexes = mutex_names;
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  add_number(app, "--fibers", wanted.fibers, "concurrent fibers", std::size_t{1},
             std::size_t{30'000});
  app.add_option("--iterations", wanted.iterations,
                 "loop iterations of each fiber; by default 40 (large) or 200 (small)")
      ->check(CLI::Range(std::uint32_t{1}, std::uint32_t{100'000}));
  add_numbers(app, "--workers", wanted.workers, "thread counts", 1U, 1024U);
  add_numbers(app, "--section-ns", wanted.sections_ns,
              "lengths of extra busy waiting in the section, e.g. 0,250,1000,7500",
              std::uint64_t{0}, std::uint64_t{1'000'000'000});
  app.add_option(
         "--range", wanted.range,
         "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel part)")
      ->check(CLI::IsMember(std::vector<std::string>{"large", "small"}))
      ->capture_default_str();
  add_number(app, "--repetitions", wanted.repetitions, "measurements of each cell", 1U,
             1000U);
  app.add_option("--seed", wanted.seed, "of the primes' choice")->capture_default_str();
  add_words(app, "--algorithms", wanted.algorithms, "algorithms that pick the next fiber",
            algorithm_names);
  add_words(app, "--mutexes", wanted.mutexes, "locks, and what no lock can exceed",
            mutex_names);
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

/// A line of the table: one combination, measured again and again.
struct cell {
  std::string algorithm;
  unsigned workers;
  std::uint64_t section_ns;
  std::string mutex;

  auto operator<=>(const cell&) const = default;
};

class benchmark {
 public:
  explicit benchmark(const options& wanted)
      : wanted_{wanted},
        range_{wanted.range == "large" ? prime_range::large : prime_range::small},
        primes_{primes_near(range_)} {
    if (wanted_.iterations == 0)
      wanted_.iterations = range_ == prime_range::large ? 40 : 200;
    for (const std::string& algorithm : wanted_.algorithms) {
      for (const unsigned workers : wanted_.workers) {
        for (const std::uint64_t section_ns : wanted_.sections_ns) {
          for (const std::string& mutex : wanted_.mutexes) {
            cells_.push_back({algorithm, workers, section_ns, mutex});
          }
        }
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print("{} fibers x {} iterations, primes: {}, median of {}; Boost {}\n\n",
               wanted_.fibers, wanted_.iterations, wanted_.range, wanted_.repetitions,
               BOOST_LIB_VERSION);
    std::fflush(stdout);
    measure();
    print();
    if (is_interrupted()) fmt::print("interrupted: medians of the completed runs\n");
    write_report(wanted_.output, report());
    return is_interrupted() ? interrupted_exit_code : 0;
  }

 private:
  /// Interleaved: noise that lasts longer than a run affects all alike.  An interrupt takes
  /// effect only after all mutexes of a combination have run.
  void measure() {
    const interrupt_guard guard;
    progress bar{cells_.size() * wanted_.repetitions};
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      for (const cell& what : cells_) {
        if (is_interrupted() && what.mutex == wanted_.mutexes.front()) break;
        bar.begin(fmt::format("{}, {}, {} threads, +{} ns", what.mutex, what.algorithm,
                              what.workers, what.section_ns));
        std::fflush(nullptr);
        outcomes_[what].push_back(
            in_a_process([&] { return run_once(what, wanted_.seed + repetition); }));
        bar.step();
      }
    }
    std::erase_if(cells_, [this](const cell& each) { return !outcomes_.contains(each); });
  }

  [[nodiscard]] mutex_outcome run_once(const cell& what, std::uint64_t seed) const {
    const mutex_settings settings{.tasks = wanted_.fibers,
                                  .iterations = wanted_.iterations,
                                  .workers = what.workers,
                                  .section_ns = what.section_ns,
                                  .primes = primes_,
                                  .order = {},
                                  .chain_limit = 0,
                                  .seed = seed};
    if (what.mutex == limit_name) return run_alone(settings);
    if (what.mutex == "boost") {
      return run_fibers<boost::fibers::mutex>(settings, what.algorithm);
    }
    return run_fibers<hotseat::boost_fiber::mutex>(settings, what.algorithm);
  }

  [[nodiscard]] std::vector<double> values_of(const cell& what,
                                              double mutex_outcome::* field) const {
    std::vector<double> values;
    for (const mutex_outcome& each : outcomes_.at(what)) values.push_back(each.*field);
    return values;
  }

  [[nodiscard]] summary summary_of(const cell& what, double mutex_outcome::* field) const {
    return summarize(values_of(what, field));
  }

  /// The throughput in a cell, divided by that of `other` in the same place; nothing if
  /// `other` was not measured.
  [[nodiscard]] std::optional<double> ratio(cell what, const std::string& other) const {
    const double one = summary_of(what, &mutex_outcome::mops).median;
    what.mutex = other;
    if (!outcomes_.contains(what)) return std::nullopt;
    return one / summary_of(what, &mutex_outcome::mops).median;
  }

  [[nodiscard]] std::string times_boost(const cell& what) const {
    const auto times = ratio(what, "boost");
    return times && what.mutex != "boost" ? fmt::format("{:.2f}x", *times) : "";
  }

  [[nodiscard]] std::string percent_of_limit(const cell& what) const {
    const auto share = ratio(what, limit_name);
    return share ? fmt::format("{:.0f} %", 100 * *share) : "";
  }

  void print() const {
    table lines{{"algorithm", "threads", "section", "mutex", "Mops/s", "min", "max",
                 "speed-up", "of limit", "Jain first", "Jain half", "CPUs used", "others"}};
    for (const cell& what : cells_) {
      if (what.mutex == limit_name) continue;
      const summary mops = summary_of(what, &mutex_outcome::mops);
      const double used = summary_of(what, &mutex_outcome::cpu_seconds).median /
                          summary_of(what, &mutex_outcome::seconds).median;
      lines.add({what.algorithm, fmt::format("{}", what.workers),
                 fmt::format("+{} ns", what.section_ns), what.mutex,
                 fmt::format("{:.3f}", mops.median), fmt::format("{:.3f}", mops.min),
                 fmt::format("{:.3f}", mops.max), times_boost(what), percent_of_limit(what),
                 fmt::format("{:.3f}", summary_of(what, &mutex_outcome::jain_first).median),
                 fmt::format("{:.3f}", summary_of(what, &mutex_outcome::jain_half).median),
                 fmt::format("{:.2f}", used),
                 fmt::format("{:.0f} %",
                             100 * summary_of(what, &mutex_outcome::foreign_load).median)});
    }
    lines.print();
    fmt::print(
        "of limit: of what is possible if sections follow each other without a gap, "
        "and all CPUs\nare busy.  Where boost::fibers has more than half of it, "
        "no lock is twice as fast.\n");
  }

  /// The share of the machine that other programs used in all runs: each run measured it in
  /// its own process.
  [[nodiscard]] double others() const {
    double sum = 0;
    double count = 0;
    for (const auto& [what, runs] : outcomes_) {
      for (const mutex_outcome& each : runs) sum += each.foreign_load;
      count += static_cast<double>(runs.size());
    }
    return count == 0 ? 0 : sum / count;
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& what : cells_) {
      const auto runs_of = [&](double mutex_outcome::* field) {
        return to_json_value(values_of(what, field));
      };
      cells.push_back({{"contender", what.mutex},
                       {"algorithm", what.algorithm},
                       {"workers", what.workers},
                       {"section_ns", what.section_ns},
                       {"mops", runs_of(&mutex_outcome::mops)},
                       {"cpu_seconds", runs_of(&mutex_outcome::cpu_seconds)},
                       {"foreign_load", runs_of(&mutex_outcome::foreign_load)},
                       {"line_ns", runs_of(&mutex_outcome::line_ns)},
                       {"jain_first", runs_of(&mutex_outcome::jain_first)},
                       {"jain_half", runs_of(&mutex_outcome::jain_half)}});
      if (const auto times = ratio(what, "boost")) cells.back()["speed_up"] = *times;
      if (const auto share = ratio(what, limit_name)) {
        cells.back()["share_of_limit"] = *share;
      }
    }
    return {{"benchmark", "boost_fiber"},
            {"machine", to_json_value(machine_)},
            {"settings",
             {{"fibers", wanted_.fibers},
              {"iterations", wanted_.iterations},
              {"range", name_of(range_)},
              {"boost", BOOST_LIB_VERSION},
              {"repetitions", wanted_.repetitions},
              {"seed", wanted_.seed}}},
            {"axes", {"algorithm", "workers", "section_ns"}},
            {"score", "mops"},
            {"rival", "boost"},
            {"is_complete", !is_interrupted()},
            {"foreign_load", others()},
            {"is_quiet", others() <= quiet_enough},
            {"cells", cells}};
  }

  options wanted_;
  prime_range range_;
  std::vector<std::uint32_t> primes_;
  std::vector<cell> cells_;
  std::map<cell, std::vector<mutex_outcome>> outcomes_;
  machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{"Fibers of Boost that share a map behind one mutex: Boost's own, and ours.",
               "bench_boost_fiber"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] { return benchmark{wanted}.run(); });
}
