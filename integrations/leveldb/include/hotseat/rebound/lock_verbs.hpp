// hotseat/rebound/lock_verbs.hpp — the one interface that all locks have for LevelDB.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <string_view>
#include <type_traits>

namespace hotseat::rebound {

/// What must call LevelDB's functions for this lock to mean anything.
enum class runs_on : unsigned char { threads, fibers };

/// What the lock symbols of LevelDB become.  `mutex` is where LevelDB has a std::mutex: its
/// bytes are zero when it is new, and no call marks its end.  `condition` is where it has a
/// std::condition_variable.
struct lock_verbs {
  std::string_view name;
  runs_on kind;
  unsigned own_workers;  ///< Workers set aside for sections.
  void (*lock)(void* mutex) noexcept;
  void (*unlock)(void* mutex) noexcept;
  void (*make_condition)(void* condition) noexcept;
  void (*destroy_condition)(void* condition) noexcept;
  void (*wait)(void* condition, void* mutex) noexcept;
  void (*notify_one)(void* condition) noexcept;
  void (*notify_all)(void* condition) noexcept;
};

/// The verbs of a type of locks and a type of conditions to wait for under them.
/// REQUIRES: a Lock whose bytes are zero is free.
template <class Lock, class Condition>
constexpr lock_verbs verbs_of(std::string_view name, runs_on kind,
                              unsigned own_workers = 0) noexcept {
  static_assert(sizeof(Lock) <= sizeof(std::mutex) && alignof(Lock) <= alignof(std::mutex));
  static_assert(sizeof(Condition) <= sizeof(std::condition_variable) &&
                alignof(Condition) <= alignof(std::condition_variable));
  return {
      .name = name,
      .kind = kind,
      .own_workers = own_workers,
      .lock = [](void* mutex) noexcept { static_cast<Lock*>(mutex)->lock(); },
      .unlock = [](void* mutex) noexcept { static_cast<Lock*>(mutex)->unlock(); },
      .make_condition = [](void* condition) noexcept { ::new (condition) Condition; },
      .destroy_condition =
          [](void* condition) noexcept {
            static_cast<Condition*>(condition)->~Condition();
          },
      .wait =
          [](void* condition, void* mutex) noexcept {
            static_cast<Condition*>(condition)->wait(*static_cast<Lock*>(mutex));
          },
      .notify_one =
          [](void* condition) noexcept {
            static_cast<Condition*>(condition)->notify_one();
          },
      .notify_all =
          [](void* condition) noexcept {
            static_cast<Condition*>(condition)->notify_all();
          },
  };
}

/// Sets the lock that LevelDB uses from now on; stock unless chosen.
/// REQUIRES: this process has not used LevelDB yet.  LevelDB's threads and Env live as long
/// as the process, and keep waiting the way they began.
void choose(const lock_verbs& verbs) noexcept;

/// The lock that was chosen.
[[nodiscard]] const lock_verbs& chosen() noexcept;

}  // namespace hotseat::rebound
