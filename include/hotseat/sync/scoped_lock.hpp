// hotseat/sync/scoped_lock.hpp — ownership of a mutex for a scope.
// Layer: sync.  Read next: sync/mutex.hpp, task/with_lock.hpp (the form to prefer).
#pragma once

#include <hotseat/core/assert.hpp>

#include <utility>

namespace hotseat {

struct adopt_lock_t {
  explicit adopt_lock_t() = default;
};
/// The mutex is owned already.
inline constexpr adopt_lock_t adopt_lock{};

namespace detail {

/// The two ways to own a mutex.
struct exclusive_ownership {
  static constexpr const char* name = "scoped_lock";
  static auto unlock(auto& mutex) noexcept { return mutex.unlock(); }
  static void unlock_dispatch(auto& mutex) noexcept { mutex.unlock_dispatch(); }
};
struct shared_ownership {
  static constexpr const char* name = "shared_scoped_lock";
  static auto unlock(auto& mutex) noexcept { return mutex.unlock_shared(); }
  static void unlock_dispatch(auto& mutex) noexcept { mutex.unlock_shared_dispatch(); }
};

template <class Mutex, class Ownership>
class ownership_scope {
 public:
  ownership_scope(Mutex& mutex, adopt_lock_t) noexcept : mutex_{&mutex} {}

  ownership_scope(ownership_scope&& other) noexcept
      : mutex_{std::exchange(other.mutex_, nullptr)} {}

  /// Gives up what this one owned, as the destructor does.
  ownership_scope& operator=(ownership_scope&& other) noexcept {
    if (this != &other) {
      release();
      mutex_ = std::exchange(other.mutex_, nullptr);
    }
    return *this;
  }

  ~ownership_scope() { release(); }

  [[nodiscard]] bool owns_lock() const noexcept { return mutex_ != nullptr; }

  /// Awaitable; what the mutex does.  REQUIRES: owns_lock().
  auto unlock() noexcept {
    require(mutex_ != nullptr, Ownership::name, this, "only what it owns can be unlocked");
    return Ownership::unlock(*std::exchange(mutex_, nullptr));
  }

 private:
  void release() noexcept {
    if (mutex_ != nullptr) Ownership::unlock_dispatch(*std::exchange(mutex_, nullptr));
  }

  Mutex* mutex_;
};

}  // namespace detail

/// Releases at the end of the scope.
///
///     auto held = co_await m.scoped_lock();
///     map.insert(key, value);
///     co_await held.unlock();
///
/// A destructor cannot suspend, so it *dispatches* the heir instead of exchanging with it:
/// correct, but the section may leave this core.  Prefer `with_lock`, or
/// `co_await held.unlock()` as the last statement; the destructor then has nothing to do.
template <class Mutex>
class [[nodiscard("it unlocks at the end of its life")]] scoped_lock
    : public detail::ownership_scope<Mutex, detail::exclusive_ownership> {
 public:
  scoped_lock(Mutex& mutex, adopt_lock_t) noexcept
      : detail::ownership_scope<Mutex, detail::exclusive_ownership>{mutex, adopt_lock} {}
};

/// The same for a reader of a shared mutex.
///
///     auto held = co_await m.scoped_lock_shared();
///     use(map.at(key));
///     co_await held.unlock();
template <class Mutex>
class [[nodiscard("it unlocks at the end of its life")]] shared_scoped_lock
    : public detail::ownership_scope<Mutex, detail::shared_ownership> {
 public:
  shared_scoped_lock(Mutex& mutex, adopt_lock_t) noexcept
      : detail::ownership_scope<Mutex, detail::shared_ownership>{mutex, adopt_lock} {}
};

}  // namespace hotseat
