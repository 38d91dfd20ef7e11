// bench/companions/commands.cpp — the benchmarks that are separate programs: the simulated
// machine, LevelDB, Boost.Fiber's drop-in and Java.
#include <companions/companion.hpp>
#include <support/handoffs.hpp>

#include <string>
#include <vector>

namespace hotseat::bench {

namespace {

/// The drop-in for boost::fibers::mutex: integrations/boost_fiber.
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

/// Virtual threads of Java: integrations/java.
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

/// LevelDB with other locks: integrations/leveldb.
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

  void declare(option_list& options) override {
    companion_command::declare(options);
    declare_words(options, "--handoffs,--locks", "--locks", "which locks to compare",
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

/// The library on a described machine: another build of the same names.
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

  void declare(option_list& options) override {
    companion_command::declare(options);
    declare_words(options, "--handoffs", "--handoffs", "what unlock does with the heir",
                  handoff_names);
  }

 private:
  /// The paper's figures, as in simulate/figures.sh; or those that take only seconds.
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

command_pointer make_boost_fiber_command() {
  return std::make_unique<boost_fiber_command>();
}

command_pointer make_java_command() { return std::make_unique<java_command>(); }

command_pointer make_leveldb_command() { return std::make_unique<leveldb_command>(); }

command_pointer make_simulate_command() { return std::make_unique<simulate_command>(); }

}  // namespace hotseat::bench
