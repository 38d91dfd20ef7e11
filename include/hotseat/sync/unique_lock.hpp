// hotseat/sync/unique_lock.hpp — ownership of a mutex for a scope.
// Layer: sync.  Read next: sync/mutex.hpp, task/with_lock.hpp (the form to prefer).
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/sched/wait_limits.hpp>

#include <coroutine>
#include <mutex>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace hotseat {

/// The mutex is owned already.
using std::adopt_lock;
using std::adopt_lock_t;

template <class Mutex>
class unique_lock;
template <class Mutex>
class shared_lock;

namespace detail {

/// How sections and conditions reach into a mutex (detail/lock_access.hpp).
struct lock_access;

/// The two ways to own a mutex.  A third is to own permits (sync/scoped_permits.hpp), which
/// also stores how many.
struct exclusive_ownership {
  static constexpr const char* name = "unique_lock";
  template <class Mutex>
  static unique_lock<Mutex> scope_of(Mutex& mutex) noexcept {
    return {mutex, adopt_lock};
  }
  static auto lock(auto& mutex, auto... limits) noexcept {
    return mutex.lock(std::move(limits)...);
  }
  static auto unlock(auto& mutex) noexcept { return mutex.unlock(); }
  static void unlock_dispatch(auto& mutex) noexcept { mutex.unlock_dispatch(); }
};
struct shared_ownership {
  static constexpr const char* name = "shared_lock";
  template <class Mutex>
  static shared_lock<Mutex> scope_of(Mutex& mutex) noexcept {
    return {mutex, adopt_lock};
  }
  static auto lock(auto& mutex, auto... limits) noexcept {
    return mutex.lock_shared(std::move(limits)...);
  }
  static auto unlock(auto& mutex) noexcept { return mutex.unlock_shared(); }
  static void unlock_dispatch(auto& mutex) noexcept { mutex.unlock_shared_dispatch(); }
};

template <class Mutex, class Ownership>
class ownership_scope {
 public:
  ownership_scope() noexcept = default;  ///< Owns nothing.
  ownership_scope(Mutex& mutex, Ownership how) noexcept : mutex_{&mutex}, how_{how} {}

  ownership_scope(ownership_scope&& other) noexcept
      : mutex_{std::exchange(other.mutex_, nullptr)}, how_{other.how_} {}

  /// Releases what it owned, as the destructor does.
  ownership_scope& operator=(ownership_scope&& other) noexcept {
    if (this != &other) {
      release();
      mutex_ = std::exchange(other.mutex_, nullptr);
      how_ = other.how_;
    }
    return *this;
  }

  ~ownership_scope() { release(); }

  [[nodiscard]] bool owns_lock() const noexcept { return mutex_ != nullptr; }
  explicit operator bool() const noexcept { return owns_lock(); }

  /// Awaitable, like the mutex's unlock.  REQUIRES: owns_lock().
  auto unlock() noexcept { return how_.unlock(take()); }

  /// The same without suspending, as the destructor does.  REQUIRES: owns_lock().
  void unlock_dispatch() noexcept { how_.unlock_dispatch(take()); }

  /// Owns nothing afterwards.  Returns the mutex, still locked, for the caller to unlock;
  /// null if nothing was owned.
  [[nodiscard("it stays locked")]] Mutex* disown() noexcept {
    return std::exchange(mutex_, nullptr);
  }

 protected:
  [[nodiscard]] const Ownership& how() const noexcept { return how_; }

 private:
  Mutex& take() noexcept {
    require(mutex_ != nullptr, Ownership::name, this, "only what it owns can be unlocked");
    return *std::exchange(mutex_, nullptr);
  }
  void release() noexcept {
    if (mutex_ != nullptr) unlock_dispatch();
  }

  Mutex* mutex_ = nullptr;
  [[no_unique_address]] Ownership how_{};
};

/// Locks, and yields a scope that owns the mutex; with limits it may own nothing.
template <class Mutex, class Ownership, class... Limits>
class [[nodiscard("co_await it")]] scope_operation
    : pinned<scope_operation<Mutex, Ownership, Limits...>> {
  using operation = decltype(std::declval<Ownership&>().lock(std::declval<Mutex&>(),
                                                             std::declval<Limits>()...));
  using scope = decltype(std::declval<Ownership&>().scope_of(std::declval<Mutex&>()));

 public:
  scope_operation(Mutex& mutex, Ownership how, Limits... limits) noexcept
      : mutex_{mutex}, how_{how}, locking_{how.lock(mutex, std::move(limits)...)} {}

  bool await_ready() noexcept { return locking_.await_ready(); }
  bool await_suspend(std::coroutine_handle<> self) noexcept(
      noexcept(std::declval<operation&>().await_suspend(self))) {
    return locking_.await_suspend(self);  // Suspended: `this` may be gone.
  }
  [[nodiscard("it unlocks at the end of its life")]] scope await_resume() noexcept {
    if constexpr (std::is_void_v<decltype(locking_.await_resume())>) {
      locking_.await_resume();
    } else {
      if (!locking_.await_resume()) return {};
    }
    return how_.scope_of(mutex_);
  }

 private:
  Mutex& mutex_;
  [[no_unique_address]] Ownership how_;
  operation locking_;
};

}  // namespace detail

