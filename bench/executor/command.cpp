// bench/executor/command.cpp — hotseat-bench executor: what tasks cost that wait for
// nobody.
#include <executor/command.hpp>
#include <executor/contenders.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

class executor_command final : public command {
 public:
  executor_command() {
    wanted_.tasks = 1'000'000;
    wanted_.iterations = 100'000;
    wanted_.workers = {1, usable_cpus()};
    add_forking(contenders_);
    add_forking_by_tbb(contenders_);
    add_switching(contenders_);
  }

  [[nodiscard]] std::string name() const override { return "executor"; }
  [[nodiscard]] std::string about() const override {
    return "fork and join, spawn, turns and wake-ups: what tasks cost without any waiting";
  }

  void declare(CLI::App& app) override {
    add_words(app, "--workloads", workloads_, "what the tasks do", executor_workloads);
    add_number(app, "--tasks", wanted_.tasks, "of fib, skynet and spawn_join, about",
               std::size_t{1}, std::size_t{1'000'000'000});
    add_number(app, "--iterations", wanted_.iterations, "turns of switch and ping_pong", 1U,
               1'000'000'000U);
    add_number(app, "--wake-ups", wake_ups_, "of the pool; each needs 2 ms of sleep",
               std::uint64_t{1}, std::uint64_t{1'000'000});
    declare_workers(app, wanted_);
    wanted_.handoffs = {"exchange", "dispatch"};
    add_words(app, "--handoffs", wanted_.handoffs, "of ping_pong",
              {"exchange", "dispatch"});
    declare_rivals(
        app, wanted_,
        has_tbb() ? std::vector<std::string>{"oneTBB"} : std::vector<std::string>{});
    declare_repetitions(app, wanted_);
  }

  int run() override {
    if (!has_tbb()) fmt::print("absent: oneTBB, which was not found when this was built\n");
    plan all{.benchmark = name(),
             .axes = {{"workload", "workload", "", executor_workloads},
                      {"workers", "workers", ""}},
             .cells = cells(),
             .repetitions = wanted_.repetitions,
             .seed = wanted_.seed,
             .score = "mops",
             .rival = "oneTBB",
             .settings = {{"tasks", wanted_.tasks},
                          {"iterations", wanted_.iterations},
                          {"wake_ups", wake_ups_}},
             .run = [this](const cell& which, std::uint64_t) { return run_once(which); },
             .derive = {}};
    if (all.cells.empty()) throw std::invalid_argument{"nobody takes part"};
    return run_campaign(
        std::move(all), wanted_.output,
        fmt::format("about {} tasks, {} turns, {} wake-ups", wanted_.tasks,
                    wanted_.iterations, wake_ups_),
        {median_of("mops", "Mops/s", 3), range_of("mops", 3), ratio_to_rival("oneTBB"),
         median_of("ns_each", "each", 1, "ns"), median_of("cpu_ns_each", "CPU", 1, "ns"),
         percent_of("foreign_load", "others")},
        "Mops/s: millions of tasks or turns a second; of wake-ups, one after the other, "
        "the "
        "median.\neach: wall time of one; CPU: time of all threads for one.  wake_up is "
        "mostly the kernel's.");
  }

  int run_for_all(const std::string& folder, bool is_short) override {
    wanted_.output = folder + "/" + name() + ".json";
    if (is_short) wanted_.repetitions = short_repetitions;
    return run();
  }

 private:
  [[nodiscard]] bool has_tbb() const {
    return std::any_of(contenders_.begin(), contenders_.end(),
                       [](const auto& each) { return each.name == "oneTBB"; });
  }

  [[nodiscard]] bool takes_part(const executor_contender& who) const {
    if (!is_among(workloads_, who.workload)) return false;
    if (who.name == "oneTBB") return is_among(wanted_.rivals, who.name);
    return who.name == "hotseat" || is_among(wanted_.handoffs, who.name);
  }

  [[nodiscard]] std::vector<cell> cells() const {
    std::vector<cell> all;
    for (std::size_t i = 0; i < executor_workloads.size(); ++i) {
      for (const unsigned workers : wanted_.workers) {
        for (const executor_contender& each : contenders_) {
          if (each.workload == executor_workloads[i] && takes_part(each)) {
            all.push_back(
                {each.name, {static_cast<double>(i), static_cast<double>(workers)}});
          }
        }
      }
    }
    return all;
  }

  [[nodiscard]] measurement run_once(const cell& which) const {
    const std::string& workload = executor_workloads[static_cast<std::size_t>(which.at[0])];
    const auto who = std::find_if(
        contenders_.begin(), contenders_.end(), [&](const executor_contender& each) {
          return each.name == which.contender && each.workload == workload;
        });
    return who->run({.tasks = wanted_.tasks,
                     .turns = wanted_.iterations,
                     .wake_ups = wake_ups_,
                     .workers = static_cast<unsigned>(which.at[1])});
  }

  common_options wanted_;
  std::vector<std::string> workloads_ = executor_workloads;
  std::uint64_t wake_ups_ = 100;
  std::vector<executor_contender> contenders_;
};

}  // namespace

std::unique_ptr<command> make_executor_command() {
  return std::make_unique<executor_command>();
}

}  // namespace hotseat::bench
