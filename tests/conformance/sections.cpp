// hotseat/tests/conformance/sections.cpp — functions that are called when their turn comes,
// as subjects.
#include <hotseat/sync/lock_state.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/once_flag.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/task/call_once.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/with_lock.hpp>

#include <conformance/subject.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

/// The section writes down the name and ends.
template <class Mutex>
class sections_of : public subject {
 public:
  sections_of() {
    static_cast<void>(m_.try_lock());
    detail::current().locks_held = 0;
  }

  owned wait(std::string& log, char name) override {
    auto operation = with_lock(m_, [&log, name] { log += name; });
    co_await interrupted(operation, this->before_it_joins);
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    auto operation = limited(std::move(until), [&log, name] { log += name; });
    const bool has_run = co_await interrupted(operation, this->before_it_joins);
    if (!has_run) log += '-';
  }

  bool wait_blocking(wait_limits until) override {
    return block_on(limited(std::move(until), [] {}));
  }

  void wait_blocking() override {
    block_on(with_lock(m_, [] {}));
  }

  bool let_in() override {
    m_.unlock_dispatch();
    return true;
  }

  owned let_in_awaited(std::string& log) override {
    co_await m_.unlock();
    log += '.';
  }

  std::optional<owned> wait_and_throw(std::string& log) override { return fail(log); }

 protected:
  Mutex& mutex() { return m_; }

  template <class Section>
  auto limited(wait_limits until, Section section) {
    return with_lock(m_, std::move(until), section);
  }

 private:
  owned fail(std::string& log) {
    bool is_caught = false;
    try {
      co_await with_lock(m_, [] { throw std::runtime_error{"inside"}; });
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    if (is_caught) log += '!';
  }

  Mutex m_;
};

template <class Handoff, class Mutex>
class delegated_sections final : public sections_of<Mutex> {
 public:
  static constexpr traits what{.awaited = delegated_hand_over_of<Handoff>};
  explicit delegated_sections(unsigned) {}
};
template <class Handoff>
using lock_free = delegated_sections<Handoff, basic_mutex<Handoff, lock_state::lock_free>>;
template <class Handoff>
using spin_locked =
    delegated_sections<Handoff, basic_mutex<Handoff, lock_state::spin_locked>>;
template <class Handoff>
using writers = delegated_sections<Handoff, basic_shared_mutex<Handoff>>;

task<> note(std::string& log, char name) {
  log += name;
  co_return;
}

task<> throw_at_once() {
  throw std::runtime_error{"inside"};
  co_return;
}

/// The section is a task: the waiting task runs it itself.
template <class Handoff>
class awaited_sections final : public sections_of<basic_mutex<Handoff>> {
 public:
  static constexpr traits what{.awaited = hand_over_of<Handoff>, .allocates = true};
  explicit awaited_sections(unsigned) {}

  owned wait(std::string& log, char name) override {
    co_await with_lock(this->mutex(), [&log, name] { return note(log, name); });
  }
  owned wait(wait_limits until, std::string& log, char name) override {
    auto section = [&log, name] { return note(log, name); };
    auto operation = this->limited(std::move(until), section);
    const bool has_run = co_await std::move(operation);
    if (!has_run) log += '-';
  }

  std::optional<owned> wait_and_throw(std::string& log) override { return fail(log); }

 private:
  owned fail(std::string& log) {
    bool is_caught = false;
    try {
      co_await with_lock(this->mutex(), throw_at_once);
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    if (is_caught) log += '!';
  }
};

bool note_once(std::string& log, char name) {
  log += name;
  return true;
}

/// A first task has the turn and fails; the first waiter succeeds, and the others see that.
/// The first waiter notes its name during its turn, since it continues after the waiters
/// that it lets out.
class call_once_calls final : public subject {
 public:
  static constexpr traits what{
      .awaited = hand_over::exchanged, .serves_all = true, .allocates = true};
  explicit call_once_calls(unsigned) { static_cast<void>(block_on(flag_.enter())); }

  owned wait(std::string& log, char name) override {
    bool is_noted = false;
    co_await call_once(flag_, [&] { is_noted = note_once(log, name); });
    if (!is_noted) log += name;
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    bool is_noted = false;
    const auto note_it = [&] { is_noted = note_once(log, name); };
    const bool is_done = co_await call_once(flag_, std::move(until), note_it);
    if (!is_noted) log += is_done ? name : '-';
  }

  bool wait_blocking(wait_limits until) override {
    return call_once_blocking(flag_, std::move(until), [] {});
  }

  void wait_blocking() override {
    call_once_blocking(flag_, [] {});
    call_once_blocking(flag_, [] {});  // It is done by now.
  }

  bool let_in() override {
    flag_.fail_dispatch();
    return true;
  }

  owned let_in_awaited(std::string& log) override {
    co_await flag_.fail();
    log += '.';
  }

  std::optional<owned> wait_and_throw(std::string& log) override { return fail(log); }

 private:
  owned fail(std::string& log) {
    bool is_caught = false;
    try {
      co_await call_once(flag_, [] { throw std::runtime_error{"inside"}; });
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    if (is_caught) log += '!';
  }

  once_flag flag_;
};

}  // namespace

std::vector<subject_kind> sections() {
  std::vector<subject_kind> all;
  add<lock_free>(all, "section_of_mutex_lock_free");
  add<spin_locked>(all, "section_of_mutex_spin_locked");
  add<writers>(all, "section_of_shared_mutex");
  add<awaited_sections>(all, "section_that_is_a_task");
  add_one<call_once_calls>(all, "call_once");
  return all;
}

}  // namespace hotseat::conformance
