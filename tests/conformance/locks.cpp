// hotseat/tests/conformance/locks.cpp — mutexes, permits and turns as subjects.
#include <hotseat/sync/auto_reset_event.hpp>
#include <hotseat/sync/condition_variable.hpp>
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/sync/semaphore.hpp>
#include <hotseat/sync/shared_mutex.hpp>

#include <conformance/subject.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

/// Each owner passes it on to the next.
template <class Handoff>
struct in_turns {
  static constexpr traits what{.awaited = hand_over_of<Handoff>};
  static constexpr bool gives_back = true;
  static bool is_granted(bool result) { return result; }
};

template <class Handoff, class State>
struct mutex_kind : in_turns<Handoff> {
  explicit mutex_kind(unsigned) { static_cast<void>(m.try_lock()); }
  auto wait() { return m.lock(); }
  auto wait(wait_limits until) { return m.lock(std::move(until)); }
  void block() { m.lock_blocking(); }
  auto give_back() { return m.unlock(); }
  auto let_in_awaited() { return m.unlock(); }
  bool let_in() {
    m.unlock_dispatch();
    return true;
  }
  basic_mutex<Handoff, State> m;
};
template <class Handoff>
using lock_free_mutex = subject_of<mutex_kind<Handoff, lock_state::lock_free>>;
template <class Handoff>
using spin_locked_mutex = subject_of<mutex_kind<Handoff, lock_state::spin_locked>>;

/// Owned by a writer; writers wait.
template <class Handoff>
struct writing_kind : in_turns<Handoff> {
  explicit writing_kind(unsigned) { static_cast<void>(m.try_lock()); }
  auto wait() { return m.lock(); }
  auto wait(wait_limits until) { return m.lock(std::move(until)); }
  void block() { m.lock_blocking(); }
  auto give_back() { return m.unlock(); }
  auto let_in_awaited() { return m.unlock(); }
  bool let_in() {
    m.unlock_dispatch();
    return true;
  }
  basic_shared_mutex<Handoff> m;
};
template <class Handoff>
using writing = subject_of<writing_kind<Handoff>>;

/// Held by a reader; writers wait.
template <class Handoff>
struct writing_after_reading_kind : writing_kind<Handoff> {
  explicit writing_after_reading_kind(unsigned) : writing_kind<Handoff>{0} {
    this->m.unlock_dispatch();
    static_cast<void>(this->m.try_lock_shared());
  }
  auto let_in_awaited() { return this->m.unlock_shared(); }
  bool let_in() {
    this->m.unlock_shared_dispatch();
    return true;
  }
};
template <class Handoff>
using writing_after_reading = subject_of<writing_after_reading_kind<Handoff>>;

/// Owned by a writer; readers wait, and enter together.
template <class Handoff>
struct reading_kind : writing_kind<Handoff> {
  using writing_kind<Handoff>::writing_kind;
  static constexpr traits what{
      .awaited = hand_over_of<Handoff>, .serves_all = true, .in_one_batch = true};
  auto wait() { return this->m.lock_shared(); }
  auto wait(wait_limits until) { return this->m.lock_shared(std::move(until)); }
  void block() { this->m.lock_shared_blocking(); }
  auto give_back() { return this->m.unlock_shared(); }
};
template <class Handoff>
using reading = subject_of<reading_kind<Handoff>>;

template <class Handoff>
struct semaphore_kind : in_turns<Handoff> {
  explicit semaphore_kind(unsigned) {}
  auto wait() { return permits.acquire(2); }
  auto wait(wait_limits until) { return permits.acquire(2, std::move(until)); }
  void block() { permits.acquire_blocking(2); }
  auto give_back() { return permits.release(2); }
  auto let_in_awaited() { return permits.release(2); }
  bool let_in() {
    permits.release_dispatch(2);
    return true;
  }
  basic_semaphore<Handoff> permits{0};
};
template <class Handoff>
using semaphores = subject_of<semaphore_kind<Handoff>>;

struct auto_reset_event_kind : in_turns<handoff::exchange> {
  explicit auto_reset_event_kind(unsigned) {}
  auto wait() { return e.wait(); }
  auto wait(wait_limits until) { return e.wait(std::move(until)); }
  void block() { e.wait_blocking(); }
  auto give_back() { return e.set(); }
  auto let_in_awaited() { return e.set(); }
  bool let_in() {
    e.set_dispatch();
    return true;
  }
  auto_reset_event e;
};

/// A task has the turn and fails, and so does every later one.
struct once_flag_kind : in_turns<handoff::exchange> {
  explicit once_flag_kind(unsigned) { static_cast<void>(block_on(flag.enter())); }
  static bool is_granted(once_status result) { return result == once_status::ours; }
  auto wait() { return flag.enter(); }
  auto wait(wait_limits until) { return flag.enter(std::move(until)); }
  void block() { static_cast<void>(block_on(flag.enter())); }
  auto give_back() { return flag.fail(); }
  auto let_in_awaited() { return flag.fail(); }
  bool let_in() {
    flag.fail_dispatch();
    return true;
  }
  once_flag flag;
};

