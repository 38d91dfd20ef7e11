// hotseat/task/when_any.hpp — several tasks at once, and the first result.
// Layer: task.  Built on task/when_all.hpp.
#pragma once

#include <hotseat/core/awaitable.hpp>
#include <hotseat/core/result_slot.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/this_task.hpp>
#include <hotseat/task/when_all.hpp>

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace hotseat {

/// Which task was first, and its result.  `value` has the common result type of the tasks,
/// even if that is a reference; if they differ, it is a std::variant whose index is
/// `index`, with std::monostate for void and std::reference_wrapper for references.
template <class T>
struct when_any_result {
  // In parentheses: braces would take a container of anything for its only element.
  when_any_result(std::size_t i, T v) : index{i}, value(std::forward<T>(v)) {}
  std::size_t index;
  T value;
  // NOLINTNEXTLINE(google-explicit-constructor): reads like the result itself.
  operator const T&() const& noexcept { return value; }
};
template <>
struct when_any_result<void> {
  explicit when_any_result(std::size_t i) : index{i} {}
  std::size_t index;
};

namespace detail {

template <class First, class... Rest>
struct any_value {
  using type = std::conditional_t<(std::is_same_v<First, Rest> && ...), First,
                                  std::variant<element_t<First>, element_t<Rest>...>>;
};

/// The race between the children of one when_any.
///
/// Memory order
///   N  relaxed is enough: one winner is chosen by the exchange alone; what it writes
///      reaches the waiting task through the join that all children arrive at.
template <class Value>
class race {
 public:
  [[nodiscard]] bool win(std::size_t index) noexcept {
    if (is_over_.exchange(true, std::memory_order_relaxed)) return false;
    index_ = index;
    return true;
  }
  void ask_losers_to_stop() noexcept { stop_.request_stop(); }

  when_any_result<Value> take() {
    if constexpr (std::is_void_v<Value>) {
      result.take();
      return when_any_result<void>{index_};
    } else {
      return when_any_result<Value>{index_, result.take()};
    }
  }

  result_slot<Value> result;

  [[nodiscard]] const std::stop_token& token() const noexcept { return token_; }

 private:
  platform::atomic<bool> is_over_{false};
  std::size_t index_ = 0;
  std::stop_source stop_;
  std::stop_token token_ = stop_.get_token();
};

template <class Value, class T, class Index>
task<> contend(race<Value>& race, task<T> child, Index index) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await awaited_with(child, race.token());
      if (!race.win(index)) co_return;
      if constexpr (std::is_void_v<Value>) {
        race.result.set_value();
      } else {
        race.result.emplace(std::in_place_index<Index::value>);
      }
    } else {
      using kept = kept_t<T>;
      kept value = co_await awaited_with(child, race.token());
      if (!race.win(index)) co_return;
      if constexpr (std::is_same_v<kept, Value>) {
        race.result.set_value(std::forward<kept>(value));
      } else {
        race.result.emplace(std::in_place_index<Index::value>, std::forward<kept>(value));
      }
    }
  } catch (...) {
    if (!race.win(index)) co_return;
    race.result.set_exception(std::current_exception());
  }
  race.ask_losers_to_stop();
}

template <class Value>
struct stop_of_race {
  race<Value>* which;
  void operator()() const noexcept { which->ask_losers_to_stop(); }
};

template <class Value, std::size_t... Is, class... Ts>
task<when_any_result<Value>> run_race(std::index_sequence<Is...>, task<Ts>... children) {
  race<Value> contest;
  const std::stop_token above = co_await this_task::stop_token();
  const platform::stop_callback<stop_of_race<Value>> link{above,
                                                          stop_of_race<Value>{&contest}};
  co_await when_all(
      contend(contest, std::move(children), std::integral_constant<std::size_t, Is>{})...);
  co_return contest.take();
}

template <class T>
task<when_any_result<kept_t<T>>> run_race(std::vector<task<T>> children) {
  if (children.empty())
    throw std::invalid_argument{"when_any: there is no task to wait for"};
  using value = kept_t<T>;
  race<value> contest;
  const std::stop_token above = co_await this_task::stop_token();
  const platform::stop_callback<stop_of_race<value>> link{above,
                                                          stop_of_race<value>{&contest}};
  std::vector<task<>> contenders;
  contenders.reserve(children.size());
  for (std::size_t i = 0; i < children.size(); ++i) {
    contenders.push_back(contend(contest, std::move(children[i]), i));
  }
  co_await when_all(std::move(contenders));
  co_return contest.take();
}

}  // namespace detail

/// Starts all tasks and yields the result of the first one to end, or throws its exception.
/// The others are asked to stop, and awaited: nothing is left running, so losers should
/// look at their stop token.  For an empty vector, throws std::invalid_argument.
template <awaitable... Awaitables>
  requires(sizeof...(Awaitables) > 0)
auto when_any(Awaitables&&... awaitables) {
  using value =
      typename detail::any_value<detail::kept_t<await_result_t<Awaitables>>...>::type;
  return detail::run_race<value>(std::index_sequence_for<Awaitables...>{},
                                 detail::as_task(std::forward<Awaitables>(awaitables))...);
}

template <class T>
task<when_any_result<detail::kept_t<T>>> when_any(std::vector<task<T>> tasks) {
  return detail::run_race(std::move(tasks));
}

}  // namespace hotseat
