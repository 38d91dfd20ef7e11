// hotseat/fiber/fiber_control.cpp — entering and leaving a fiber.
#include <hotseat/core/assert.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/sched/run.hpp>

#include <cerrno>
#include <stdexcept>
#include <utility>

namespace hotseat::detail {

namespace {

struct thread_of_fibers {
  fiber_control* running = nullptr;
  void* exceptions =
      nullptr;  // platform::exceptions_of_thread; null before its first fiber
};

thread_of_fibers& fibers_here() noexcept {
  return platform::per_thread<thread_of_fibers>();
}

}  // namespace

/// Gives a coroutine access to its own promise.
class fiber_control::own_control {
 public:
  own_control() noexcept = default;
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<fiber_control> driver) noexcept {
    control_ = &driver.promise();
    return false;
  }
  [[nodiscard]] fiber_control& await_resume() const noexcept { return *control_; }

 private:
  fiber_control* control_ = nullptr;
};

/// Awaits what a fiber waits for, now that it is parked (F1).
class fiber_control::parked_fiber {
 public:
  explicit parked_fiber(fiber_wait& what) noexcept : what_{&what} {}
  static bool await_ready() noexcept { return false; }
  bool await_suspend(std::coroutine_handle<fiber_control> driver) noexcept {
    return what_->suspend(*what_, driver);  // Suspended: `this` may be gone.
  }
  static void await_resume() noexcept {}

 private:
  fiber_wait* what_;
};

fiber_driver fiber_control::drive() {
  fiber_control& self = co_await own_control{};
  while (self.enter()) {
    co_await parked_fiber{*self.waits_for_};
  }
  self.give_back_stack();
}

fiber_driver fiber_control::get_return_object() noexcept {
  in_line_.task = std::coroutine_handle<fiber_control>::from_promise(*this);
  return {this};
}

fiber_control::~fiber_control() {
  if (stack_.lowest != nullptr) give_back_stack();
}

void fiber_control::destroy() noexcept {
  std::coroutine_handle<fiber_control>::from_promise(*this).destroy();
}

void* fiber_control::place_body(std::size_t bytes, std::size_t alignment) {
  if (bytes + alignment > stack_.bytes / 4) {
    throw std::invalid_argument{
        "fiber: what the function captures takes more than a quarter of its stack"};
  }
  const auto end = reinterpret_cast<std::uintptr_t>(stack_.lowest) + stack_.bytes;
  const std::uintptr_t start = (end - bytes) / alignment * alignment;
  top_ = stack_.lowest + (start - reinterpret_cast<std::uintptr_t>(stack_.lowest));
  return top_;
}

void fiber_control::start(executor& where, void (*body)(void* place),
                          void* place) noexcept {
  body_ = body;
  place_ = place;
  platform::prepare_stack(inside_, stack_.lowest,
                          static_cast<std::size_t>(top_ - stack_.lowest), &first_function,
                          this);
  guest_of_ = &where;
  where.admit_guest();
  in_line_.home = &where;
  where.schedule(in_line_);  // The fiber may have ended.
}

fiber_control* fiber_control::current() noexcept {
  fiber_control* found = fibers_here().running;
  // Opaque: else a compiler that sees into this function may leave the call out.
  asm volatile("" : "+r"(found)::"memory");
  return found;
}

const char* fiber_control::find_overflow(std::uintptr_t address) noexcept {
  const fiber_control* const running = current();
  if (running == nullptr) return nullptr;
  const auto lowest = reinterpret_cast<std::uintptr_t>(running->stack_.lowest);
  const bool is_in_guard = lowest - address - 1 < platform::stack_guard_bytes;
  return is_in_guard ? running->name().c_str() : nullptr;
}

// Runs on the stack that resumed the driver, which does not migrate: so the thread is the
// same from the first line to the last, although the fiber may have been on others.
bool fiber_control::enter() noexcept {
  invariant(is_parked_, "fiber", this, "F1: it is resumed only when it is parked");
  thread_of_fibers& fibers = fibers_here();
  if (fibers.exceptions == nullptr) [[unlikely]] {
    platform::prepare_overflow_report();
    fibers.exceptions = platform::exceptions_of_thread();
  }
  outside_.of_thread = fibers.exceptions;
  thread_state& here = detail::current();
  fiber_control* const outer = std::exchange(fibers.running, this);
  const std::uintptr_t floor = std::exchange(
      here.stack_floor, reinterpret_cast<std::uintptr_t>(stack_.lowest) + stack_.bytes / 4);
  here.locks_held = locks_held_;
  const int error_number = std::exchange(errno, error_number_);
  waits_for_ = nullptr;
  is_parked_ = false;
  platform::switch_stacks(outside_, inside_);
  is_parked_ = true;
  error_number_ = std::exchange(errno, error_number);
  locks_held_ = here.locks_held;
  here.stack_floor = floor;
  fibers.running = outer;
  return waits_for_ != nullptr;
}

void fiber_control::wait(fiber_wait& what) noexcept {
  require(stack_.holds(platform::stack_position()), "fiber", this,
          "it must not wait in a signal handler, or on any stack but its own");
  waits_for_ = &what;
  platform::switch_stacks(inside_, outside_);
}

void fiber_control::first_function(void* self) noexcept {
  auto& fiber = *static_cast<fiber_control*>(self);
  fiber.call_body();
  fiber.waits_for_ = nullptr;
  platform::leave_stack(fiber.inside_, fiber.outside_);
}

void fiber_control::call_body() noexcept {
  try {
    body_(place_);
  } catch (...) {
    error_ = std::current_exception();
  }
  // Destructors may use other local values, even for the first time.
  while (fiber_local_value* const value = locals_) {
    locals_ = value->next;
    value->destroy(*value);
  }
}

void fiber_control::give_back_stack() noexcept {
  platform::forget_stack(inside_);
  platform::give_stack(std::exchange(stack_, {}));
}

void fiber_control::finish() noexcept {
  guest_of_->dismiss_guest();
  const join_state::ending end = joining_.end();
  if (end.who == join_state::heritage::itself) return destroy();
  if (end.who == join_state::heritage::handle) return;  // `this` may be gone.
  // We are about to end: the joiner can have this worker at once.
  continue_here(*end.joiner);
}

fiber_control& fiber_control::create(fiber_options options) {
  const std::size_t wanted = options.stack_size;
  if (wanted < fiber_options::least_stack_size) {
    throw std::invalid_argument{"fiber: a stack of " + std::to_string(wanted) +
                                " bytes is too small; it must have at least " +
                                std::to_string(fiber_options::least_stack_size)};
  }
  if (wanted > fiber_options::most_stack_size) {
    throw std::invalid_argument{"fiber: a stack of " + std::to_string(wanted) +
                                " bytes is too large; it must have at most " +
                                std::to_string(fiber_options::most_stack_size)};
  }
  platform::report_overflows(&find_overflow);
  const platform::guarded_stack stack = platform::take_stack(wanted);
  fiber_control* control = nullptr;
  try {
    control = drive().control;
  } catch (...) {
    platform::give_stack(stack);
    throw;
  }
  control->stack_ = stack;
  control->top_ = stack.lowest + stack.bytes;
  control->options_ = std::move(options);
  control->set_stop_token(&control->options_.stop);
  return *control;
}

}  // namespace hotseat::detail
