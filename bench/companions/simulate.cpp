// bench/companions/simulate.cpp — the library on a machine that is not here: another build
// of the same names.
#include <companions/commands.hpp>
#include <companions/companion.hpp>
#include <support/handoffs.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class simulate_command final : public companion_command {
 public:
  simulate_command()
      : companion_command{
            {"bench_simulate", {"."}, "the library built for the simulated machine"},
            {{"--workers", "--workers", "worker counts", 1, 256, true},
             {"--tasks", "--tasks", "numbers of concurrent tasks", 1, 1e6, true},
             {"--iterations", "--iterations", "sections of each task", 1, 1e6},
             {"--repetitions", "--repetitions", "runs of each cell, with other seeds", 1,
              1000},
             {"--seed", "--seed", "the same seed makes the same run", 0, 1e18}}} {}

  [[nodiscard]] std::string name() const override { return "simulate"; }
  [[nodiscard]] std::string about() const override {
    return "mutex and shared_mutex on the paper's machine, simulated; nothing is measured";
  }

  void declare(CLI::App& app) override {
    companion_command::declare(app);
    declare_words(app, "--handoffs", "--handoffs", "what unlock does with the heir",
                  handoff_names);
  }

 private:
  /// The paper's figures, as simulate/figures.sh has them; or what of them takes seconds.
  [[nodiscard]] std::vector<std::vector<std::string>> runs_for_all(
      const std::string& folder, bool is_short) const override {
    const std::string start = folder + "/simulated-";
    if (is_short) {
      return {{"--tasks", "1000", "--iterations", "5", "--workers", "1,16,64,256",
               "--output", start + "throughput.json"},
              {"--tasks", "500", "--iterations", "5", "--workers", "256", "--section-ns",
               "100,1000,7500", "--handoffs", "exchange,dispatch", "--output",
               start + "speedup.json"}};
    }
    return {
        {"--output", start + "throughput.json"},
        {"--workers", "32,128,256", "--section-ns", "100,250,500,1000,2500,7500", "--tasks",
         "2000", "--handoffs", "exchange,dispatch", "--output", start + "speedup.json"},
        {"--workers", "64,256", "--writers", "0.5,0.25,0.125,0.0625", "--tasks", "2000",
         "--output", start + "shared.json"},
        {"--workers", "256", "--tasks", "64,128,256,512,1024,4096", "--handoffs",
         "exchange,dispatch", "--output", start + "queuing.json"}};
  }
};

}  // namespace

std::unique_ptr<command> make_simulate_command() {
  return std::make_unique<simulate_command>();
}

}  // namespace hotseat::bench
