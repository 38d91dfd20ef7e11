#include <program/commands.hpp>
#include <queuing_delay/workload.hpp>
#include <support/handoffs.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class queuing_delay_command final : public campaign_command {
 public:
  queuing_delay_command() {
    wanted_.workers = {usable_cpus()};
    wanted_.iterations = 0;
  }

  [[nodiscard]] std::string name() const override { return "queuing-delay"; }
  [[nodiscard]] std::string about() const override {
    return "from the end of a section to the begin of the next one, and how long tasks "
           "wait";
  }

  void declare(option_list& options) override {
    options.numbers("--tasks", tasks_, "numbers of concurrent tasks", 1, 1'000'000);
    options.number("--iterations", wanted_.iterations,
                   "of each task; by default 200000 for all tasks together", 1,
                   100'000'000);
    declare_workers(options);
    options.number("--section-ns", section_ns_, "busy waiting in the section", 0,
                   1'000'000);
    options.number("--parallel-ns", parallel_ns_, "busy waiting after the section", 0,
                   1'000'000);
    declare_handoffs(options);
    declare_repetitions(options);
  }

  assignment prepare() override {
    plan all = plan_over({{"workers", "workers", ""}, {"tasks", "tasks", ""}});
    all.settings = {{"section_ns", section_ns_},
                    {"parallel_ns", parallel_ns_},
                    {"iterations", wanted_.iterations}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const unsigned workers : wanted_.workers) {
      for (const std::size_t tasks : tasks_) {
        for (const std::string& handoff : wanted_.handoffs) {
          all.cells.push_back(
              {handoff, {static_cast<double>(workers), static_cast<double>(tasks)}});
        }
      }
    }
    const std::string headline =
        fmt::format("section {} ns, parallel part {} ns", section_ns_, parallel_ns_);
    return {
        std::move(all),
        headline,
        {median_of("mops", "Mops/s", 3), ratio_to_rival("dispatch"),
         percent_of("waited", "waited"),
         median_of("queuing_ns_p50", "queuing p50", 0, "ns"),
         median_of("queuing_ns_p99", "p99", 0, "ns"),
         median_of("queuing_ns_p999", "p99.9", 0, "ns"),
         median_of("wait_ns_p50", "wait p50", 0, "ns"),
         median_of("wait_ns_p99", "p99", 0, "ns"),
         median_of("wait_ns_p999", "p99.9", 0, "ns"),
         median_of("section_ns_p50", "section p50", 0, "ns"), median_of("jain", "Jain", 3)},
        "queuing: from the end of a section to the begin of the one it was handed to.  "
        "wait: from the\ncall of lock to the begin of the section, all calls.  waited: "
        "share "
        "of calls that had to wait.\nJain: fairness of the tasks' progress at half time, 1 "
        "is "
        "even.",
        {}};
  }

 private:
  [[nodiscard]] measurement run_once(const cell& which) const {
    constexpr std::size_t all_sections = 200'000;
    const auto tasks = static_cast<std::size_t>(which.at[1]);
    const delay_settings settings{
        .tasks = tasks,
        .iterations = wanted_.iterations != 0 ? wanted_.iterations
                                              : static_cast<std::uint32_t>(std::max(
                                                    all_sections / tasks, std::size_t{1})),
        .workers = static_cast<unsigned>(which.at[0]),
        .section_ns = section_ns_,
        .parallel_ns = parallel_ns_};
    return with_mutex_named(which.contender, state_names.front(),
                            [&]<class Mutex>() { return measure_delays<Mutex>(settings); });
  }

  std::vector<std::size_t> tasks_{1, 2, 8, 48, 64, 128, 256};
  std::uint64_t section_ns_ = 500;
  std::uint64_t parallel_ns_ = 1000;
};

}  // namespace

command_pointer make_queuing_delay_command() {
  return std::make_unique<queuing_delay_command>();
}

}  // namespace hotseat::bench
