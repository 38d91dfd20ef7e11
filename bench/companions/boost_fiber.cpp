// bench/companions/boost_fiber.cpp — the drop-in for boost::fibers::mutex:
// integrations/boost_fiber.
#include <companions/commands.hpp>
#include <companions/companion.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class boost_fiber_command final : public companion_command {
 public:
  boost_fiber_command()
      : companion_command{{"bench_boost_fiber",
                           {"../integrations/boost_fiber/bench", "."},
                           "libboost-fiber-dev"},
                          {{"--workers", "--workers", "thread counts", 1, 1024, true},
                           {"--tasks", "--fibers", "concurrent fibers", 1, 30'000},
                           {"--iterations", "--iterations", "of each fiber", 1, 100'000},
                           {"--section-ns", "--section-ns",
                            "busy waiting added to the section", 0, 1e9, true},
                           {"--repetitions", "--repetitions", "runs of each cell", 1, 1000},
                           {"--seed", "--seed", "of the primes' choice", 0, 1e18}}} {}

  [[nodiscard]] std::string name() const override { return "boost-fiber"; }
  [[nodiscard]] std::string about() const override {
    return "Boost.Fiber with its own mutex and with the drop-in, over threads and sections";
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::string>> runs_for_all(
      const std::string& folder, bool is_short) const override {
    std::vector<std::string> sizes{"--output",     folder + "/boost-fiber.json",
                                   "--fibers",     "1000",
                                   "--iterations", "100",
                                   "--section-ns", "0,1000,7500"};
    if (is_short) {
      sizes.insert(sizes.end(), {"--repetitions", "4", "--workers", "1,2,4", "--algorithms",
                                 "round_robin,shared_work"});
    }
    return {sizes};
  }
};

}  // namespace

std::unique_ptr<command> make_boost_fiber_command() {
  return std::make_unique<boost_fiber_command>();
}

}  // namespace hotseat::bench
