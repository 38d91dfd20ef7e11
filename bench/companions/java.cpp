// bench/companions/java.cpp — virtual threads of Java: integrations/java.
#include <companions/commands.hpp>
#include <companions/companion.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class java_command final : public companion_command {
 public:
  java_command()
      : companion_command{
            {"bench_java",
             {"../../java", "."},
             "a JDK 21 or newer, and `make build-java` builds it"},
            {{"--workers", "--carriers", "carriers of the virtual threads", 1, 4096, true},
             {"--tasks", "--tasks", "virtual threads", 1, 1e6},
             {"--section-ns", "--sections", "busy waiting added to the section", 0, 1e9,
              true},
             {"--repetitions", "--repetitions", "JVMs for each contender", 1, 1000},
             {"--seed", "--seed", "of the primes' choice", 0, 1e18}}} {}

  [[nodiscard]] std::string name() const override { return "java"; }
  [[nodiscard]] std::string about() const override {
    return "virtual threads of Java: ReentrantLock and ExchangeLock";
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::string>> runs_for_all(
      const std::string& folder, bool is_short) const override {
    std::vector<std::string> sizes{"--output", folder + "/java.json"};
    if (is_short) {
      sizes.insert(sizes.end(),
                   {"--repetitions", "4", "--run-ms", "100", "--warm-up-ms", "500",
                    "--carriers", "1,2,4", "--sections", "0,1000,7500"});
    }
    return {sizes};
  }
};

}  // namespace

std::unique_ptr<command> make_java_command() { return std::make_unique<java_command>(); }

}  // namespace hotseat::bench
