// hotseat/rebound/rebound.cpp — what the lock symbols of LevelDB have become.
#include <hotseat/core/assert.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/lock_verbs.hpp>

#include <pthread.h>

#include <atomic>
#include <mutex>

namespace hotseat::rebound {
namespace {

const lock_verbs* current = contenders().data();  // Stock.
std::atomic<bool> is_used{false};

}  // namespace

void choose(const lock_verbs& verbs) noexcept {
  require(!is_used.load(), "lock of LevelDB", &verbs,
          "it must be chosen before LevelDB is used");
  current = &verbs;
}

const lock_verbs& chosen() noexcept { return *current; }

}  // namespace hotseat::rebound

// The names are those in cmake/rebound.syms; the parameters are those of the functions they
// replace, `this` first.
extern "C" {

int hotseat_mutex_lock(pthread_mutex_t* mutex) noexcept {
  hotseat::rebound::current->lock(mutex);
  return 0;
}

int hotseat_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  hotseat::rebound::current->unlock(mutex);
  return 0;
}

void hotseat_condition_make(void* condition) noexcept {
  // LevelDB makes a condition before it locks anything: in its Env, then in each database.
  hotseat::rebound::is_used.store(true);
  hotseat::rebound::current->make_condition(condition);
}

void hotseat_condition_destroy(void* condition) noexcept {
  hotseat::rebound::current->destroy_condition(condition);
}

void hotseat_condition_wait(void* condition, std::unique_lock<std::mutex>* owned) noexcept {
  hotseat::rebound::current->wait(condition, owned->mutex());
}

void hotseat_condition_notify_one(void* condition) noexcept {
  hotseat::rebound::current->notify_one(condition);
}

void hotseat_condition_notify_all(void* condition) noexcept {
  hotseat::rebound::current->notify_all(condition);
}

}  // extern "C"
