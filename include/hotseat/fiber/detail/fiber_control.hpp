// hotseat/fiber/detail/fiber_control.hpp — one fiber: its stack, and the coroutine that
// drives it.  Layer: fiber/detail.  Read next: src/fiber/fiber_control.cpp,
// fiber/await.hpp.
#pragma once

#include <hotseat/core/pinned.hpp>
#include <hotseat/core/waiter.hpp>
#include <hotseat/fiber/detail/join_state.hpp>
#include <hotseat/fiber/fiber_options.hpp>
#include <hotseat/platform/memory.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/platform/stack_switch.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/task/stop_token_of.hpp>

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stop_token>
#include <string>

namespace hotseat::detail {

class fiber_control;

/// What a fiber waits for; lives on its stack.
struct fiber_wait {
  /// Puts the driver into a line, as `await_suspend` does.  Returns whether it stays
  /// suspended; if so, `self` may be gone.  Called after the switch off the fiber's stack.
  bool (*suspend)(fiber_wait& self, std::coroutine_handle<fiber_control> driver) noexcept;
};

/// A value of a fiber_local.
struct fiber_local_value {
  fiber_local_value* next = nullptr;
  std::uint64_t key = 0;
  void (*destroy)(fiber_local_value& self) noexcept = nullptr;
};

/// A coroutine that resumes a fiber whenever it is resumed itself, and awaits in its place.
struct fiber_driver {
  using promise_type = fiber_control;
  fiber_control* control;
};

/// The promise of the driver.  To the primitives a fiber is this coroutine: they know
/// nothing of fibers.
///
///     worker's stack                     fiber's stack
///     ──────────────────────────────     ──────────────────────────────
///     driver: enter() ─────────────────► body ··· await(operation)
///     await_suspend(driver)  ◄────────── wait()
///       publishes the driver
///
/// Invariants
///   F1  The driver is published, to a line or an executor, only while the fiber is parked:
///       when all its registers are on its stack.
///   F2  Only the driver enters the fiber, hence one thread at a time.
///   F3  On the fiber's stack, nothing thread-local is kept across wait().
class fiber_control final : public promise_base, pinned<fiber_control> {
 public:
  class final_operation {
   public:
    static bool await_ready() noexcept { return false; }
    static void await_suspend(std::coroutine_handle<fiber_control> done) noexcept {
      done.promise().finish();  // The frame may be gone.
    }
    static void await_resume() noexcept {}
  };

  fiber_control() = default;
  ~fiber_control();
  fiber_driver get_return_object() noexcept;
  static final_operation final_suspend() noexcept { return {}; }
  static void return_void() noexcept {}
  [[noreturn]] static void unhandled_exception() noexcept { std::terminate(); }

  // --- For its creator.

  /// Throws std::invalid_argument for an impossible stack size, std::system_error if no
  /// stack is available, and std::bad_alloc.
  [[nodiscard]] static fiber_control& create(fiber_options options);
  /// Where to construct the function object, at the upper end of the stack.  Throws
  /// std::invalid_argument if it takes more than a quarter of the stack.
  [[nodiscard]] void* place_body(std::size_t bytes, std::size_t alignment);
  /// `body` calls the object at `place`, and destroys it.
  void start(executor& where, void (*body)(void* place), void* place) noexcept;
  /// REQUIRES: not started; or ended, and the frame is the caller's (J1).
  void destroy() noexcept;

  // --- On the fiber.

  /// The calling fiber, or nullptr.  Not inlined: it reads thread-local state (F3).
  [[nodiscard, gnu::noinline]] static fiber_control* current() noexcept;
  /// Suspends until the operation resumes the driver.
  void wait(fiber_wait& what) noexcept;
  [[nodiscard]] fiber_local_value*& locals() noexcept { return locals_; }

  // --- For all that keep it alive.

  [[nodiscard]] join_state& joining() noexcept { return joining_; }
  [[nodiscard]] std::exception_ptr& error() noexcept { return error_; }
  [[nodiscard]] const std::string& name() const noexcept { return options_.name; }
  [[nodiscard]] const std::stop_token& stop() const noexcept { return options_.stop; }
  [[nodiscard]] std::size_t stack_size() const noexcept { return stack_.bytes; }

 private:
  class own_control;
  class parked_fiber;

  static fiber_driver drive();
  [[noreturn]] static void first_function(void* self) noexcept;
  static const char* find_overflow(std::uintptr_t address) noexcept;

  bool enter() noexcept;
  void call_body() noexcept;
  void give_back_stack() noexcept;
  void finish() noexcept;

  platform::parked_stack inside_;   // the fiber, while it is parked
  platform::parked_stack outside_;  // the caller of the driver, while it is not
  fiber_wait* waits_for_ = nullptr;
  platform::var<bool> is_parked_ = true;
  std::uint32_t locks_held_ = 0;
  int error_number_ = 0;
  platform::guarded_stack stack_;
  std::byte* top_ = nullptr;  // what lies above belongs to the body

  void (*body_)(void* place) = nullptr;
  void* place_ = nullptr;
  fiber_local_value* locals_ = nullptr;
  fiber_options options_;

  executor* guest_of_ = nullptr;
  waiter in_line_;
  join_state joining_;
  std::exception_ptr error_;
};

}  // namespace hotseat::detail