/// Owns the mutex of a condition for a moment.  Where one thread plays all workers, the
/// owner may be a task that has not run yet or is still arming; then owning it is not
/// needed.
template <class Mutex>
class owner_for_a_moment {
 public:
  owner_for_a_moment(Mutex& m, bool has_threads) : m_{m} {
    is_owner_ = m_.try_lock();
    if (is_owner_ || !has_threads) return;
    m_.lock_blocking();
    is_owner_ = true;
  }
  ~owner_for_a_moment() {
    if (is_owner_) m_.unlock_dispatch();
  }
  owner_for_a_moment(const owner_for_a_moment&) = delete;
  owner_for_a_moment& operator=(const owner_for_a_moment&) = delete;

 private:
  Mutex& m_;
  bool is_owner_ = false;
};

/// A condition exchanges if its mutex does, and dispatches otherwise.
template <class Handoff>
constexpr hand_over notified =
    Handoff::may_suspend ? hand_over::exchanged : hand_over::dispatched;

/// Notified one after the other.  The mutex is free except while a waiter checks.
template <class Handoff>
class conditions final : public subject {
 public:
  static constexpr traits what{.awaited = notified<Handoff>,
                               .can_be_free = false,
                               .is_free_afterwards = false,
                               .takes_mutex_back = true};
  explicit conditions(unsigned) {}

  owned wait(std::string& log, char name) override {
    co_await m_.lock();
    ++waiting_;
    co_await changed_.wait(m_);
    --waiting_;
    log += name;
    co_await m_.unlock();
    co_await changed_.notify_one();
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    co_await m_.lock();
    ++waiting_;
    auto operation = limited(std::move(until));
    const bool is_notified = co_await operation;
    --waiting_;
    log += is_notified ? name : '-';
    co_await m_.unlock();
    if (is_notified) co_await changed_.notify_one();
  }

  bool wait_blocking(wait_limits until) override {
    m_.lock_blocking();
    ++waiting_;
    const bool is_notified = block_on(limited(std::move(until)));
    --waiting_;
    m_.unlock_dispatch();
    return is_notified;
  }

  void wait_blocking() override {
    m_.lock_blocking();
    ++waiting_;
    changed_.wait_blocking(m_);
    --waiting_;
    m_.unlock_dispatch();
  }

  bool let_in() override {
    const owner_for_a_moment owner{m_, this->has_threads};
    changed_.notify_one_dispatch();
    return waiting_ != 0;
  }

  owned let_in_awaited(std::string& log) override {
    co_await changed_.notify_one();
    log += '.';
  }

 private:
  auto limited(wait_limits until) { return changed_.wait(m_, std::move(until)); }

  basic_mutex<Handoff> m_;
  condition_variable changed_;
  int waiting_ = 0;  // Under the mutex.
};

/// The same with a predicate: there is one item to take, or none.
template <class Handoff>
class predicates final : public subject {
 public:
  static constexpr traits what{
      .awaited = notified<Handoff>, .looks_again = true, .takes_mutex_back = true};
  explicit predicates(unsigned) {}

  owned wait(std::string& log, char name) override {
    co_await m_.lock();
    co_await changed_.wait(m_, [this] { return things_ != 0; });
    --things_;
    log += name;
    co_await m_.unlock();
    co_await give_one();
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    co_await m_.lock();
    auto operation = limited(std::move(until));
    const bool holds = co_await operation;
    if (holds) --things_;
    log += holds ? name : '-';
    co_await m_.unlock();
    if (holds) co_await give_one();
  }

  bool wait_blocking(wait_limits until) override {
    m_.lock_blocking();
    const bool holds = block_on(limited(std::move(until)));
    if (holds) --things_;
    m_.unlock_dispatch();
    return holds;
  }

  void wait_blocking() override {
    m_.lock_blocking();
    changed_.wait_blocking(m_, [this] { return things_ != 0; });
    --things_;
    m_.unlock_dispatch();
  }

  bool let_in() override {
    const owner_for_a_moment owner{m_, this->has_threads};
    ++things_;
    changed_.notify_one_dispatch();
    return true;
  }

  owned let_in_awaited(std::string& log) override {
    co_await give_one();
    log += '.';
  }

  std::optional<owned> wait_and_throw(std::string& log) override { return fail(log); }

 private:
  owned fail(std::string& log) {
    bool is_caught = false;
    co_await m_.lock();
    try {
      co_await changed_.wait(m_, [this] {
        if (things_ != 0) throw std::runtime_error{"inside"};
        return false;
      });
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    if (is_caught) log += '!';
    co_await m_.unlock();
    co_await changed_.notify_one();
  }

  auto give_one() {
    ++things_;
    return changed_.notify_one();
  }
  auto limited(wait_limits until) {
    return changed_.wait(m_, std::move(until), [this] { return things_ != 0; });
  }

  basic_mutex<Handoff> m_;
  condition_variable changed_;
  int things_ = 0;  // Under the mutex.
};

}  // namespace

std::vector<subject_kind> locks() {
  std::vector<subject_kind> all;
  add<lock_free_mutex>(all, "mutex_lock_free");
  add<spin_locked_mutex>(all, "mutex_spin_locked");
  add<writing>(all, "shared_mutex_writing");
  add<writing_after_reading>(all, "shared_mutex_writing_after_reading");
  add<reading>(all, "shared_mutex_reading");
  add<semaphores>(all, "semaphore");
  add_one<subject_of<auto_reset_event_kind>>(all, "auto_reset_event");
  add_one<subject_of<once_flag_kind>>(all, "once_flag");
  add<conditions>(all, "condition_variable");
  add<predicates>(all, "condition_variable_predicate");
  return all;
}

}  // namespace hotseat::conformance
