// hotseat/rebound/contenders.cpp — the table of all locks.
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/rebound/combining_lock.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/fiber_condition.hpp>
#include <hotseat/rebound/mcs_lock.hpp>
#include <hotseat/rebound/observed_lock.hpp>
#include <hotseat/rebound/parking_condition.hpp>
#include <hotseat/rebound/shfl_lock.hpp>
#include <hotseat/rebound/static_lock.hpp>
#include <hotseat/rebound/ttas_lock.hpp>
#include <hotseat/rebound/turns.hpp>
#include <hotseat/sched/handoff.hpp>

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

/// The same verbs, but `unlock` may let others run.
template <class Lock>
constexpr lock_verbs in_turns(lock_verbs verbs) noexcept {
  verbs.unlock = [](void* mutex) noexcept {
    static_cast<Lock*>(mutex)->unlock();
    take_turns();
  };
  return verbs;
}

template <handoff_policy Handoff>
constexpr lock_verbs on_fibers(std::string_view name) noexcept {
  // The other state does not fit into a std::mutex.
  using lock = basic_fiber_mutex<Handoff, lock_state::spin_locked>;
  return in_turns<lock>(verbs_of<lock, fiber_condition>(name, runs_on::fibers));
}

constexpr lock_verbs all[] = {
    verbs_of<std::mutex, stock_condition>("stock", runs_on::threads),
    on_threads<ttas_lock>("ttas"),
    on_threads<mcs_lock>("mcs"),
    on_threads<shfl_lock<>>("shfllock"),
    on_threads<combining_lock>("combining"),
    on_fibers<handoff::dispatch>("dispatch"),
    on_fibers<handoff::resume_inline>("resume_inline"),
    on_fibers<handoff::exchange>("exchange"),
    verbs_of<static_lock, static_condition>("static", runs_on::fibers, 1),
};

/// Waits for a condition and tells the lock, which measures the wait.
template <class Condition>
class observed_condition {
 public:
  template <class Lock>
  void wait(observed_lock<Lock>& owned) noexcept {
    owned.wait_in([this](Lock& lock) { condition_.wait(lock); });
  }
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

 private:
  Condition condition_;
};

template <class Lock, class Condition>
constexpr lock_verbs observing(std::string_view name, runs_on kind) noexcept {
  return verbs_of<observed_lock<Lock>, observed_condition<Condition>>(name, kind);
}
template <handoff_policy Handoff>
constexpr lock_verbs observing_fibers(std::string_view name) noexcept {
  // The smaller of the two states: the lock-free one leaves no room in a std::mutex.
  using lock = basic_fiber_mutex<Handoff, lock_state::spin_locked>;
  return in_turns<observed_lock<lock>>(
      observing<lock, fiber_condition>(name, runs_on::fibers));
}

constexpr lock_verbs observed[] = {
    observing<ttas_lock, parking_condition>("ttas", runs_on::threads),
    observing_fibers<handoff::dispatch>("dispatch"),
    observing_fibers<handoff::resume_inline>("resume_inline"),
    observing_fibers<handoff::exchange>("exchange"),
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
