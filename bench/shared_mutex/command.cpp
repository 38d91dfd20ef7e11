#include <hotseat/runtime/thread_pool.hpp>
#include <shared_mutex/command.hpp>
#include <shared_mutex/contenders.hpp>
#include <support/handoffs.hpp>
#include <support/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

class shared_mutex_command final : public command {
 public:
  [[nodiscard]] std::string name() const override { return "shared-mutex"; }
  [[nodiscard]] std::string about() const override {
    return "readers and writers of a map behind one shared mutex, over workers and writers";
  }

  void declare(CLI::App& app) override {
    declare_sizes(app, wanted_);
    declare_workers(app, wanted_);
    add_numbers(app, "--writers", writers_, "shares of sections that write, in percent",
                0.0, 100.0);
    app.add_option("--range", range_,
                   "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel "
                   "part)")
        ->check(CLI::IsMember(std::vector<std::string>{"large", "small"}))
        ->capture_default_str();
    declare_handoffs(app, wanted_);
    declare_rivals(app, wanted_, {contenders_.back().name});
    declare_repetitions(app, wanted_);
  }

  int run() override {
    const prime_range range = range_ == "large" ? prime_range::large : prime_range::small;
    if (wanted_.iterations == 0)
      wanted_.iterations = range == prime_range::large ? 40 : 200;
    if (std::uint64_t{wanted_.iterations} * wanted_.tasks > 4'000'000'000) {
      throw std::invalid_argument{"more than 4e9 iterations in a run"};
    }
    primes_ = primes_near(range);
    return run_campaign(
        make_plan(), wanted_.output,
        fmt::format("{} tasks x {} iterations, primes: {}", wanted_.tasks,
                    wanted_.iterations, range_),
        {median_of("mops", "Mops/s", 3), range_of("mops", 3),
         derived_percent("share_of_ideal", "of ideal"), ratio_to_rival("dispatch"),
         percent_of("foreign_load", "others"), median_of("line_ns", "line", 0, "ns")},
        "writers: share of the sections that write to the map; the others look it up.\n"
        "of ideal: of one thread without a lock, times the CPUs.");
  }

  int run_for_all(const std::string& folder, bool is_short) override {
    wanted_.output = folder + "/" + name() + ".json";
    if (is_short) wanted_.repetitions = short_repetitions;
    return run();
  }

 private:
  [[nodiscard]] plan make_plan() {
    plan all{.benchmark = name(),
             .axes = {{"workers", "workers", ""}, {"writers_percent", "writers", "%"}},
             .cells = {},
             .repetitions = wanted_.repetitions,
             .seed = wanted_.seed,
             .score = "mops",
             .rival = "dispatch",
             .settings = {{"tasks", wanted_.tasks},
                          {"iterations", wanted_.iterations},
                          {"range", range_}},
             .run = [this](const cell& which,
                           std::uint64_t seed) { return run_once(which, seed); },
             .derive =
                 [](const campaign& measured, const cell& which) {
                   return share_of_ideal(measured,
                                         {one_reader_writer_name, {1, which.at[1]}}, which);
                 }};
    for (const double writers : writers_) {
      all.cells.push_back({one_reader_writer_name, {1, writers}});
      for (const unsigned workers : wanted_.workers) {
        for (const shared_mutex_contender& each : contenders_) {
          if (is_among(wanted_.handoffs, each.name) ||
              is_among(wanted_.rivals, each.name)) {
            all.cells.push_back({each.name, {static_cast<double>(workers), writers}});
          }
        }
      }
    }
    return all;
  }

  [[nodiscard]] measurement run_once(const cell& which, std::uint64_t seed) const {
    const shared_mutex_settings settings{.tasks = wanted_.tasks,
                                         .iterations = wanted_.iterations,
                                         .workers = static_cast<unsigned>(which.at[0]),
                                         .writers = which.at[1] / 100,
                                         .primes = primes_,
                                         .order = queue_order::fifo,
                                         .chain_limit = thread_pool_options{}.chain_limit,
                                         .seed = seed};
    const auto who =
        std::find_if(contenders_.begin(), contenders_.end(),
                     [&](const auto& each) { return each.name == which.contender; });
    const shared_mutex_outcome outcome = who->run(settings);
    return {{{"mops", outcome.mops},
             {"seconds", outcome.seconds},
             {"cpu_seconds", outcome.cpu_seconds},
             {"foreign_load", outcome.foreign_load},
             {"line_ns", outcome.line_ns}},
            {{"stats", to_json_value(outcome.stats)}}};
  }

  common_options wanted_;
  std::vector<double> writers_{6.25, 12.5, 25, 50};
  std::string range_ = "large";
  std::vector<shared_mutex_contender> contenders_ = shared_mutex_contenders();
  std::vector<std::uint32_t> primes_;
};

}  // namespace

std::unique_ptr<command> make_shared_mutex_command() {
  return std::make_unique<shared_mutex_command>();
}

}  // namespace hotseat::bench
