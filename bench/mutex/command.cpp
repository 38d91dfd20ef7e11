#include <hotseat/runtime/thread_pool.hpp>
#include <mutex/contenders.hpp>
#include <program/commands.hpp>
#include <support/handoffs.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

/// All of them, present or not; the baseline first.
std::vector<mutex_contender> all_contenders() {
  std::vector<mutex_contender> all{one_thread()};
  for (mutex_contender& each : hotseat_handoffs()) all.push_back(std::move(each));
  all.push_back(separate_threads());
  all.push_back(os_threads());
  all.push_back(boost_fiber());
  all.push_back(one_tbb());
  all.push_back(go());
  all.push_back(tokio());
  return all;
}

measurement to_measurement(const mutex_outcome& of) {
  measurement result = to_measurement(static_cast<const timed_run&>(of));
  result.numbers.emplace_back("jain_first", of.jain_first);
  result.numbers.emplace_back("jain_half", of.jain_half);
  return result;
}

class mutex_command : public campaign_command {
 public:
  [[nodiscard]] std::string name() const override { return "mutex"; }
  [[nodiscard]] std::string about() const override {
    return "tasks that share a map behind one mutex, over the number of workers";
  }

  void declare(option_list& options) override {
    declare_sizes(options);
    declare_workers(options);
    options.numbers("--section-ns", sections_ns_,
                    "busy waiting added to the section, e.g. 0,250,1000", 0, 1'000'000'000);
    options.word("--range", range_,
                 "primes near 2^20 (large, the paper's) or 2^14 (small, a short parallel "
                 "part)",
                 {"large", "small"});
    options.word("--order", order_, "from which end a worker takes its tasks", order_names);
    options.number("--chain-limit", chain_limit_, "exchanges in a row on one worker", 1,
                   4'000'000'000);
    declare_handoffs(options);
    options.words("--states", states_, "how the mutex keeps its line", state_names);
    options.words("--fronts", fronts_, "what the tasks are", fronts());
    declare_rivals(options, rivals());
    declare_repetitions(options);
  }

  assignment prepare() override {
    if (wanted_.iterations == 0) wanted_.iterations = is_large() ? 40 : 200;
    if (std::uint64_t{wanted_.iterations} * wanted_.tasks > 4'000'000'000) {
      throw std::invalid_argument{"more than 4e9 iterations in a run"};
    }
    if (std::none_of(contenders_.begin(), contenders_.end(),
                     [this](const auto& each) { return takes_part(each); })) {
      throw std::invalid_argument{
          "no contender takes part; was this built without fibers?"};
    }
    primes_ = primes_near(is_large() ? prime_range::large : prime_range::small);
    std::vector<std::string> absent;
    for (const mutex_contender& each : contenders_) {
      if (!each.absent.empty()) absent.push_back(each.name + ", " + each.absent);
    }
    const std::string headline =
        fmt::format("{} tasks x {} iterations, primes: {}, order: {}, chain limit {}",
                    wanted_.tasks, wanted_.iterations, range_, order_, chain_limit_);
    return {make_plan(),
            headline,
            {median_of("mops", "Mops/s", 3), range_of("mops", 3),
             derived_percent("share_of_ideal", "of ideal"),
             derived_percent("share_of_limit", "of limit"), ratio_to_rival(rival()),
             median_of("jain_half", "Jain", 3), percent_of("foreign_load", "others"),
             median_of("line_ns", "line", 0, "ns")},
            "Mops/s: millions of iterations a second.  of ideal: of one thread "
            "without a lock, times\nthe CPUs.  of limit: of as many threads that share "
            "nothing.  Jain: fairness of the tasks' progress\nat half time, 1 is even.  "
            "others: share of the machine that other processes used.  line: a\ncache line "
            "from CPU to CPU.",
            absent};
  }

 protected:
  [[nodiscard]] virtual std::string rival() const { return "dispatch"; }

  std::vector<std::uint64_t> sections_ns_{0};
  std::vector<std::string> fronts_{"coroutines"};

 private:
  [[nodiscard]] bool is_large() const { return range_ == "large"; }

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
    return is_among(wanted_.handoffs, who.handoff) && is_among(states_, who.state) &&
           is_among(fronts_, who.front);
  }

  [[nodiscard]] plan make_plan() {
    plan all = plan_over({{"workers", "workers", ""}, {"section_ns", "section", "ns"}});
    all.rival = rival();
    all.settings = {{"tasks", wanted_.tasks},
                    {"iterations", wanted_.iterations},
                    {"range", range_},
                    {"order", order_},
                    {"chain_limit", chain_limit_}};
    all.run = [this](const cell& which, std::uint64_t seed) {
      return run_once(which, seed);
    };
    all.derive = shares;
    for (const std::uint64_t section_ns : sections_ns_) {
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
                                  .order = order_named(order_),
                                  .chain_limit = chain_limit_,
                                  .seed = seed};
    const auto who =
        std::find_if(contenders_.begin(), contenders_.end(),
                     [&](const auto& each) { return each.name == which.contender; });
    return to_measurement(who->run(settings));
  }

  std::string range_ = "large";
  std::string order_ = "fifo";
  std::uint32_t chain_limit_ = thread_pool_options{}.chain_limit;
  std::vector<std::string> states_{state_names.front()};
  std::vector<mutex_contender> contenders_ = all_contenders();
  std::vector<std::uint32_t> primes_;
};

class section_length_command final : public mutex_command {
 public:
  section_length_command() {
    wanted_.workers = {usable_cpus()};
    sections_ns_ = {0, 250, 500, 1000, 2500, 5000, 7500};
  }

  [[nodiscard]] std::string name() const override { return "section-length"; }
  [[nodiscard]] std::string about() const override {
    return "the same over the length of the section, 0 to 7.5 us more";
  }
};

class fiber_command final : public mutex_command {
 public:
  fiber_command() { fronts_ = {"fibers"}; }

  [[nodiscard]] std::string name() const override { return "fiber"; }
  [[nodiscard]] std::string about() const override {
    return "the same with fibers for tasks";
  }

 private:
  [[nodiscard]] std::string rival() const override { return "dispatch, fibers"; }
};

}  // namespace

command_pointer make_mutex_command() { return std::make_unique<mutex_command>(); }

command_pointer make_section_length_command() {
  return std::make_unique<section_length_command>();
}

command_pointer make_fiber_command() { return std::make_unique<fiber_command>(); }

}  // namespace hotseat::bench
