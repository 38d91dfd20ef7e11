// hotseat/sync/one_shot.hpp — the result of a call that ends by a callback.  Layer: sync.
// Read next: detail/link_state.hpp (how the two sides part), detail/gate.hpp (waiting).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/line_waiter.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/sched/acquire_operation.hpp>
#include <hotseat/sched/block_on.hpp>
#include <hotseat/sched/release_operation.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/detail/broadcast_state.hpp>
#include <hotseat/sync/detail/gate.hpp>
#include <hotseat/sync/detail/link_state.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

namespace hotseat {

/// What a wait throws if no result will come: the completer was destroyed without one.
class one_shot_dropped : public std::runtime_error {
 public:
  one_shot_dropped() : std::runtime_error{"one_shot: its completer was dropped"} {}
};

/// What a wait without limits throws if the call was stopped.
class one_shot_stopped : public std::runtime_error {
 public:
  one_shot_stopped() : std::runtime_error{"one_shot: the call was stopped"} {}
};

/// Waits for something that calls back, once, on any thread: a client library, a thread of
/// your own, an event_source.
///
///     hotseat::one_shot<reply> answer;
///     client.call(request, [done = answer.get_completer()](reply r) mutable {
///       done.set_value(std::move(r));
///     });
///     if (std::optional<reply> r = co_await answer.wait(5s)) use(*r);
///
/// It is completed by a value, an exception or a stop; the task is then scheduled on its
/// own executor.  A completer that is destroyed first completes it by `one_shot_dropped`,
/// so no wait hangs.  The one_shot may be destroyed first, too, for instance after a
/// timeout: then what the completer brings is dropped.
///
/// One task waits for it at a time, and the wait that gets the value takes it.  A wait that
/// ended early may be repeated.  Nothing is allocated, but by exceptions; only a deadline
/// may throw (sched/wait_limits.hpp).
template <class T = void>
class one_shot : pinned<one_shot<T>>, public detail::wait_names<one_shot<T>> {
  static_assert(std::is_void_v<T> || std::is_object_v<T>, "a T is a value, or void");
  struct nothing {};
  using value_type = std::conditional_t<std::is_void_v<T>, nothing, T>;
  struct stopped {};

  struct line {
    using waiter = line_waiter;
    one_shot& shot;
    bool try_acquire(line_waiter&) const noexcept { return shot.state_.is_open(); }
    bool acquire_or_enqueue(line_waiter& w) noexcept {
      return shot.state_.pass_or_enqueue(w);
    }
    bool leave(line_waiter& w) noexcept { return shot.state_.leave(w); }
    T result(line_waiter&) const { return shot.take(); }
    auto result(line_waiter&, bool is_granted) const { return shot.take_if(is_granted); }
  };

  /// Opens the gate, and then parts from the completer: the last touch.
  struct door {
    one_shot& shot;
    detail::link_end* completer = nullptr;
    waiter_queue release() noexcept {
      waiter_queue heirs = shot.state_.open();
      if (completer != nullptr) completer->part(shot.end_);
      return heirs;
    }
  };

 public:
  class completer;
  using wait_operation = detail::acquire_operation<line>;
  using limited_wait_operation = detail::acquire_operation<line, detail::limited>;

  one_shot() noexcept = default;
  ~one_shot() {
    if (detail::link_end* const peer = end_.hold()) end_.part(*peer);
    require(!state_.is_waited(), "one_shot", this,
            "it must not be destroyed while a task waits");
  }

  /// To be called once, before the callback can be.
  [[nodiscard]] completer get_completer() noexcept {
    require(!std::exchange(has_completer_, true), "one_shot", this,
            "it has one completer, and no more");
    return completer{*this};
  }

  /// Awaitable.  Yields the value, or throws the exception.
  wait_operation wait() noexcept { return wait_operation{{*this}}; }

  /// Awaitable.  Yields an optional, or for void a bool: empty, or false, on timeout or
  /// stop. `wait_for` and `wait_until` are the same.
  limited_wait_operation wait(wait_limits limits) noexcept {
    return limited_wait_operation{{*this}, std::move(limits)};
  }

  /// For non-worker threads: blocks the calling thread.
  T wait_blocking() { return block_on(wait()); }

