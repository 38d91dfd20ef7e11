// hotseat/rebound/bench/one_run.cpp — from settings to numbers.
#include <bench/one_run.hpp>
#include <drive/database.hpp>
#include <drive/load.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/observed_lock.hpp>
#include <support/machine.hpp>
#include <support/report.hpp>
#include <support/statistics.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

namespace hotseat::rebound {
namespace {

nlohmann::json in_nanoseconds(const histogram& of) {
  const auto ns = [&](double share) {
    return static_cast<double>(of.quantile(share)) * 1e3 /
           platform::ticks_per_microsecond();
  };
  return {{"count", of.total()},
          {"p50", ns(0.5)},
          {"p90", ns(0.9)},
          {"p99", ns(0.99)},
          {"p99.9", ns(0.999)}};
}

/// The same number of CPUs for each lock: one that sets a worker aside for sections has one
/// less for the rest.
unsigned workers_for(const run_settings& wanted, const lock_verbs& lock) {
  const unsigned all = wanted.workers == 0 ? bench::usable_cpus() : wanted.workers;
  return all > lock.own_workers ? all - lock.own_workers : 1;
}

load_settings load_of(const run_settings& wanted, const lock_verbs& lock) {
  load_settings load{.kind = lock.kind,
                     .workers = workers_for(wanted, lock),
                     .readers = wanted.readers,
                     .records = wanted.records,
                     .seconds = wanted.seconds,
                     .seed = wanted.seed,
                     .yield_every = wanted.yield_every};
  if (wanted.workload == "readwhilewriting") load.writers = 1;
  if (wanted.workload == "fillseq") load.fillers = std::exchange(load.readers, 0);
  return load;
}

std::uint64_t sum(const std::vector<std::uint64_t>& of) {
  return std::accumulate(of.begin(), of.end(), std::uint64_t{0});
}

}  // namespace

nlohmann::json run_once(const run_settings& wanted) {
  const lock_verbs& lock = wanted.is_observed ? observed_contender_named(wanted.lock)
                                              : contender_named(wanted.lock);
  choose(lock);
  std::string path = wanted.filled;
  if (wanted.workload != "readrandom") {
    path = wanted.scratch;
    if (wanted.workload == "readwhilewriting") clone_database(wanted.filled, path);
  }
  const std::unique_ptr<leveldb::DB> database = open_database(path);
  static_cast<void>(platform::ticks_per_microsecond());  // Not during the run.
  const bench::foreign_load others;
  const load_outcome outcome = run_load(*database, load_of(wanted, lock));
  const double foreign = others.share();
  if (outcome.wrong != 0 || outcome.failed != 0) {
    throw std::runtime_error{wanted.lock + ": " + outcome.first_error};
  }
  const std::vector<std::uint64_t>& done =
      outcome.reads.empty() ? outcome.writes : outcome.reads;
  nlohmann::json result{
      {"seconds", outcome.seconds},
      {"cpus_used", outcome.cpu_seconds / outcome.seconds},
      {"foreign_load", foreign},
      {"kops", static_cast<double>(sum(done)) / outcome.seconds / 1e3},
      {"writes_kops", static_cast<double>(sum(outcome.writes)) / outcome.seconds / 1e3},
      {"least", *std::min_element(done.begin(), done.end())},
      {"most", *std::max_element(done.begin(), done.end())},
      {"jain", bench::jain_index(std::span{done})}};
  if (outcome.stats) result["stats"] = bench::to_json_value(*outcome.stats);
  if (wanted.is_observed) {
    const observations seen = observed_everywhere();
    result["locks"] = seen.locks;
    result["waited"] = static_cast<double>(seen.waited) /
                       static_cast<double>(std::max<std::uint64_t>(seen.locks, 1));
    result["delay_ns"] = in_nanoseconds(seen.delay);
    result["section_ns"] = in_nanoseconds(seen.section);
  }
  return result;
}

}  // namespace hotseat::rebound
