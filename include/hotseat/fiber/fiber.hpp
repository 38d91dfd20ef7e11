// hotseat/fiber/fiber.hpp — fiber: a task with a stack of its own.
// Layer: fiber.  Read next: fiber/await.hpp, fiber/fiber_mutex.hpp.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/fiber/await.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>
#include <hotseat/fiber/fiber_options.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/executor.hpp>

#include <concepts>
#include <coroutine>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace hotseat {

namespace detail {

/// Calls the function object at `place`, and then destroys it, on the fiber's stack.
template <class Body>
void call_and_destroy(void* place) {
  struct ending {
    Body* body;
    ~ending() { body->~Body(); }
  };
  const ending at_end{std::launder(static_cast<Body*>(place))};
  (*at_end.body)();
}

}  // namespace detail

/// A function that runs on an executor and can suspend at any depth of calls, below
/// functions that know nothing of tasks: in `await`, and in locks such as fiber_mutex.
///
///     hotseat::fiber f{pool, [&] {
///       const std::lock_guard held{m};     // a fiber_mutex
///       map.insert(key, value);
///     }};
///     f.join();
///
/// It starts at once.  Like a std::thread it must be joined or detached.  An exception that
/// leaves the function is thrown by `join`, and lost if the fiber is detached.
/// REQUIRES: the executor outlives it.
class fiber {
 public:
  class [[nodiscard("co_await it")]] join_operation;

  fiber() noexcept = default;

  /// Throws std::invalid_argument for an impossible stack size, std::system_error if no
  /// stack is available, std::bad_alloc, and what copying the function throws.
  template <std::invocable Body>
  fiber(executor& where, Body&& body)
      : fiber{where, fiber_options{}, std::forward<Body>(body)} {}
  template <std::invocable Body>
  fiber(executor& where, fiber_options options, Body&& body)
      : control_{&detail::fiber_control::create(std::move(options))} {
    using stored = std::decay_t<Body>;
    void* place = nullptr;
    try {
      place = control_->place_body(sizeof(stored), alignof(stored));
      ::new (place) stored(std::forward<Body>(body));
    } catch (...) {
      control_->destroy();
      throw;
    }
    control_->start(where, &detail::call_and_destroy<stored>, place);
  }

  fiber(fiber&& other) noexcept : control_{std::exchange(other.control_, nullptr)} {}
  fiber& operator=(fiber&& other) noexcept {
    if (this != &other) {
      require_not_joinable();
      control_ = std::exchange(other.control_, nullptr);
    }
    return *this;
  }
  ~fiber() { require_not_joinable(); }

  /// Whether it must still be joined or detached.
  [[nodiscard]] bool joinable() const noexcept { return control_ != nullptr; }

  /// Waits until the fiber has ended, and rethrows its exception.  Suspends in a fiber,
  /// blocks on a non-worker thread.  REQUIRES: joinable; not called by the fiber itself.
  void join();

  /// The same for coroutines: awaitable.
  join_operation when_joined() noexcept;

  /// Lets it run on its own.  REQUIRES: joinable.
  void detach() noexcept {
    require_joinable();
    detail::fiber_control* const left = std::exchange(control_, nullptr);
    if (!left->joining().detach()) left->destroy();
  }

  /// REQUIRES: joinable.
  [[nodiscard]] const std::string& name() const noexcept {
    require_joinable();
    return control_->name();
  }

 private:
  void require_joinable() const noexcept {
    require(control_ != nullptr, "fiber", this,
            "it was joined, detached or moved from, or never started");
  }
  void require_not_joinable() const noexcept {
    require(control_ == nullptr, "fiber", this,
            "it must be joined or detached before it is destroyed");
  }

  detail::fiber_control* control_ = nullptr;
};

class fiber::join_operation : pinned<join_operation> {
 public:
  bool await_ready() const noexcept { return control_.joining().has_ended(); }
  bool await_suspend(std::coroutine_handle<> self) noexcept {
    detail::note_suspended(place_, self);
    return control_.joining().wait(place_);  // Suspended: `this` may be gone.
  }
  void await_resume() {
    if (place_.task) detail::note_resumed(place_);
    const std::exception_ptr error = std::exchange(control_.error(), nullptr);
    control_.destroy();
    if (error) std::rethrow_exception(error);
  }

 private:
  friend fiber;
  explicit join_operation(detail::fiber_control& control) noexcept : control_{control} {}
  detail::fiber_control& control_;
  waiter place_;
};

inline fiber::join_operation fiber::when_joined() noexcept {
  require_joinable();
  require(detail::fiber_control::current() != control_, "fiber", this,
          "it cannot join itself");
  return join_operation{*std::exchange(control_, nullptr)};
}

inline void fiber::join() { await(when_joined()); }

}  // namespace hotseat
