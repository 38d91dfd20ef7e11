// bench/simulate/share_report.cpp — which cells there are, and how they are shown.
#include <harness/interrupt.hpp>
#include <simulate/share_report.hpp>
#include <support/build_facts.hpp>
#include <support/progress.hpp>
#include <support/report.hpp>
#include <support/table.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

namespace hotseat::bench {

namespace {

/// One line of the table.
struct cell {
  share_settings settings;
  std::string variant;  ///< Of the primitive: its share of writers, its permits.
  share_outcome seen{};
  double limit_mops = 0;  ///< The same tasks without the primitive.

  [[nodiscard]] double share() const { return seen.mops / limit_mops; }
};

bool has_handoffs(const std::string& primitive) {
  return primitive == "mutex" || primitive == "shared_mutex" || primitive == "semaphore";
}

class shares {
 public:
  explicit shares(const share_wishes& wanted) : wanted_{wanted} {
    for (const std::string& primitive : wanted.primitives) {
      share_settings of = wanted.common;
      of.primitive = primitive;
      if (!has_handoffs(primitive)) {
        add_variants(of);
        continue;
      }
      for (const std::string& handoff : wanted.handoffs) {
        of.handoff = handoff;
        add_variants(of);
      }
    }
  }

  int run() {
    require_writable(wanted_.output);
    const share_settings& common = wanted_.common;
    fmt::print("simulated: {}, not measured\n", common.machine.name);
    fmt::print(
        "{} tasks for each worker, {} uses a task, section {} ns, parallel part {} ns, "
        "seed {}, commit {}\n\n",
        common.tasks_each, common.iterations, common.section_ns, common.parallel_ns,
        common.seed, build_facts::commit);
    std::fflush(stdout);
    const std::size_t done = simulate_all();
    const bool is_complete = done == cells_.size();
    cells_.resize(done);
    print();
    if (!is_complete) fmt::print("interrupted: cells are missing\n");
    write_report(wanted_.output, as_json(is_complete));
    return is_complete ? 0 : interrupted_exit_code;
  }

 private:
  void add_variants(share_settings of) {
    if (of.primitive == "shared_mutex") {
      for (const double writers : wanted_.writers) {
        of.writers = writers;
        add(of, fmt::format("{:.4g} % write", 100 * writers));
      }
    } else if (of.primitive == "semaphore") {
      for (const std::uint64_t permits : wanted_.permits) {
        of.permits = permits;
        add(of, permits == 0 ? "a permit a worker" : fmt::format("{} permits", permits));
      }
    } else if (of.primitive == "channel") {
      add(of, fmt::format("capacity {}", of.capacity));
    } else {
      add(of, "");
    }
  }

  void add(share_settings of, const std::string& variant) {
    const bool is_one_each = of.primitive == "semaphore" && of.permits == 0;
    for (const unsigned workers : wanted_.workers) {
      of.workers = workers;
      if (is_one_each) of.permits = workers;
      cells_.push_back({.settings = of, .variant = variant});
    }
  }

  /// Returns how many cells are done.  An interrupt ends it after the current run.
  std::size_t simulate_all() {
    const interrupt_guard guard;
    progress bar{(cells_.size() + wanted_.workers.size()) * wanted_.repetitions};
    std::vector<double> limits;  // in the order of wanted_.workers
    for (const unsigned workers : wanted_.workers) {
      share_settings nothing = wanted_.common;
      nothing.primitive = "none";
      nothing.workers = workers;
      const auto seen = median_of(nothing, bar);
      if (!seen) return 0;
      limits.push_back(seen->mops);
    }
    std::size_t done = 0;
    for (cell& each : cells_) {
      const auto seen = median_of(each.settings, bar);
      if (!seen) break;
      each.seen = *seen;
      each.limit_mops = limits[done % limits.size()];
      ++done;
    }
    return done;
  }

  std::optional<share_outcome> median_of(share_settings settings, progress& bar) {
    std::vector<share_outcome> runs;
    while (runs.size() < wanted_.repetitions) {
      if (is_interrupted()) return std::nullopt;
      bar.begin(fmt::format("{}, {} workers", settings.primitive, settings.workers));
      runs.push_back(run_share(settings));
      bar.step();
      ++settings.seed;
    }
    std::sort(runs.begin(), runs.end(),
              [](const auto& a, const auto& b) { return a.mops < b.mops; });
    return runs[(runs.size() - 1) / 2];
  }

  static std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

  void print() const {
    table lines{{"simulated", "", "hand-off", "workers", "share", "Mops/s", "limit",
                 "cache", "node", "remote", "scheduling", "searching", "asleep", "took"}};
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const cell& each = cells_[i];
      if (i > 0 && i % wanted_.workers.size() == 0) lines.add_gap();
      lines.add(
          {each.settings.primitive, each.variant,
           has_handoffs(each.settings.primitive) ? each.settings.handoff : "",
           fmt::format("{}", each.settings.workers), fmt::format("{:.3f}", each.share()),
           fmt::format("{:.3f}", each.seen.mops), fmt::format("{:.3f}", each.limit_mops),
           fmt::format("{:.1f}", each.seen.transfers[1]),
           fmt::format("{:.1f}", each.seen.transfers[2]),
           fmt::format("{:.1f}", each.seen.transfers[3]), percent(each.seen.scheduling),
           percent(each.seen.searching), percent(each.seen.asleep),
           fmt::format("{:.1f} s", each.seen.seconds_to_simulate)});
    }
    lines.print();
    fmt::print(
        "\nAll times are virtual, except in the last column.\n"
        "share: Mops/s, millions of uses per second, over the limit, which is what the "
        "same "
        "tasks do\n"
        "  without the primitive.\n"
        "cache, node, remote: lines brought to a core, for each use, by origin.\n");
  }

  [[nodiscard]] nlohmann::json as_json(bool is_complete) const {
    nlohmann::json all = nlohmann::json::array();
    for (const cell& each : cells_) {
      all.push_back({{"primitive", each.settings.primitive},
                     {"variant", each.variant},
                     {"handoff", each.settings.handoff},
                     {"workers", each.settings.workers},
                     {"share", each.share()},
                     {"mops", each.seen.mops},
                     {"limit_mops", each.limit_mops}});
    }
    const share_settings& common = wanted_.common;
    return {{"benchmark", "simulate shares"},
            {"simulated", true},
            {"machine",
             {{"simulated", common.machine.name},
              {"preset", wanted_.preset},
              {"commit", build_facts::commit}}},
            {"settings",
             {{"tasks_each", common.tasks_each},
              {"iterations", common.iterations},
              {"section_ns", common.section_ns},
              {"parallel_ns", common.parallel_ns},
              {"repetitions", wanted_.repetitions},
              {"seed", common.seed}}},
            {"is_complete", is_complete},
            {"cells", all}};
  }

  const share_wishes& wanted_;
  std::vector<cell> cells_;
};

}  // namespace

int report_shares(const share_wishes& wanted) { return shares{wanted}.run(); }

}  // namespace hotseat::bench
