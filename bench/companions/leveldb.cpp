// bench/companions/leveldb.cpp — LevelDB with other locks in it: integrations/leveldb.
#include <companions/commands.hpp>
#include <companions/companion.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

class leveldb_command final : public companion_command {
 public:
  leveldb_command()
      : companion_command{
            {"bench_leveldb",
             {"../integrations/leveldb", "."},
             "libleveldb-dev, libsnappy-dev and the fibers"},
            {{"--workers", "--workers", "workers for the fibers; 0: as many as CPUs", 0,
              4096},
             {"--tasks", "--readers", "how many read at the same time", 1, 10'000, true},
             {"--repetitions", "--repetitions", "runs of each cell", 1, 1000},
             {"--seed", "--seed", "of the choice of records", 0, 1e18}}} {}

  [[nodiscard]] std::string name() const override { return "leveldb"; }
  [[nodiscard]] std::string about() const override {
    return "LevelDB's readrandom under each lock, over the number of readers";
  }

  void declare(CLI::App& app) override {
    companion_command::declare(app);
    declare_words(app, "--handoffs,--locks", "--locks", "which locks to compare",
                  {"exchange", "dispatch", "resume_inline", "stock", "ttas", "mcs",
                   "shfllock", "combining", "static"});
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::string>> runs_for_all(
      const std::string& folder, bool is_short) const override {
    std::vector<std::string> throughput{"--output", folder + "/leveldb.json"};
    std::vector<std::string> delays{"--observe", "--locks", "exchange,dispatch", "--output",
                                    folder + "/leveldb-delays.json"};
    if (is_short) {
      const std::vector<std::string> less{"--records", "100000",        "--seconds",
                                          "0.2",       "--repetitions", "4",
                                          "--readers", "1,8,64,256"};
      throughput.insert(throughput.end(), less.begin(), less.end());
      throughput.insert(throughput.end(),
                        {"--locks", "stock,shfllock,combining,dispatch,exchange"});
      delays.insert(delays.end(), less.begin(), less.end());
    }
    return {throughput, delays};
  }
};

}  // namespace

std::unique_ptr<command> make_leveldb_command() {
  return std::make_unique<leveldb_command>();
}

}  // namespace hotseat::bench
