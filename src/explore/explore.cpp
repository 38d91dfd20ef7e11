// hotseat/explore/explore.cpp — one schedule after another, until one fails.
#include <hotseat/core/assert.hpp>
#include <hotseat/explore/explore.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "choosers.hpp"
#include "platform/explored/crash.hpp"
#include "report.hpp"

namespace hotseat {

namespace {

namespace explored = platform::explored;
using detail::schedule_chooser;

constexpr std::size_t most_lines = 60;

void on_explored_violation(const violation& v) {
  explored::fail(explored::failure_kind::violation, std::string{v.object} + ": " + v.rule);
}

class violation_scope {
 public:
  violation_scope() : former_{on_violation(&on_explored_violation)} {}
  ~violation_scope() { on_violation(former_); }
  violation_scope(const violation_scope&) = delete;
  violation_scope& operator=(const violation_scope&) = delete;

 private:
  violation_handler former_;
};

std::string environment(const char* name) {
  const char* const text = std::getenv(name);
  return text != nullptr ? text : "";
}

/// The replay in HOTSEAT_REPLAY if that names this program, else the one in the options.
std::string wanted_replay(const explore_options& options) {
  const std::string text = environment("HOTSEAT_REPLAY");
  const std::size_t space = text.rfind(' ');
  if (space == std::string::npos || text.substr(0, space) != options.name) {
    return options.replay;
  }
  return text.substr(space + 1);
}

std::uint64_t wanted_schedules(const explore_options& options) {
  const std::string scale = environment("HOTSEAT_EXPLORE_SCALE");
  const std::string limit = environment("HOTSEAT_EXPLORE_LIMIT");
  const std::uint64_t most =
      limit.empty() ? UINT64_MAX : std::strtoull(limit.c_str(), nullptr, 10);
  if (scale.empty() || options.how == strategy::exhaustive) {
    return std::min(options.schedules, most);
  }
  const double scaled = static_cast<double>(options.schedules) * std::atof(scale.c_str());
  return scaled < 1 ? 1 : std::min(static_cast<std::uint64_t>(scaled), most);
}

std::vector<std::unique_ptr<schedule_chooser>> choosers(const explore_options& options,
                                                        const std::string& replay) {
  constexpr std::uint32_t some_length = 100;
  constexpr unsigned patience = 85;
  std::vector<std::unique_ptr<schedule_chooser>> all;
  if (!replay.empty()) {
    all.push_back(detail::replaying(replay));
    return all;
  }
  switch (options.how) {
    case strategy::random_walk:
      all.push_back(std::make_unique<detail::random_walk>(options.seed, 0));
      break;
    case strategy::priorities:
      all.push_back(
          std::make_unique<detail::priorities>(options.seed, options.depth, some_length));
      break;
    case strategy::exhaustive:
      all.push_back(std::make_unique<detail::exhaustive_search>(options.preemptions));
      break;
    case strategy::mixed:
      all.push_back(std::make_unique<detail::random_walk>(options.seed, 0));
      all.push_back(std::make_unique<detail::random_walk>(options.seed, patience));
      all.push_back(
          std::make_unique<detail::priorities>(options.seed, options.depth, some_length));
      break;
  }
  return all;
}

explored::execution_options to_execution(const explore_options& options) {
  explored::execution_options result;
  result.most_steps = options.most_steps;
  result.shows_stale_values = options.shows_stale_values;
  result.has_membarrier = options.has_membarrier;
  result.checks_leaks = options.checks_leaks;
  return result;
}

/// Replays the failed schedule and describes its steps.
std::string report(const explore_options& options, const explore_result& result,
                   const std::function<void()>& program) {
  std::vector<explored::trace_entry> trace;
  explored::execution_options again = to_execution(options);
  again.trace = &trace;
  const auto chooser = detail::replaying(result.replay);
  chooser->begin();
  const explored::execution_result second = explored::execute(program, *chooser, again);
  std::string text = "explore: " + options.name + ": " + detail::name_of(result.failure) +
                     ": " + result.what + "\n  after " + std::to_string(result.schedules) +
                     " schedules; to see it again:\n" + "  HOTSEAT_REPLAY=\"" +
                     options.name + " " + result.replay + "\"\n";
  if (second.failed.kind != result.failure || second.failed.what != result.what) {
    text += std::string{"  NOT THE SAME when replayed ("} +
            detail::name_of(second.failed.kind) + " " + second.failed.what +
            "): the program depends on something other than its decisions\n";
  }
  return text + "  the last steps (a value is followed by the order, and where):\n" +
         detail::describe(trace, most_lines);
}

}  // namespace

explore_result explore(const explore_options& options,
                       const std::function<void()>& program) {
  const violation_scope violations;
  const explored::crash_watch crashes;
  const std::string sites = environment("HOTSEAT_SITES");
  if (!sites.empty()) explored::watch_sites();
  explored::weaken(environment("HOTSEAT_WEAKEN"));
  const std::string replay = wanted_replay(options);
  const std::uint64_t most = replay.empty() ? wanted_schedules(options) : 1;
  const auto all = choosers(options, replay);
  const explored::execution_options how = to_execution(options);
  explore_result result;
  for (; result.schedules < most; ++result.schedules) {
    schedule_chooser& chooser = *all[result.schedules % all.size()];
    if (!chooser.begin()) {
      result.is_complete = replay.empty();
      break;
    }
    explored::execution_result one = explored::execute(program, chooser, how);
    result.steps += one.steps;
    if (one.failed.kind != explored::failure_kind::none) {
      ++result.schedules;
      result.failure = one.failed.kind;
      result.what = std::move(one.failed.what);
      result.replay = chooser.replay();
      result.report = report(options, result, program);
      if (options.prints) std::fputs(result.report.c_str(), stderr);
      break;
    }
    chooser.end();
  }
  if (!sites.empty()) explored::list_sites(sites, options.name);
  return result;
}

void verify(bool holds, const char* what, std::source_location where) noexcept {
  if (holds) [[likely]]
    return;
  std::string text{what};
  text += std::string{" ("} + where.file_name() + ":" + std::to_string(where.line()) + ")";
  explored::fail(explored::failure_kind::assertion, text);
}

}  // namespace hotseat
