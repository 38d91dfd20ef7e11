#include <program/commands.hpp>
#include <semaphore/workload.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

class semaphore_command final : public campaign_command {
 public:
  semaphore_command() { wanted_.tasks = 1000; }

  [[nodiscard]] std::string name() const override { return "semaphore"; }
  [[nodiscard]] std::string about() const override {
    return "tasks that share a few permits, over workers and permits";
  }

  void declare(option_list& options) override {
    declare_sizes(options);
    declare_workers(options);
    options.numbers("--permits", permits_, "numbers of permits", 1, 1'000'000);
    options.number("--section-ns", section_ns_, "busy waiting with a permit", 0, 1'000'000);
    options.number("--parallel-ns", parallel_ns_, "busy waiting without one", 0, 1'000'000);
    declare_handoffs(options);
    declare_repetitions(options);
  }

  assignment prepare() override {
    if (wanted_.iterations == 0) wanted_.iterations = 200;
    plan all = plan_over({{"workers", "workers", ""}, {"permits", "permits", ""}});
    all.settings = {{"tasks", wanted_.tasks},
                    {"iterations", wanted_.iterations},
                    {"section_ns", section_ns_},
                    {"parallel_ns", parallel_ns_}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const std::uint64_t permits : permits_) {
      for (const unsigned workers : wanted_.workers) {
        for (const std::string& handoff : wanted_.handoffs) {
          all.cells.push_back(
              {handoff, {static_cast<double>(workers), static_cast<double>(permits)}});
        }
      }
    }
    return {std::move(all),
            fmt::format("{} tasks x {} iterations, {} ns with a permit, {} ns without",
                        wanted_.tasks, wanted_.iterations, section_ns_, parallel_ns_),
            {median_of("mops", "Mops/s", 3), range_of("mops", 3),
             ratio_to_rival("dispatch"), percent_of("foreign_load", "others")},
            "Mops/s: millions of iterations a second.",
            {}};
  }

 private:
  [[nodiscard]] measurement run_once(const cell& which) const {
    const semaphore_settings settings{.tasks = wanted_.tasks,
                                      .iterations = wanted_.iterations,
                                      .workers = static_cast<unsigned>(which.at[0]),
                                      .permits = static_cast<std::uint64_t>(which.at[1]),
                                      .section_ns = section_ns_,
                                      .parallel_ns = parallel_ns_};
    if (which.contender == "exchange") {
      return run_semaphore<basic_semaphore<handoff::exchange>>(settings);
    }
    if (which.contender == "dispatch") {
      return run_semaphore<basic_semaphore<handoff::dispatch>>(settings);
    }
    return run_semaphore<basic_semaphore<handoff::resume_inline>>(settings);
  }

  std::vector<std::uint64_t> permits_{1, 2, 4};
  std::uint64_t section_ns_ = 250;
  std::uint64_t parallel_ns_ = 250;
};

}  // namespace

command_pointer make_semaphore_command() { return std::make_unique<semaphore_command>(); }

}  // namespace hotseat::bench
