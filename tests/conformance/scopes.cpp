// hotseat/tests/conformance/scopes.cpp — scopes that own a mutex or permits, as subjects.
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/scoped_permits.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/sync/unique_lock.hpp>

#include <conformance/subject.hpp>

#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

/// Each task gives back at the end of its scope.
template <class Handoff, class Mutex>
struct scope_kind {
  static constexpr traits what{.awaited = hand_over_of<Handoff>};
  static constexpr bool gives_back = false;
  static bool is_granted(const auto& scope) { return scope.owns_lock(); }

  explicit scope_kind(unsigned) { static_cast<void>(m.try_lock()); }
  auto wait() { return m.scoped_lock(); }
  auto wait(wait_limits until) { return m.scoped_lock(std::move(until)); }
  void block() { const auto held = block_on(m.scoped_lock()); }
  auto let_in_awaited() { return m.unlock(); }
  bool let_in() {
    m.unlock_dispatch();
    return true;
  }
  Mutex m;
};
template <class Handoff>
using lock_free_scopes = subject_of<scope_kind<Handoff, basic_mutex<Handoff>>>;
template <class Handoff>
using spin_locked_scopes =
    subject_of<scope_kind<Handoff, basic_mutex<Handoff, lock_state::spin_locked>>>;
template <class Handoff>
using writer_scopes = subject_of<scope_kind<Handoff, basic_shared_mutex<Handoff>>>;

template <class Handoff>
struct reading_scope_kind : scope_kind<Handoff, basic_shared_mutex<Handoff>> {
  using scope_kind<Handoff, basic_shared_mutex<Handoff>>::scope_kind;
  static constexpr traits what{
      .awaited = hand_over_of<Handoff>, .serves_all = true, .in_one_batch = true};
  auto wait() { return this->m.scoped_lock_shared(); }
  auto wait(wait_limits until) { return this->m.scoped_lock_shared(std::move(until)); }
  void block() { const auto held = block_on(this->m.scoped_lock_shared()); }
};
template <class Handoff>
using reader_scopes = subject_of<reading_scope_kind<Handoff>>;

template <class Handoff>
struct permit_scope_kind {
  static constexpr traits what{.awaited = hand_over_of<Handoff>};
  static constexpr bool gives_back = false;
  static bool is_granted(const auto& scope) { return static_cast<bool>(scope); }

  explicit permit_scope_kind(unsigned) {}
  auto wait() { return permits.scoped_acquire(2); }
  auto wait(wait_limits until) { return permits.scoped_acquire(2, std::move(until)); }
  void block() { const auto held = block_on(permits.scoped_acquire(2)); }
  auto let_in_awaited() { return permits.release(2); }
  bool let_in() {
    permits.release_dispatch(2);
    return true;
  }
  basic_semaphore<Handoff> permits{0};
};
template <class Handoff>
using permit_scopes = subject_of<permit_scope_kind<Handoff>>;

}  // namespace

std::vector<subject_kind> scopes() {
  std::vector<subject_kind> all;
  add<lock_free_scopes>(all, "scoped_lock_of_mutex_lock_free");
  add<spin_locked_scopes>(all, "scoped_lock_of_mutex_spin_locked");
  add<writer_scopes>(all, "scoped_lock_of_shared_mutex");
  add<reader_scopes>(all, "scoped_lock_shared");
  add<permit_scopes>(all, "scoped_permits");
  return all;
}

}  // namespace hotseat::conformance
