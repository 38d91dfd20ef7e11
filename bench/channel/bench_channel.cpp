// bench/channel/bench_channel.cpp — how many values pass through a channel, from the
// command line.
#include <channel/contenders.hpp>
#include <support/command_line.hpp>
#include <support/handoffs.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/statistics.hpp>
#include <support/table.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace hotseat::bench {
namespace {

struct options {
  std::size_t senders = 4;
  std::size_t receivers = 4;
  std::vector<std::size_t> capacities{64};
  std::uint64_t values = 1'000'000;
  std::vector<unsigned> workers{2};
  std::size_t batch = 32;
  unsigned repetitions = 7;
  std::vector<std::string> handoffs = handoff_names;
  std::string output;
};

void declare(CLI::App& app, options& wanted) {
  add_number(app, "--senders", wanted.senders, "tasks that send", std::size_t{1},
             std::size_t{1'000'000});
  add_number(app, "--receivers", wanted.receivers, "tasks that receive", std::size_t{1},
             std::size_t{1'000'000});
  add_numbers(app, "--capacity", wanted.capacities, "places in the buffer", std::size_t{0},
              std::size_t{1} << 20U);
  add_number(app, "--values", wanted.values, "values sent by all senders together",
             std::uint64_t{1}, std::uint64_t{4'000'000'000});
  add_numbers(app, "--workers", wanted.workers, "worker counts", 1U, 256U);
  add_number(app, "--batch", wanted.batch,
             "values a receiver of the batched contender takes at once; 1: leave it out",
             std::size_t{1}, std::size_t{100'000});
  add_number(app, "--repetitions", wanted.repetitions, "measurements of each cell", 1U,
             1000U);
  add_words(app, "--handoffs", wanted.handoffs, "what send does with a waiting receiver",
            handoff_names);
  app.add_option("--output", wanted.output, "file for all results, as JSON");
}

constexpr const char* os_threads = "OS threads, std::mutex";
constexpr const char* boost_fibers = "boost::fibers";

#ifdef HOTSEAT_BENCH_HAS_BOOST_FIBER
constexpr bool has_boost_fiber = true;
#else
constexpr bool has_boost_fiber = false;
#endif

/// A line of the table: what is measured again and again.
struct cell {
  std::string name;  ///< Of the hand-off, or of a baseline.
  std::size_t batch;
  unsigned workers;
  std::size_t capacity;

  auto operator<=>(const cell&) const = default;

  [[nodiscard]] std::string contender() const {
    return batch == 1 ? name : fmt::format("{}, batches of {}", name, batch);
  }
};

class benchmark {
 public:
  explicit benchmark(const options& wanted) : wanted_{wanted} {
    for (const std::size_t capacity : wanted_.capacities) {
      for (const unsigned workers : wanted_.workers) {
        cells_.push_back({os_threads, 1, workers, capacity});
        if (has_boost_fiber) cells_.push_back({boost_fibers, 1, workers, capacity});
        for (const std::string& handoff : wanted_.handoffs) {
          cells_.push_back({handoff, 1, workers, capacity});
          if (wanted_.batch != 1) {
            cells_.push_back({handoff, wanted_.batch, workers, capacity});
          }
        }
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    fmt::print("{}\n", machine_.describe());
    fmt::print("{} senders, {} receivers, {} values, median of {}\n\n", wanted_.senders,
               wanted_.receivers, wanted_.values, wanted_.repetitions);
    std::fflush(stdout);
    measure();
    print();
    write_report(wanted_.output, report());
    return 0;
  }

 private:
  /// Interleaved: noise that lasts longer than a run meets all contenders alike.  Each
  /// repetition starts somewhere else in the list.
  void measure() {
    progress bar{cells_.size() * wanted_.repetitions};
    for (unsigned repetition = 0; repetition < wanted_.repetitions; ++repetition) {
      const std::size_t first = repetition * cells_.size() / wanted_.repetitions;
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        const cell& what = cells_[(first + i) % cells_.size()];
        bar.begin(fmt::format("{}, {} workers, capacity {}", what.contender(), what.workers,
                              what.capacity));
        outcomes_[what].push_back(run_once(what));
        bar.step();
      }
    }
  }

  [[nodiscard]] channel_outcome run_once(const cell& what) const {
    const channel_settings settings{.senders = wanted_.senders,
                                    .receivers = wanted_.receivers,
                                    .capacity = what.capacity,
                                    .values = wanted_.values,
                                    .workers = what.workers};
    if (what.name == os_threads) return channel_on_threads(settings);
    if constexpr (has_boost_fiber) {
      if (what.name == boost_fibers) return channel_on_boost_fibers(settings);
    }
    return channel_on_pool(what.name, what.batch, settings);
  }

  [[nodiscard]] summary summary_of(const cell& what,
                                   double channel_outcome::* field) const {
    std::vector<double> values;
    for (const channel_outcome& each : outcomes_.at(what)) values.push_back(each.*field);
    return summarize(values);
  }

  /// Zero if the other was not measured.
  [[nodiscard]] double ratio_to(const char* other, const cell& what) const {
    const cell base{other, 1, what.workers, what.capacity};
    if (!outcomes_.contains(base)) return 0;
    return summary_of(what, &channel_outcome::mops).median /
           summary_of(base, &channel_outcome::mops).median;
  }

  static std::string shown(double ratio) {
    return ratio == 0 ? "" : fmt::format("{:.2f}x", ratio);
  }

  void print() const {
    table lines{{"contender", "workers", "capacity", "Mvalues/s", "min", "max", "spread",
                 "/ threads", "/ boost", "CPU ns", "others", "line"}};
    const cell* previous = nullptr;
    for (const cell& what : cells_) {
      if (previous != nullptr && std::tie(previous->workers, previous->capacity) !=
                                     std::tie(what.workers, what.capacity)) {
        lines.add_gap();
      }
      previous = &what;
      const summary mops = summary_of(what, &channel_outcome::mops);
      const double cpu_ns = 1e9 * summary_of(what, &channel_outcome::cpu_seconds).median /
                            static_cast<double>(wanted_.values);
      lines.add(
          {what.contender(), fmt::format("{}", what.workers),
           fmt::format("{}", what.capacity), fmt::format("{:.3f}", mops.median),
           fmt::format("{:.3f}", mops.min), fmt::format("{:.3f}", mops.max),
           fmt::format("{:.0f} %", 100 * mops.spread()), shown(ratio_to(os_threads, what)),
           shown(ratio_to(boost_fibers, what)), fmt::format("{:.1f}", cpu_ns),
           fmt::format("{:.0f} %",
                       100 * summary_of(what, &channel_outcome::foreign_load).median),
           fmt::format("{:.0f} ns", summary_of(what, &channel_outcome::line_ns).median)});
    }
    lines.print();
    fmt::print(
        "\nMvalues/s: millions of values per second, the median; spread: (max - min) / "
        "median.\n"
        "OS threads: one for each sender and receiver, whatever the workers; capacity 0 is "
        "1 there.\n"
        "CPU ns: of all threads, for each value.\n"
        "others: share of the machine that other processes used meanwhile.\n"
        "line: a cache line from CPU to CPU, before or after the run; compare only like "
        "with like.\n");
  }

  [[nodiscard]] nlohmann::json report() const {
    nlohmann::json cells = nlohmann::json::array();
    for (const cell& what : cells_) {
      nlohmann::json runs = nlohmann::json::array();
      for (const channel_outcome& each : outcomes_.at(what)) {
        runs.push_back({{"seconds", each.seconds},
                        {"cpu_seconds", each.cpu_seconds},
                        {"foreign_load", each.foreign_load},
                        {"line_ns", each.line_ns},
                        {"mops", each.mops},
                        {"stats", to_json_value(each.stats)}});
      }
      cells.push_back({{"contender", what.contender()},
                       {"name", what.name},
                       {"batch", what.batch},
                       {"workers", what.workers},
                       {"capacity", what.capacity},
                       {"mops", to_json_value(summary_of(what, &channel_outcome::mops))},
                       {"ratio_to_threads", ratio_to(os_threads, what)},
                       {"ratio_to_boost", ratio_to(boost_fibers, what)},
                       {"runs", runs}});
    }
    return {{"benchmark", "channel"},
            {"machine", machine_.finish()},
            {"settings",
             {{"senders", wanted_.senders},
              {"receivers", wanted_.receivers},
              {"values", wanted_.values},
              {"repetitions", wanted_.repetitions}}},
            {"cells", cells}};
  }

  options wanted_;
  std::vector<cell> cells_;
  std::map<cell, std::vector<channel_outcome>> outcomes_;
  machine_facts machine_;
};

}  // namespace
}  // namespace hotseat::bench

int main(int argc, char** argv) {
  using namespace hotseat::bench;
  CLI::App app{"Tasks that send to tasks through one channel: throughput.",
               "bench_channel"};
  options wanted;
  declare(app, wanted);
  return run_program(app, argc, argv, [&] { return benchmark{wanted}.run(); });
}
