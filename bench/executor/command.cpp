// bench/executor/command.cpp — hotseat-bench executor: the cost of tasks without locks.
#include <executor/workload.hpp>
#include <program/commands.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

class executor_command final : public campaign_command {
 public:
  executor_command() {
    wanted_.tasks = 1'000'000;
    wanted_.iterations = 100'000;
    wanted_.workers = {1, usable_cpus()};
    add_hotseat(contenders_);
    add_one_tbb(contenders_);
  }

  [[nodiscard]] std::string name() const override { return "executor"; }
  [[nodiscard]] std::string about() const override {
    return "fork and join, spawn, turns and wake-ups: what tasks cost without any waiting";
  }

  void declare(option_list& options) override {
    options.words("--workloads", workloads_, "what the tasks do", executor_workloads);
    options.number("--tasks", wanted_.tasks, "of fib, skynet and spawn_join, about", 1,
                   1'000'000'000);
    options.number("--iterations", wanted_.iterations, "turns of switch and ping_pong", 1,
                   1'000'000'000);
    options.number("--wake-ups", wake_ups_, "of the pool; each needs 2 ms of sleep", 1,
                   1'000'000);
    declare_workers(options);
    wanted_.handoffs = {"exchange", "dispatch"};
    options.words("--handoffs", wanted_.handoffs, "of ping_pong", {"exchange", "dispatch"});
    declare_rivals(options, has_tbb() ? std::vector<std::string>{"oneTBB"}
                                      : std::vector<std::string>{});
    declare_repetitions(options);
  }

  assignment prepare() override {
    std::vector<std::string> absent;
    if (!has_tbb()) absent.emplace_back("oneTBB, built without it (libtbb-dev)");
    plan all = plan_over(
        {{"workload", "workload", "", executor_workloads}, {"workers", "workers", ""}});
    all.rival = "oneTBB";
    all.settings = {{"tasks", wanted_.tasks},
                    {"iterations", wanted_.iterations},
                    {"wake_ups", wake_ups_}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    all.cells = cells();
    if (all.cells.empty()) throw std::invalid_argument{"no contender takes part"};
    return {
        std::move(all),
        fmt::format("about {} tasks, {} turns, {} wake-ups", wanted_.tasks,
                    wanted_.iterations, wake_ups_),
        {median_of("mops", "Mops/s", 3), range_of("mops", 3), ratio_to_rival("oneTBB"),
         median_of("ns_each", "each", 1, "ns"), median_of("cpu_ns_each", "CPU", 1, "ns"),
         percent_of("foreign_load", "others")},
        "Mops/s: millions of tasks or turns a second; of wake-ups, one after the other, "
        "the "
        "median.\neach: wall time of one; CPU: time of all threads for one.  wake_up is "
        "mostly the kernel's.",
        absent};
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

  std::vector<std::string> workloads_ = executor_workloads;
  std::uint64_t wake_ups_ = 100;
  std::vector<executor_contender> contenders_;
};

}  // namespace

command_pointer make_executor_command() { return std::make_unique<executor_command>(); }

}  // namespace hotseat::bench
