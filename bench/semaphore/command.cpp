#include <semaphore/command.hpp>
#include <semaphore/workload.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

class semaphore_command final : public command {
 public:
  semaphore_command() { wanted_.tasks = 1000; }

  [[nodiscard]] std::string name() const override { return "semaphore"; }
  [[nodiscard]] std::string about() const override {
    return "tasks that share a few permits, over workers and permits";
  }

  void declare(CLI::App& app) override {
    declare_sizes(app, wanted_);
    declare_workers(app, wanted_);
    add_numbers(app, "--permits", permits_, "numbers of permits", std::uint64_t{1},
                std::uint64_t{1'000'000});
    add_number(app, "--section-ns", section_ns_, "busy waiting with a permit",
               std::uint64_t{0}, std::uint64_t{1'000'000});
    add_number(app, "--parallel-ns", parallel_ns_, "busy waiting without one",
               std::uint64_t{0}, std::uint64_t{1'000'000});
    declare_handoffs(app, wanted_);
    declare_repetitions(app, wanted_);
  }

  int run() override {
    if (wanted_.iterations == 0) wanted_.iterations = 200;
    plan all{.benchmark = name(),
             .axes = {{"workers", "workers", ""}, {"permits", "permits", ""}},
             .cells = {},
             .repetitions = wanted_.repetitions,
             .seed = wanted_.seed,
             .score = "mops",
             .rival = "dispatch",
             .settings = {{"tasks", wanted_.tasks},
                          {"iterations", wanted_.iterations},
                          {"section_ns", section_ns_},
                          {"parallel_ns", parallel_ns_}},
             .run = [this](const cell& which, std::uint64_t) { return run_once(which); },
             .derive = {}};
    for (const std::uint64_t permits : permits_) {
      for (const unsigned workers : wanted_.workers) {
        for (const std::string& handoff : wanted_.handoffs) {
          all.cells.push_back(
              {handoff, {static_cast<double>(workers), static_cast<double>(permits)}});
        }
      }
    }
    return run_campaign(
        std::move(all), wanted_.output,
        fmt::format("{} tasks x {} iterations, {} ns with a permit, {} ns without",
                    wanted_.tasks, wanted_.iterations, section_ns_, parallel_ns_),
        {median_of("mops", "Mops/s", 3), range_of("mops", 3), ratio_to_rival("dispatch"),
         percent_of("foreign_load", "others")},
        "Mops/s: millions of iterations a second.");
  }

  int run_for_all(const std::string& folder, bool is_short) override {
    wanted_.output = folder + "/" + name() + ".json";
    if (is_short) wanted_.repetitions = short_repetitions;
    return run();
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

  common_options wanted_;
  std::vector<std::uint64_t> permits_{1, 2, 4};
  std::uint64_t section_ns_ = 250;
  std::uint64_t parallel_ns_ = 250;
};

}  // namespace

std::unique_ptr<command> make_semaphore_command() {
  return std::make_unique<semaphore_command>();
}

}  // namespace hotseat::bench
