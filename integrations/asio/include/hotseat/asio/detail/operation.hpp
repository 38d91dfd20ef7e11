// hotseat/asio/detail/operation.hpp — one of Asio's operations, awaited by a task.
// Read next: hotseat/sync/one_shot.hpp.
#pragma once

#include <hotseat/asio/detail/asio.hpp>
#include <hotseat/asio/detail/frame_memory.hpp>
#include <hotseat/asio/detail/signal_cache.hpp>
#include <hotseat/core/assert.hpp>
#include <hotseat/sched/executor.hpp>
#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/one_shot.hpp>
#include <hotseat/task/stop_token_of.hpp>

#include <atomic>
#include <coroutine>
#include <exception>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace hotseat::asio::detail {

struct throws_errors {};
struct yields_errors {};

/// What is left of one value, of several, or of none.
template <class... Values>
auto plain(std::tuple<Values...>&& all) {
  if constexpr (sizeof...(Values) == 1) {
    return std::get<0>(std::move(all));
  } else if constexpr (sizeof...(Values) != 0) {
    return std::move(all);
  }
}

/// Throws what stands first if it is an error, and yields the rest.
template <class First, class... Rest>
auto checked(std::tuple<First, Rest...>&& all) {
  if constexpr (std::is_same_v<First, error_code>) {
    if (std::get<0>(all)) throw system_error{std::get<0>(all)};
  } else {
    if (std::get<0>(all)) std::rethrow_exception(std::get<0>(all));
  }
  return plain(std::apply(
      [](First&, Rest&... rest) { return std::tuple<Rest...>{std::move(rest)...}; }, all));
}

template <class First>
concept reports_errors =
    std::is_same_v<First, error_code> || std::is_same_v<First, std::exception_ptr>;

/// Where a stop is posted to: the executor of the I/O object.  An operation that does not
/// tell it cannot be stopped.
template <class Initiation>
auto executor_of(const Initiation& initiation) noexcept {
  if constexpr (requires { initiation.get_executor(); }) {
    return initiation.get_executor();
  } else {
    return std::monostate{};
  }
}

/// Starts the operation when it is awaited.  Its handler, whose memory is in the task's
/// frame, completes a one_shot, on a thread of the I/O object's executor.
///
/// If the task can be stopped, or the operation has a time limit, it is cancelled by its
/// slot.  A slot must be used where the completion runs, so the stop is posted there.
///
///     state    meaning
///     ───────  ─────────────────────────────────────────────
///     running  the handler has not been called
///     posted   the same, and a stop is on its way to the slot
///     over     the handler was called first
///
/// The second of the handler and a posted stop resumes the task, since the frame must
/// outlive both.  They run one after the other.
template <class Errors, class Initiation, class Given, class... Args>
class [[nodiscard("co_await it")]] operation {
  using result = std::tuple<std::decay_t<Args>...>;
  using time_point = platform::clock::time_point;

 public:
  static constexpr bool can_be_stopped = requires(Initiation& i) { i.get_executor(); };

  operation(Initiation initiation, Given given)
      : initiation_{std::move(initiation)}, given_{std::move(given)} {}
  operation(operation&& other) noexcept  // Before it is awaited.
      : initiation_{std::move(other.initiation_)},
        given_{std::move(other.given_)},
        due_{other.due_},
        is_shielded_{other.is_shielded_} {}
  operation& operator=(operation&&) = delete;
  ~operation() = default;

  // Before it is awaited.
  void end_at(time_point due) noexcept { due_ = due; }
  void shield() noexcept { is_shielded_ = true; }

