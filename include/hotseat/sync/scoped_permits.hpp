// hotseat/sync/scoped_permits.hpp — permits of a semaphore for a scope.
// Layer: sync.  Read next: sync/semaphore.hpp.
#pragma once

#include <hotseat/sched/wait_limits.hpp>
#include <hotseat/sync/unique_lock.hpp>

#include <cstdint>
#include <stop_token>
#include <utility>

namespace hotseat {

struct adopt_permits_t {
  explicit adopt_permits_t() = default;
};
/// The permits are acquired already.
inline constexpr adopt_permits_t adopt_permits{};

template <class Semaphore>
class scoped_permits;

namespace detail {

struct permit_ownership {
  static constexpr const char* name = "scoped_permits";
  std::uint64_t count = 0;

  template <class Semaphore>
  scoped_permits<Semaphore> scope_of(Semaphore& semaphore) const noexcept {
    return {semaphore, count, adopt_permits};
  }
  auto lock(auto& semaphore, auto... limits) const noexcept {
    return semaphore.acquire(count, std::move(limits)...);
  }
  auto unlock(auto& semaphore) const noexcept { return semaphore.release(count); }
  void unlock_dispatch(auto& semaphore) const noexcept {
    semaphore.release_dispatch(count);
  }
};

}  // namespace detail

/// Releases at the end of the scope.
///
///     auto held = co_await connections.scoped_acquire(2);
///     co_await query(...);
///     co_await held.release();
///
/// A destructor cannot suspend, so it *dispatches* the waiters that it lets in.  Prefer
/// `co_await held.release()` as the last statement; the destructor then has nothing to do.
///
/// With limits it may hold nothing:
///
///     auto held = co_await connections.scoped_acquire(10ms);
///     if (!held) ...
///
/// To split a scope, disown its permits and adopt them in parts.
template <class Semaphore>
class [[nodiscard("it releases at the end of its life")]] scoped_permits
    : detail::ownership_scope<Semaphore, detail::permit_ownership> {
  using base = detail::ownership_scope<Semaphore, detail::permit_ownership>;

 public:
  scoped_permits() noexcept = default;  ///< Holds nothing.
  scoped_permits(Semaphore& semaphore, std::uint64_t n, adopt_permits_t) noexcept
      : base{semaphore, {n}} {}

  /// How many permits it holds.
  [[nodiscard]] std::uint64_t count() const noexcept {
    return this->owns_lock() ? this->how().count : 0;
  }
  /// Whether the acquire succeeded: true also for a scope of none, `scoped_acquire(0)`.
  using base::operator bool;

  /// Awaitable, like the semaphore's `release`.  REQUIRES: it holds permits.
  auto release() noexcept { return this->unlock(); }

  /// The same without suspending, as the destructor does.  REQUIRES: it holds permits.
  void release_dispatch() noexcept { this->unlock_dispatch(); }

  /// Holds nothing afterwards.  Returns how many permits stay acquired; the caller must
  /// release them.
  [[nodiscard("they stay acquired")]] std::uint64_t disown() noexcept {
    const std::uint64_t kept = count();
    static_cast<void>(base::disown());
    return kept;
  }
};

namespace detail {

/// What every semaphore has besides `acquire`: scopes, and the standard's names for waits
/// with a time.  `Semaphore` is the derived class.
template <class Semaphore>
class permit_names {
 public:
  using scoped_acquire_operation = scope_operation<Semaphore, permit_ownership>;
  using limited_scoped_acquire_operation =
      scope_operation<Semaphore, permit_ownership, wait_limits>;

  /// Awaitable.  Yields `scoped_permits` that hold `n`.
  scoped_acquire_operation scoped_acquire(std::uint64_t n = 1) noexcept {
    return scoped_acquire_operation{self(), {n}};
  }

  /// Awaitable.  Yields `scoped_permits` that hold `n`, or nothing: `if (!held) ...`.
  limited_scoped_acquire_operation scoped_acquire(std::uint64_t n,
                                                  wait_limits limits) noexcept {
    return limited_scoped_acquire_operation{self(), {n}, std::move(limits)};
  }
  limited_scoped_acquire_operation scoped_acquire(wait_limits limits) noexcept {
    return scoped_acquire(1, std::move(limits));
  }
  auto scoped_acquire_for(any_duration auto time, std::uint64_t n = 1,
                          std::stop_token stop = {}) noexcept {
    return scoped_acquire(n, {time, std::move(stop)});
  }
  auto scoped_acquire_until(any_time auto due, std::uint64_t n = 1,
                            std::stop_token stop = {}) noexcept {
    return scoped_acquire(n, {due, std::move(stop)});
  }

  auto try_acquire_for(any_duration auto time, std::uint64_t n = 1,
                       std::stop_token stop = {}) noexcept {
    return self().acquire(n, {time, std::move(stop)});
  }
  auto try_acquire_until(any_time auto due, std::uint64_t n = 1,
                         std::stop_token stop = {}) noexcept {
    return self().acquire(n, {due, std::move(stop)});
  }

 protected:
  constexpr permit_names() = default;
  ~permit_names() = default;

 private:
  Semaphore& self() noexcept { return static_cast<Semaphore&>(*this); }
};

}  // namespace detail

}  // namespace hotseat
