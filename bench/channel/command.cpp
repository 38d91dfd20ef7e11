#include <channel/workload.hpp>
#include <program/commands.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

#ifdef HOTSEAT_BENCH_HAS_BOOST_FIBER
constexpr bool has_boost_fiber = true;
#else
constexpr bool has_boost_fiber = false;
#endif

constexpr const char* os_threads_name = "OS threads with std::mutex";
constexpr const char* boost_fibers_name = "boost::fibers";

class channel_command final : public campaign_command {
 public:
  channel_command() {
    wanted_.workers = {usable_cpus()};
    wanted_.repetitions = 7;
  }

  [[nodiscard]] std::string name() const override { return "channel"; }
  [[nodiscard]] std::string about() const override {
    return "values from senders to receivers, over workers and capacities";
  }

  void declare(option_list& options) override {
    options.number("--senders", senders_, "tasks that send", 1, 1'000'000);
    options.number("--receivers", receivers_, "tasks that receive", 1, 1'000'000);
    options.numbers("--capacity", capacities_, "places in the buffer", 0, 1 << 20);
    options.number("--values", values_, "values sent by all senders together", 1,
                   4'000'000'000);
    options.number(
        "--batch", batch_,
        "values that a receiver of the batched contenders takes at once; 1: without "
        "them",
        1, 100'000);
    declare_workers(options);
    std::vector<std::string> rivals{os_threads_name};
    if (has_boost_fiber) rivals.emplace_back(boost_fibers_name);
    declare_rivals(options, std::move(rivals));
    declare_repetitions(options);
  }

  assignment prepare() override {
    std::vector<std::string> absent;
    if (!has_boost_fiber) {
      absent.push_back("boost::fibers, built without Boost.Fiber (libboost-fiber-dev)");
    }
    plan all = make_plan();
    const std::string rival = all.rival;
    return {
        std::move(all),
        fmt::format("{} senders, {} receivers, {} values", senders_, receivers_, values_),
        {median_of("mops", "M values/s", 3), range_of("mops", 3), ratio_to_rival(rival),
         median_of("cpus_used", "CPUs used", 2), percent_of("foreign_load", "others"),
         median_of("line_ns", "line", 0, "ns")},
        "OS threads: as many as there are senders and receivers, with a deque, a "
        "std::mutex "
        "and two\ncondition variables between them.",
        absent};
  }

 private:
  using run_function = std::function<timed_run(const channel_settings&)>;

  [[nodiscard]] std::vector<std::pair<std::string, run_function>> contenders() const {
    std::vector<std::pair<std::string, run_function>> all;
    const auto with_batches_of = [](std::size_t batch) {
      return [batch](const channel_settings& settings) {
        return channel_on_pool(batch, settings);
      };
    };
    all.emplace_back("hotseat", with_batches_of(1));
    if (batch_ != 1) {
      all.emplace_back(fmt::format("hotseat, batches of {}", batch_),
                       with_batches_of(batch_));
    }
    if (is_among(wanted_.rivals, os_threads_name)) {
      all.emplace_back(os_threads_name, channel_on_threads);
    }
    if (is_among(wanted_.rivals, boost_fibers_name)) {
      all.emplace_back(boost_fibers_name, channel_on_boost_fibers);
    }
    return all;
  }

  [[nodiscard]] plan make_plan() {
    plan all = plan_over({{"workers", "workers", ""}, {"capacity", "capacity", ""}});
    all.rival =
        is_among(wanted_.rivals, boost_fibers_name) ? boost_fibers_name : os_threads_name;
    all.settings = {{"senders", senders_},
                    {"receivers", receivers_},
                    {"values", values_},
                    {"batch", batch_}};
    all.run = [this](const cell& which, std::uint64_t) { return run_once(which); };
    for (const std::size_t capacity : capacities_) {
      for (const unsigned workers : wanted_.workers) {
        for (const auto& [contender, run] : contenders()) {
          functions_[contender] = run;
          all.cells.push_back(
              {contender, {static_cast<double>(workers), static_cast<double>(capacity)}});
        }
      }
    }
    return all;
  }

  [[nodiscard]] measurement run_once(const cell& which) const {
    const timed_run outcome =
        functions_.at(which.contender)({.senders = senders_,
                                        .receivers = receivers_,
                                        .capacity = static_cast<std::size_t>(which.at[1]),
                                        .values = values_,
                                        .workers = static_cast<unsigned>(which.at[0])});
    measurement result = to_measurement(outcome);
    result.numbers.emplace_back("cpus_used", outcome.cpu_seconds / outcome.seconds);
    return result;
  }

  std::size_t senders_ = 4;
  std::size_t receivers_ = 4;
  std::vector<std::size_t> capacities_{64};
  std::uint64_t values_ = 1'000'000;
  std::size_t batch_ = 32;
  std::map<std::string, run_function> functions_;
};

}  // namespace

command_pointer make_channel_command() { return std::make_unique<channel_command>(); }

}  // namespace hotseat::bench