  static bool await_ready() noexcept { return false; }

  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> self) {
    std::stop_token stop;
    if constexpr (can_be_stopped) {
      if (!is_shielded_) stop = stop_token_of(self);
      if (due_) late_.prepare(*due_, *this);
    }
    if (stop.stop_possible() || due_) signal_ = signal_cache::take();
    std::apply(
        [this](auto&&... each) {
          std::move(initiation_)(handler{this}, std::move(each)...);
        },
        std::move(given_));
    // After the slot has been set: a stop that has been requested already is posted here.
    if (stop.stop_possible()) stop_.emplace(std::move(stop), stopper{this});
    if (due_) late_.arm();
    if (wait_.await_ready()) return false;
    return wait_.await_suspend(self);  // Suspended: `this` may be gone.
  }

  auto await_resume() {
    stop_.reset();
    late_.disarm();
    if (signal_ != nullptr) signal_cache::give_back(std::move(signal_));
    wait_.await_resume();
    if constexpr (sizeof...(Args) == 0) {
      return;
    } else {
      using first = std::tuple_element_t<0, result>;
      if constexpr (std::is_same_v<first, error_code>) {
        error_code& error = std::get<0>(*result_);
        if (late_.has_ended_it && error == net::error::operation_aborted) {
          error = net::error::timed_out;
        }
      }
      if constexpr (reports_errors<first> && std::is_same_v<Errors, throws_errors>) {
        return checked(std::move(*result_));
      } else {
        return plain(std::move(*result_));
      }
    }
  }

 private:
  struct handler {
    operation* of;

    using allocator_type = frame_allocator<void*>;
    [[nodiscard]] allocator_type get_allocator() const noexcept {
      return allocator_type{of->memory_};
    }
    using cancellation_slot_type = net::cancellation_slot;
    [[nodiscard]] cancellation_slot_type get_cancellation_slot() const noexcept {
      return of->signal_ != nullptr ? of->signal_->slot() : cancellation_slot_type{};
    }

    template <class... Values>
    void operator()(Values&&... values) {
      of->result_.emplace(std::forward<Values>(values)...);
      if (of->state_.exchange(state::over, std::memory_order_acq_rel) == state::running) {
        of->done_.set_value();  // `of` may be gone.
      }
    }
  };

  struct stopper {
    operation* of;
    void operator()() const noexcept { of->stop(); }
  };

  /// Its time limit.  The task is resumed only when the alarm neither rings nor will.
  struct lateness : alarm_clock::alarm {
    void prepare(time_point when, operation& which) {
      executor* const here = executor::current();
      clock = here != nullptr ? here->timers() : nullptr;
      require(clock != nullptr, "timeout", &which,
              "a deadline needs an executor that keeps time");
      clock->start();
      of = &which;
      due = when;
      ring = [](alarm& self) noexcept { static_cast<lateness&>(self).end(); };
    }
    void arm() noexcept {
      if (!clock->set(*this)) end();
    }
    void end() noexcept { has_ended_it = of->stop(); }
    void disarm() noexcept {
      if (clock != nullptr) clock->withdraw(*this);
    }

    alarm_clock* clock = nullptr;
    operation* of = nullptr;
    bool has_ended_it = false;
  };

  /// Returns whether the handler has not been called and no other stop came before.
  bool stop() noexcept {
    state seen = state::running;
    if (!state_.compare_exchange_strong(seen, state::posted, std::memory_order_acq_rel)) {
      return false;
    }
    if constexpr (can_be_stopped) net::post(executor_, [this] { emit(); });
    return true;
  }

  void emit() {
    if (state_.load(std::memory_order_relaxed) == state::posted) {
      signal_->emit(net::cancellation_type::terminal);
      state seen = state::posted;
      if (state_.compare_exchange_strong(seen, state::running, std::memory_order_acq_rel)) {
        return;  // The handler comes later.
      }
    }
    done_.set_value();  // `this` may be gone.
  }

  enum class state : unsigned char { running, posted, over };

  Initiation initiation_;
  Given given_;
  decltype(executor_of(std::declval<const Initiation&>())) executor_{
      executor_of(initiation_)};
  std::optional<result> result_;
  one_shot<> done_;
  one_shot<>::wait_operation wait_{done_.wait()};
  signal signal_;
  std::optional<time_point> due_;
  bool is_shielded_ = false;
  lateness late_;
  std::optional<std::stop_callback<stopper>> stop_;
  std::atomic<state> state_{state::running};
  frame_memory memory_;
};

}  // namespace hotseat::asio::detail