  [[nodiscard]] bool is_complete() const noexcept { return state_.is_open(); }

  // Completes it without a completer.  REQUIRES: called once, and the one_shot lives until
  // the call returns, or is destroyed by the task that has waited for it.

  template <class... Args>
    requires std::constructible_from<value_type, Args...>
  void set_value(Args&&... args) noexcept {
    store_value(std::forward<Args>(args)...);
    detail::release_and_dispatch(door{*this});
  }
  void set_exception(std::exception_ptr why) noexcept {
    store(std::move(why));
    detail::release_and_dispatch(door{*this});
  }
  void set_stopped() noexcept {
    store(stopped{});
    detail::release_and_dispatch(door{*this});
  }

 private:
  template <class... Args>
  void store_value(Args&&... args) noexcept {
    require_empty();
    try {
      result_.template emplace<value_type>(std::forward<Args>(args)...);
    } catch (...) {
      result_ = std::current_exception();
    }
  }
  template <class Result>
  void store(Result result) noexcept {
    require_empty();
    result_ = std::move(result);
  }
  void require_empty() const noexcept {
    require(result_.index() == 0, "one_shot", this, "it must be completed once");
  }

  T take() {
    if (std::holds_alternative<stopped>(result_)) throw one_shot_stopped{};
    throw_if_failed();
    if constexpr (!std::is_void_v<T>) return std::move(std::get<value_type>(result_));
  }
  auto take_if(bool is_granted) {
    const bool is_done = is_granted && !std::holds_alternative<stopped>(result_);
    if (is_done) throw_if_failed();
    if constexpr (std::is_void_v<T>) {
      return is_done;
    } else {
      std::optional<T> value;
      if (is_done) value.emplace(std::move(std::get<value_type>(result_)));
      return value;
    }
  }
  void throw_if_failed() {
    if (auto* const why = std::get_if<std::exception_ptr>(&result_)) {
      std::rethrow_exception(*why);
    }
  }

  detail::broadcast_state state_{1};
  detail::link_end end_{detail::link_end::role::leading};
  bool has_completer_ = false;
  std::variant<std::monostate, value_type, std::exception_ptr, stopped> result_;
};

/// The other side of a one_shot, for the callback.  It may move, and may outlive the
/// one_shot.  Use it on one thread at a time.
template <class T>
class one_shot<T>::completer {
 public:
  completer(completer&& from) noexcept { take_over(from); }
  completer& operator=(completer&& from) noexcept {
    if (this != &from) {
      drop();
      take_over(from);
    }
    return *this;
  }
  ~completer() { drop(); }

  /// Whether the one_shot is gone, or has been completed.
  [[nodiscard]] bool is_done() const noexcept { return shot_ == nullptr; }

  // Each completes the one_shot, if it still exists.

  template <class... Args>
    requires std::constructible_from<value_type, Args...>
  void set_value(Args&&... args) noexcept {
    complete([&](one_shot& shot) { shot.store_value(std::forward<Args>(args)...); });
  }
  void set_exception(std::exception_ptr why) noexcept {
    complete([&](one_shot& shot) { shot.store(std::move(why)); });
  }
  void set_stopped() noexcept {
    complete([](one_shot& shot) { shot.store(stopped{}); });
  }

 private:
  friend class one_shot;

  explicit completer(one_shot& shot) noexcept : shot_{&shot} { end_.link(shot.end_); }

  void take_over(completer& from) noexcept {
    if (detail::link_end* const peer = from.end_.hold()) {
      shot_ = from.shot_;
      from.end_.move_to(end_, *peer);
    }
    from.shot_ = nullptr;
  }

  void drop() noexcept {
    if (shot_ == nullptr) return;
    complete(
        [](one_shot& shot) { shot.store(std::make_exception_ptr(one_shot_dropped{})); });
  }

  template <class Store>
  void complete(Store store) noexcept {
    one_shot* const shot = std::exchange(shot_, nullptr);
    if (shot == nullptr || end_.hold() == nullptr) return;  // It has gone.
    store(*shot);
    detail::release_and_dispatch(door{*shot, &end_});
  }

  one_shot* shot_ = nullptr;  // valid if end_ is not alone
  detail::link_end end_{detail::link_end::role::yielding};
};

}  // namespace hotseat
