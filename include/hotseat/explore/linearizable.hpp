// hotseat/explore/linearizable.hpp — whether overlapping calls behave as if made one
// after the other.  Layer: explore.  Only in programs that link hotseat::explored.
#pragma once

#include <hotseat/explore/detail/call_log.hpp>
#include <hotseat/explore/explore.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <source_location>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hotseat {

/// The calls that an explored program made to one object, with their results.  The history
/// is linearizable if there is an order of all calls, in which no call comes before one
/// that had returned when it was made, such that a `Model`, used by one thread in that
/// order, returns the same results.  The model is a value: the object in its simplest form.
///
///     struct counter {
///       int value = 0;
///       int add(int n) { return value += n; }
///       bool operator==(const counter&) const = default;
///     };
///
///     history<counter> calls;                                   // in the program
///     ...
///     calls.call("add 2", [&] { return real.add(2); },          // in its threads
///                [](counter& c) { return c.add(2); });
///     ...
///     calls.verify_linearizable();                              // when they are done
///
/// For a call that a task awaits, the two ends are recorded one by one:
///
///     auto call = calls.begin("lock", [](owner& o) { return o.lock(); });
///     co_await m.lock();
///     call.end();
///
/// What the model's function may be, for a call that ends with result `r`:
///
///     f(model)      returns what the call would return then, which must equal r.  For a
///                   call without a result: nothing, or whether it could return then.
///     f(model, r)   returns whether the call could return r then; for calls whose result
///                   is not determined, such as a wait that may time out.
///
/// A function that returns false may leave the model in any state.  A call that never ends
/// may have had the effect of f(model), or none; with f(model, r) it has none.
///
/// The search is Wing and Gong's, with Lowe's cache of configurations that led nowhere.
template <class Model>
  requires std::copyable<Model> && std::equality_comparable<Model>
class history {
 public:
  template <class F>
  class [[nodiscard("it has an end")]] open_call;

  static constexpr std::size_t most_calls = detail::call_log::most_calls;

  explicit history(Model initial = Model(), call_order order = call_order::real_time)
      : initial_{std::move(initial)}, log_{order} {}

  /// Records the start of a call, just before it is made.  At most `most_calls` in a
  /// history.
  template <class F>
  open_call<F> begin(const char* name, F on_model) {
    const std::size_t number = log_.begin(name);
    if constexpr (std::invocable<F&, Model&>) {
      effects_.emplace_back([on_model](Model& model) mutable {
        static_cast<void>(on_model(model));
        return true;
      });
    } else {
      effects_.emplace_back([](Model&) { return false; });  // No effect if it never ends.
    }
    return open_call<F>{*this, number, std::move(on_model)};
  }

  /// Makes a call that is not awaited, and returns its result.
  template <std::invocable Real, class F>
  auto call(const char* name, Real real, F on_model) {
    open_call<F> one = begin(name, std::move(on_model));
    if constexpr (std::is_void_v<std::invoke_result_t<Real>>) {
      real();
      one.end();
    } else {
      auto result = real();
      one.end(result);
      return result;
    }
  }

  [[nodiscard]] bool is_linearizable() const {
    dead_ends known;
    return can_go_on(0, initial_, known);
  }

  /// `verify` that it is linearizable; the report contains the history.
  void verify_linearizable(
      std::source_location where = std::source_location::current()) const {
    if (is_linearizable()) return;
    verify(false, ("the history is linearizable:\n" + describe()).c_str(), where);
  }

  /// One call per line, in the order in which they were made.
  [[nodiscard]] std::string describe() const { return log_.describe(); }

  [[nodiscard]] std::size_t size() const noexcept { return log_.size(); }

 private:
  using set = detail::call_log::set;

  /// The calls made so far, and the states in which no order of the others explains their
  /// results.
  using dead_ends = std::unordered_map<set, std::vector<Model>>;

  bool can_go_on(set done, const Model& model, dead_ends& known) const {
    if ((log_.ended() & ~done) == 0) return true;
    for (std::size_t i = 0; i < effects_.size(); ++i) {
      if (!log_.can_be_next(i, done)) continue;
      const set then = done | set{1} << i;
      Model after = model;
      if (!effects_[i](after) || is_among(after, known, then)) continue;
      if (can_go_on(then, after, known)) return true;
      known[then].push_back(std::move(after));
    }
    return false;
  }

  static bool is_among(const Model& model, const dead_ends& known, set done) {
    const auto of_done = known.find(done);
    return of_done != known.end() &&
           std::ranges::find(of_done->second, model) != of_done->second.end();
  }

  Model initial_;
  detail::call_log log_;
  /// Applies each call to a model, and returns whether it could have ended then as it did.
  std::vector<std::function<bool(Model&)>> effects_;
};

/// A call that has started.  Must not outlive the history.
template <class Model>
  requires std::copyable<Model> && std::equality_comparable<Model>
template <class F>
class history<Model>::open_call {
 public:
  /// Records that the call has returned, without a result.
  void end() {
    close({}, [on_model = on_model_](Model& model) mutable {
      if constexpr (std::is_void_v<std::invoke_result_t<F&, Model&>>) {
        on_model(model);
        return true;
      } else {
        return static_cast<bool>(on_model(model));
      }
    });
  }

  /// The same with a result, which is copied.
  template <class Result>
  void end(const Result& result) {
    close(detail::to_text(result), [on_model = on_model_, result](Model& model) mutable {
      if constexpr (std::invocable<F&, Model&, const Result&>) {
        return static_cast<bool>(on_model(model, std::as_const(result)));
      } else {
        return static_cast<bool>(on_model(model) == result);
      }
    });
  }

 private:
  friend history;
  open_call(history& of, std::size_t number, F on_model)
      : of_{&of}, number_{number}, on_model_{std::move(on_model)} {}

  void close(std::string result, std::function<bool(Model&)> effect) {
    of_->log_.end(number_, std::move(result));
    of_->effects_[number_] = std::move(effect);
  }

  history* of_;
  std::size_t number_;
  F on_model_;
};

}  // namespace hotseat
