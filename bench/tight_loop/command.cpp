#include <hotseat/runtime/thread_pool.hpp>
#include <support/handoffs.hpp>
#include <support/machine.hpp>
#include <support/report.hpp>
#include <tight_loop/command.hpp>
#include <tight_loop/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class tight_loop_command final : public command {
 public:
  tight_loop_command() {
    wanted_.tasks = 1000;
    wanted_.handoffs = handoff_names;
  }

  [[nodiscard]] std::string name() const override { return "tight-loop"; }
  [[nodiscard]] std::string about() const override {
    return "sections and parallel parts of all lengths: where exchanging pays";
  }

  void declare(CLI::App& app) override {
    add_number(app, "--tasks", wanted_.tasks, "concurrent tasks", std::size_t{1},
               std::size_t{1'000'000});
    add_numbers(app, "--section-ns", sections_ns_,
                "busy waiting in the section; 0 is an increment and nothing else",
                std::uint64_t{0}, std::uint64_t{1'000'000});
    add_numbers(app, "--parallel-ns", parallels_ns_, "busy waiting after the section",
                std::uint64_t{0}, std::uint64_t{1'000'000});
    declare_workers(app, wanted_);
    std::vector<std::string> contenders = handoff_names;
    contenders.emplace_back(delegated);
    add_words(app, "--handoffs", wanted_.handoffs,
              "what unlock does with the heir; or with_lock instead of lock and unlock",
              contenders);
    app.add_option("--state", state_, "how the mutex keeps its line")
        ->check(CLI::IsMember(state_names))
        ->capture_default_str();
    app.add_option("--order", order_, "from which end a worker takes its tasks")
        ->check(CLI::IsMember(order_names))
        ->capture_default_str();
    add_number(app, "--chain-limit", chain_limit_, "exchanges in a row on one worker", 1U,
               4'000'000'000U);
    add_number(app, "--run-ms", run_ms_, "how long a run takes at least", 1U, 60'000U);
    declare_repetitions(app, wanted_);
  }

  int run() override {
    return run_campaign(make_plan(), wanted_.output,
                        fmt::format("{} tasks, {}, order: {}, chain limit {}",
                                    wanted_.tasks, state_, order_, chain_limit_),
                        {median_of("mops", "Mops/s", 3), range_of("mops", 3),
                         ratio_to_rival("dispatch"), percent_of("foreign_load", "others")},
                        "Mops/s: millions of iterations a second.");
  }

  int run_for_all(const std::string& folder, bool is_short) override {
    wanted_.output = folder + "/" + name() + ".json";
    if (is_short) {
      wanted_.repetitions = short_repetitions;
      wanted_.workers = {usable_cpus()};
    }
    return run();
  }

 private:
  [[nodiscard]] plan make_plan() {
    plan all{.benchmark = name(),
             .axes = {{"workers", "workers", ""},
                      {"section_ns", "section", "ns"},
                      {"parallel_ns", "parallel", "ns"}},
             .cells = {},
             .repetitions = wanted_.repetitions,
             .seed = wanted_.seed,
             .score = "mops",
             .rival = "dispatch",
             .settings = {{"tasks", wanted_.tasks},
                          {"state", state_},
                          {"order", order_},
                          {"chain_limit", chain_limit_},
                          {"run_ms", run_ms_}},
             .run = [this](const cell& which, std::uint64_t) { return run_once(which); },
             .derive = {}};
    for (const unsigned workers : wanted_.workers) {
      for (const std::uint64_t section_ns : sections_ns_) {
        for (const std::uint64_t parallel_ns : parallels_ns_) {
          for (const std::string& handoff : wanted_.handoffs) {
            all.cells.push_back(
                {handoff,
                 {static_cast<double>(workers), static_cast<double>(section_ns),
                  static_cast<double>(parallel_ns)}});
          }
        }
      }
    }
    return all;
  }

  /// A run that turns out too short does not count; the next one has more iterations.
  [[nodiscard]] measurement run_once(const cell& which) {
    const double least = 1e-3 * run_ms_;
    std::uint64_t& iterations = iterations_[which];
    if (iterations == 0) iterations = iterations_for(least / 10, shortest_time(which));
    for (;;) {
      const foreign_load others;
      const loop_outcome outcome =
          run_tight_loop(which.contender, state_,
                         {.tasks = wanted_.tasks,
                          .iterations = iterations,
                          .workers = static_cast<unsigned>(which.at[0]),
                          .section_ns = static_cast<std::uint64_t>(which.at[1]),
                          .parallel_ns = static_cast<std::uint64_t>(which.at[2]),
                          .order = order_named(order_),
                          .chain_limit = chain_limit_});
      const double operations =
          static_cast<double>(iterations) * static_cast<double>(wanted_.tasks);
      const double seconds = outcome.seconds;
      if (seconds >= least) {
        return {{{"mops", 1e-6 * operations / seconds},
                 {"seconds", seconds},
                 {"iterations", static_cast<double>(iterations)},
                 {"foreign_load", others.share()}},
                {{"stats", to_json_value(outcome.stats)}}};
      }
      // A little more than needed, but not more than a step that a hiccup could justify.
      iterations = std::clamp(iterations_for(1.25 * least, seconds / operations),
                              iterations + 1, 20 * iterations);
    }
  }

  /// What an iteration takes if nothing is lost.
  [[nodiscard]] static double shortest_time(const cell& which) {
    constexpr double overhead = 10e-9;
    const double section = 1e-9 * which.at[1];
    const double parallel = 1e-9 * which.at[2];
    const double used = std::min(which.at[0], static_cast<double>(usable_cpus()));
    return overhead + std::max(section, (section + parallel) / used);
  }

  [[nodiscard]] std::uint64_t iterations_for(double seconds, double each) const {
    return static_cast<std::uint64_t>(
        std::ceil(seconds / each / static_cast<double>(wanted_.tasks)));
  }

  common_options wanted_;
  std::vector<std::uint64_t> sections_ns_{0, 50, 250, 1000};
  std::vector<std::uint64_t> parallels_ns_{0, 100, 500, 2000};
  std::string state_ = state_names.front();
  std::string order_ = "fifo";
  std::uint32_t chain_limit_ = thread_pool_options{}.chain_limit;
  unsigned run_ms_ = 50;
  std::map<cell, std::uint64_t> iterations_;
};

}  // namespace

std::unique_ptr<command> make_tight_loop_command() {
  return std::make_unique<tight_loop_command>();
}

}  // namespace hotseat::bench
