// hotseat/tests/conformance/values.cpp — values that are accessed only in sections, as
// subjects.
#include <hotseat/platform/seam.hpp>
#include <hotseat/sync/mutex.hpp>
#include <hotseat/sync/shared_mutex.hpp>
#include <hotseat/task/synchronized.hpp>
#include <hotseat/task/task.hpp>

#include <conformance/subject.hpp>

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::conformance {
namespace {

/// Makes its address known, so that a test can own the value's mutex.
template <class Mutex>
struct known : Mutex {
  known() noexcept { newest = this; }
  static inline known* newest = nullptr;
};

/// The value counts the sections that accessed it.
template <class Mutex>
class value_of : public subject {
 public:
  value_of() {
    static_cast<void>(m_.try_lock());
    detail::current().locks_held = 0;
  }

  owned wait(std::string& log, char name) override {
    auto operation = value_.with([&log, name](int& n) {
      log += name;
      return ++n;
    });
    const int number = co_await interrupted(operation, this->before_it_joins);
    static_cast<void>(number);
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    const auto note = [&log, name](int& n) {
      log += name;
      return ++n;
    };
    const std::optional<int> number = co_await value_.with(std::move(until), note);
    if (!number) log += '-';
  }

  bool wait_blocking(wait_limits until) override {
    return block_on(value_.with(std::move(until), [](int& n) { ++n; }));
  }

  void wait_blocking() override {
    value_.with_blocking([](int& n) { ++n; });
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
  auto& value() { return value_; }

 private:
  owned fail(std::string& log) {
    bool is_caught = false;
    try {
      co_await value_.with([](int&) { throw std::runtime_error{"inside"}; });
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    if (is_caught) log += '!';
  }

  synchronized<int, known<Mutex>> value_;
  Mutex& m_ = *known<Mutex>::newest;
};

template <class Handoff, class Mutex>
class delegated_values final : public value_of<Mutex> {
 public:
  static constexpr traits what{.awaited = delegated_hand_over_of<Handoff>};
  explicit delegated_values(unsigned) {}
};
template <class Handoff>
using values_of_mutex = delegated_values<Handoff, basic_mutex<Handoff>>;
template <class Handoff>
using values_of_shared_mutex = delegated_values<Handoff, basic_shared_mutex<Handoff>>;

task<> note_in_value(int& n, std::string& log, char name) {
  ++n;
  log += name;
  co_return;
}

task<> throw_at_the_value(int&) {
  throw std::runtime_error{"inside"};
  co_return;
}

/// The function returns a task: the calling task runs it.
template <class Handoff>
class awaited_values final : public value_of<basic_mutex<Handoff>> {
 public:
  static constexpr traits what{.awaited = hand_over_of<Handoff>, .allocates = true};
  explicit awaited_values(unsigned) {}

  owned wait(std::string& log, char name) override {
    co_await this->value().with(
        [&log, name](int& n) { return note_in_value(n, log, name); });
  }

  owned wait(wait_limits until, std::string& log, char name) override {
    const auto section = [&log, name](int& n) { return note_in_value(n, log, name); };
    const bool has_run = co_await this->value().with(std::move(until), section);
    if (!has_run) log += '-';
  }

  std::optional<owned> wait_and_throw(std::string& log) override { return fail(log); }

 private:
  owned fail(std::string& log) {
    bool is_caught = false;
    try {
      co_await this->value().with(throw_at_the_value);
    } catch (const std::runtime_error&) {
      is_caught = true;
    }
    if (is_caught) log += '!';
  }
};

}  // namespace

std::vector<subject_kind> values() {
  std::vector<subject_kind> all;
  add<values_of_mutex>(all, "synchronized");
  add<values_of_shared_mutex>(all, "synchronized_of_shared_mutex");
  add<awaited_values>(all, "synchronized_by_a_task");
  return all;
}

}  // namespace hotseat::conformance
