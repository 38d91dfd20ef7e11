#include <hotseat/runtime/thread_pool.hpp>
#include <mutex/command.hpp>
#include <mutex/contenders.hpp>
#include <support/handoffs.hpp>
#include <support/report.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

struct options : common_options {
  std::vector<std::uint64_t> sections_ns{0};
  std::string range = "large";
  std::string order = "fifo";
  std::uint32_t chain_limit = thread_pool_options{}.chain_limit;
  std::vector<std::string> states{state_names.front()};
  std::vector<std::string> fronts{"coroutines"};
};

measurement to_measurement(const mutex_outcome& of) {
  return {{{"mops", of.mops},
           {"seconds", of.seconds},
           {"cpu_seconds", of.cpu_seconds},
           {"foreign_load", of.foreign_load},
           {"line_ns", of.line_ns},
           {"jain_first", of.jain_first},
           {"jain_half", of.jain_half}},
          {{"stats", to_json_value(of.stats)}}};
}

class mutex_command : public command {
 public:
  mutex_command() = default;

  [[nodiscard]] std::string name() const override { return "mutex"; }
  [[nodiscard]] std::string about() const override {
    return "tasks that share a map behind one mutex, over the number of workers";
  }

  void declare(CLI::App& app) override {
    declare_sizes(app, wanted_);
    declare_workers(app, wanted_);
    add_numbers(app, "--section-ns", wanted_.sections_ns,
                "busy waiting added to the section, e.g. 0,250,1000", std::uint64_t{0},
                std::uint64_t{1'000'000'000});
    app.add_option("--range", wanted_.range,
                   "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel "
                   "part)")
        ->check(CLI::IsMember(std::vector<std::string>{"large", "small"}))
        ->capture_default_str();
    app.add_option("--order", wanted_.order, "from which end a worker takes its tasks")
        ->check(CLI::IsMember(order_names))
        ->capture_default_str();
    add_number(app, "--chain-limit", wanted_.chain_limit,
               "exchanges in a row on one worker", 1U, 4'000'000'000U);
    declare_handoffs(app, wanted_);
    add_words(app, "--states", wanted_.states, "how the mutex keeps its line", state_names);
    add_words(app, "--fronts", wanted_.fronts, "what the tasks are", fronts());
    declare_rivals(app, wanted_, rivals());
    declare_repetitions(app, wanted_);
  }

  int run() override {
    if (wanted_.iterations == 0) wanted_.iterations = is_large() ? 40 : 200;
    if (std::uint64_t{wanted_.iterations} * wanted_.tasks > 4'000'000'000) {
      throw std::invalid_argument{"more than 4e9 iterations in a run"};
    }
    if (std::none_of(contenders_.begin(), contenders_.end(),
                     [this](const auto& each) { return takes_part(each); })) {
      throw std::invalid_argument{"nobody takes part; was this built without fibers?"};
    }
    primes_ = primes_near(is_large() ? prime_range::large : prime_range::small);
    for (const mutex_contender& each : contenders_) {
      if (!each.absent.empty()) fmt::print("absent: {}, {}\n", each.name, each.absent);
    }
    const std::string headline = fmt::format(
        "{} tasks x {} iterations, primes: {}, order: {}, chain limit {}", wanted_.tasks,
        wanted_.iterations, wanted_.range, wanted_.order, wanted_.chain_limit);
    return run_campaign(
        make_plan(), wanted_.output, headline,
        {median_of("mops", "Mops/s", 3), range_of("mops", 3),
         derived_percent("share_of_ideal", "of ideal"),
         derived_percent("share_of_limit", "of limit"), ratio_to_rival(rival()),
         median_of("jain_half", "Jain", 3), percent_of("foreign_load", "others"),
         median_of("line_ns", "line", 0, "ns")},
        "Mops/s: millions of iterations a second.  of ideal: of one thread "
        "without a lock, times\nthe CPUs.  of limit: of as many threads that share "
        "nothing.  Jain: fairness of the tasks' progress\nat half time, 1 is even.  "
        "others: share of the machine that other processes used.  line: a\ncache line "
        "from CPU to CPU.");
  }

  int run_for_all(const std::string& folder, bool is_short) override {
    wanted_.output = folder + "/" + name() + ".json";
    if (is_short) wanted_.repetitions = short_repetitions;
    return run();
  }

 protected:
  explicit mutex_command(options wanted) : wanted_{std::move(wanted)} {}

  [[nodiscard]] virtual std::string rival() const { return "dispatch"; }

 private:
  [[nodiscard]] bool is_large() const { return wanted_.range == "large"; }

  [[nodiscard]] std::vector<std::string> fronts() const {
    std::vector<std::string> present;
    for (const mutex_contender& each : contenders_) {
      if (!each.front.empty() && !is_among(present, each.front)) {
        present.push_back(each.front);
      }
    }
    return present;
  }

  [[nodiscard]] std::vector<std::string> rivals() const {
    std::vector<std::string> present;
    for (const mutex_contender& each : contenders_) {
      const bool is_rival = each.handoff.empty() && each.name != one_thread_name;
      if (is_rival && each.absent.empty()) present.push_back(each.name);
    }
    return present;
  }

  [[nodiscard]] bool takes_part(const mutex_contender& who) const {
    if (who.handoff.empty()) return is_among(wanted_.rivals, who.name);
    return is_among(wanted_.handoffs, who.handoff) && is_among(wanted_.states, who.state) &&
           is_among(wanted_.fronts, who.front);
  }

  [[nodiscard]] plan make_plan() {
    plan all{.benchmark = name(),
             .axes = {{"workers", "workers", ""}, {"section_ns", "section", "ns"}},
             .cells = {},
             .repetitions = wanted_.repetitions,
             .seed = wanted_.seed,
             .score = "mops",
             .rival = rival(),
             .settings = {{"tasks", wanted_.tasks},
                          {"iterations", wanted_.iterations},
                          {"range", wanted_.range},
                          {"order", wanted_.order},
                          {"chain_limit", wanted_.chain_limit}},
             .run = [this](const cell& which,
                           std::uint64_t seed) { return run_once(which, seed); },
             .derive = shares};
    for (const std::uint64_t section_ns : wanted_.sections_ns) {
      const auto section = static_cast<double>(section_ns);
      all.cells.push_back({one_thread_name, {1, section}});
      for (const unsigned workers : wanted_.workers) {
        for (const mutex_contender& each : contenders_) {
          if (takes_part(each)) {
            all.cells.push_back({each.name, {static_cast<double>(workers), section}});
          }
        }
      }
    }
    return all;
  }

  [[nodiscard]] static std::vector<std::pair<std::string, double>> shares(
      const campaign& measured, const cell& which) {
    auto all = share_of_ideal(measured, {one_thread_name, {1, which.at[1]}}, which);
    const cell limit{separate_threads_name, which.at};
    if (which.contender != limit.contender && measured.has(limit)) {
      const std::string& score = measured.what().score;
      all.emplace_back("share_of_limit",
                       measured.of(which, score).median / measured.of(limit, score).median);
    }
    return all;
  }

  [[nodiscard]] measurement run_once(const cell& which, std::uint64_t seed) const {
    const mutex_settings settings{.tasks = wanted_.tasks,
                                  .iterations = wanted_.iterations,
                                  .workers = static_cast<unsigned>(which.at[0]),
                                  .section_ns = static_cast<std::uint64_t>(which.at[1]),
                                  .primes = primes_,
                                  .order = order_named(wanted_.order),
                                  .chain_limit = wanted_.chain_limit,
                                  .seed = seed};
    const auto who =
        std::find_if(contenders_.begin(), contenders_.end(),
                     [&](const auto& each) { return each.name == which.contender; });
    return to_measurement(who->run(settings));
  }

  options wanted_;
  std::vector<mutex_contender> contenders_ = mutex_contenders();
  std::vector<std::uint32_t> primes_;
};

class section_length_command final : public mutex_command {
 public:
  section_length_command() : mutex_command{with_lengths()} {}

  [[nodiscard]] std::string name() const override { return "section-length"; }
  [[nodiscard]] std::string about() const override {
    return "the same over the length of the section, 0 to 7.5 us more";
  }

 private:
  static options with_lengths() {
    options wanted;
    wanted.workers = {usable_cpus()};
    wanted.sections_ns = {0, 250, 500, 1000, 2500, 5000, 7500};
    return wanted;
  }
};

class fiber_command final : public mutex_command {
 public:
  fiber_command() : mutex_command{with_fibers()} {}

  [[nodiscard]] std::string name() const override { return "fiber"; }
  [[nodiscard]] std::string about() const override {
    return "the same with fibers for tasks";
  }

 private:
  static options with_fibers() {
    options wanted;
    wanted.fronts = {"fibers"};
    return wanted;
  }
  [[nodiscard]] std::string rival() const override { return "dispatch, fibers"; }
};

}  // namespace

std::unique_ptr<command> make_mutex_command() { return std::make_unique<mutex_command>(); }

std::unique_ptr<command> make_section_length_command() {
  return std::make_unique<section_length_command>();
}

std::unique_ptr<command> make_fiber_command() { return std::make_unique<fiber_command>(); }

}  // namespace hotseat::bench
