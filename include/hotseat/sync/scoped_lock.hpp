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
class [[nodiscard("it unlocks at the end of its life")]] scoped_lock {
 public:
  scoped_lock(Mutex& mutex, adopt_lock_t) noexcept : mutex_{&mutex} {}

  scoped_lock(scoped_lock&& other) noexcept
      : mutex_{std::exchange(other.mutex_, nullptr)} {}

  /// Gives up what this one owned, as the destructor does.
  scoped_lock& operator=(scoped_lock&& other) noexcept {
    if (this != &other) {
      release();
      mutex_ = std::exchange(other.mutex_, nullptr);
    }
    return *this;
  }

  ~scoped_lock() { release(); }

  [[nodiscard]] bool owns_lock() const noexcept { return mutex_ != nullptr; }

  /// Awaitable; what `Mutex::unlock` does.  REQUIRES: owns_lock().
  auto unlock() noexcept {
    require(mutex_ != nullptr, "scoped_lock", this, "only what it owns can be unlocked");
    return std::exchange(mutex_, nullptr)->unlock();
  }

 private:
  void release() noexcept {
    if (mutex_ != nullptr) std::exchange(mutex_, nullptr)->unlock_dispatch();
  }

  Mutex* mutex_;
};

}  // namespace hotseat
