// hotseat/tests/support/tasks.hpp — the smallest tasks, and how to run one on this thread.
#pragma once

#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>

#include <support/probes.hpp>

#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hotseat::testing {

inline task<> nothing() { co_return; }
inline task<int> number(int n) { co_return n; }
inline task<std::string> text(std::string s) { co_return s; }
inline task<int&> refer_to(int& target) { co_return target; }
inline task<std::unique_ptr<int>> own(int n) { co_return std::make_unique<int>(n); }
inline task<const std::unique_ptr<int>> own_for_good(int n) {
  co_return std::make_unique<int>(n);
}
inline task<std::unique_ptr<int>&&> lend(std::unique_ptr<int>& target) {
  co_return std::move(target);
}

/// Makes a vector of tasks of one type, as `when_all` and others take it.
template <class T, class... Rest>
std::vector<task<T>> vector_of(task<T> first, Rest... rest) {
  std::vector<task<T>> all;
  all.push_back(std::move(first));
  (all.push_back(std::move(rest)), ...);
  return all;
}

inline task<> count(int& ended) {
  ++ended;
  co_return;
}

template <class T = void>
task<T> fail(std::string what = "failed") {
  throw std::runtime_error{what};
  if constexpr (std::is_void_v<T>) {
    co_return;
  } else {
    co_return T{};
  }
}

inline task<bool> is_asked_to_stop() {
  const std::stop_token token = co_await this_task::stop_token();
  co_return token.stop_requested();
}

/// Writes down a letter and ends.
inline owned say_plainly(std::string& log, char what) {
  log += what;
  co_return;
}

/// A task in a coroutine that a test can start and destroy.
inline owned drive(task<> t) { co_await t; }

/// Runs an awaitable to its end on this thread.
template <class Awaitable>
decltype(auto) run(Awaitable&& a) {
  immediate_executor now;
  return sync_wait(now, std::forward<Awaitable>(a));
}

}  // namespace hotseat::testing