/// Releases at the end of the scope.
///
///     auto held = co_await m.scoped_lock();
///     map.insert(key, value);
///     co_await held.unlock();
///
/// A destructor cannot suspend, so it *dispatches* the heir instead of exchanging with it:
/// correct, but the section may leave this core.  Prefer `with_lock`, or make
/// `co_await held.unlock()` the last statement; the destructor then has nothing to do.
///
/// With limits it may own nothing:
///
///     auto held = co_await m.scoped_lock(10ms);
///     if (!held) ...
template <class Mutex>
class [[nodiscard("it unlocks at the end of its life")]] unique_lock
    : public detail::ownership_scope<Mutex, detail::exclusive_ownership> {
 public:
  unique_lock() noexcept = default;
  unique_lock(Mutex& mutex, adopt_lock_t) noexcept
      : detail::ownership_scope<Mutex, detail::exclusive_ownership>{mutex, {}} {}
};

/// The same for a reader of a shared mutex.
///
///     auto held = co_await m.scoped_lock_shared();
///     use(map.at(key));
///     co_await held.unlock();
template <class Mutex>
class [[nodiscard("it unlocks at the end of its life")]] shared_lock
    : public detail::ownership_scope<Mutex, detail::shared_ownership> {
 public:
  shared_lock() noexcept = default;
  shared_lock(Mutex& mutex, adopt_lock_t) noexcept
      : detail::ownership_scope<Mutex, detail::shared_ownership>{mutex, {}} {}
};

/// Earlier names.
template <class Mutex>
using scoped_lock = unique_lock<Mutex>;
template <class Mutex>
using shared_scoped_lock = shared_lock<Mutex>;

namespace detail {

/// What every mutex has besides `lock`: scopes, and the standard's names for waits with a
/// time.  `Mutex` is the derived class.
template <class Mutex>
class lock_names {
 public:
  using scoped_lock_operation = scope_operation<Mutex, exclusive_ownership>;
  using limited_scoped_lock_operation =
      scope_operation<Mutex, exclusive_ownership, wait_limits>;

  /// Awaitable.  Yields a `unique_lock` that owns the mutex.
  scoped_lock_operation scoped_lock() noexcept { return scoped_lock_operation{self(), {}}; }

  /// Awaitable.  Yields a `unique_lock` that owns the mutex, or nothing: `if (!held) ...`.
  limited_scoped_lock_operation scoped_lock(wait_limits limits) noexcept {
    return limited_scoped_lock_operation{self(), {}, std::move(limits)};
  }
  auto scoped_lock_for(any_duration auto time, std::stop_token stop = {}) noexcept {
    return scoped_lock({time, std::move(stop)});
  }
  auto scoped_lock_until(any_time auto due, std::stop_token stop = {}) noexcept {
    return scoped_lock({due, std::move(stop)});
  }

  auto try_lock_for(any_duration auto time, std::stop_token stop = {}) noexcept {
    return self().lock({time, std::move(stop)});
  }
  auto try_lock_until(any_time auto due, std::stop_token stop = {}) noexcept {
    return self().lock({due, std::move(stop)});
  }

 protected:
  lock_names() = default;
  ~lock_names() = default;

 private:
  Mutex& self() noexcept { return static_cast<Mutex&>(*this); }
};

/// The same for readers: they get a `shared_lock`.
template <class Mutex>
class shared_lock_names {
 public:
  using scoped_lock_shared_operation = scope_operation<Mutex, shared_ownership>;
  using limited_scoped_lock_shared_operation =
      scope_operation<Mutex, shared_ownership, wait_limits>;

  scoped_lock_shared_operation scoped_lock_shared() noexcept {
    return scoped_lock_shared_operation{self(), {}};
  }
  limited_scoped_lock_shared_operation scoped_lock_shared(wait_limits limits) noexcept {
    return limited_scoped_lock_shared_operation{self(), {}, std::move(limits)};
  }
  auto scoped_lock_shared_for(any_duration auto time, std::stop_token stop = {}) noexcept {
    return scoped_lock_shared({time, std::move(stop)});
  }
  auto scoped_lock_shared_until(any_time auto due, std::stop_token stop = {}) noexcept {
    return scoped_lock_shared({due, std::move(stop)});
  }

  auto try_lock_shared_for(any_duration auto time, std::stop_token stop = {}) noexcept {
    return self().lock_shared({time, std::move(stop)});
  }
  auto try_lock_shared_until(any_time auto due, std::stop_token stop = {}) noexcept {
    return self().lock_shared({due, std::move(stop)});
  }

 protected:
  shared_lock_names() = default;
  ~shared_lock_names() = default;

 private:
  Mutex& self() noexcept { return static_cast<Mutex&>(*this); }
};

}  // namespace detail

}  // namespace hotseat
