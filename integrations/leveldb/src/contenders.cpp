// hotseat/rebound/contenders.cpp — the table of all locks.
#include <hotseat/rebound/combining_lock.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/mcs_lock.hpp>
#include <hotseat/rebound/observed_lock.hpp>
#include <hotseat/rebound/parking_condition.hpp>
#include <hotseat/rebound/shfl_lock.hpp>
#include <hotseat/rebound/ttas_lock.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>

namespace hotseat::rebound {
namespace {

/// What LevelDB would use if nothing had been rebound.
class stock_condition {
 public:
  void wait(std::mutex& owned) noexcept {
    std::unique_lock held{owned, std::adopt_lock};
    condition_.wait(held);
    held.release();
  }
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

template <class Lock>
constexpr lock_verbs on_threads(std::string_view name) noexcept {
  return verbs_of<Lock, parking_condition>(name, runs_on::threads);
}

constexpr lock_verbs all[] = {
    verbs_of<std::mutex, stock_condition>("stock", runs_on::threads),
    on_threads<ttas_lock>("ttas"),
    on_threads<mcs_lock>("mcs"),
    on_threads<shfl_lock<>>("shfllock"),
    on_threads<combining_lock>("combining"),
};

/// Waits for a condition with a lock that wants to know.
class observed_condition {
 public:
  template <class Lock>
  void wait(observed_lock<Lock>& owned) noexcept {
    owned.wait_in([this](Lock& lock) { condition_.wait(lock); });
  }
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  parking_condition condition_;
};

constexpr lock_verbs observed[] = {
    verbs_of<observed_lock<ttas_lock>, observed_condition>("ttas", runs_on::threads),
};

const lock_verbs& named(std::string_view name, std::span<const lock_verbs> among,
                        const char* complaint) {
  std::string known;
  for (const lock_verbs& each : among) {
    if (each.name == name) return each;
    known += known.empty() ? "" : ", ";
    known += each.name;
  }
  throw std::invalid_argument{complaint + std::string{name} + "; there are " + known};
}

}  // namespace

std::span<const lock_verbs> contenders() noexcept { return all; }

const lock_verbs& contender_named(std::string_view name) {
  return named(name, all, "no lock is called ");
}

bool can_be_observed(std::string_view name) noexcept {
  return std::ranges::any_of(observed, [=](const auto& each) { return each.name == name; });
}

const lock_verbs& observed_contender_named(std::string_view name) {
  return named(name, observed, "no lock that can be observed is called ");
}

}  // namespace hotseat::rebound
