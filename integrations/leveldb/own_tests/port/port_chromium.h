// hotseat/rebound/own_tests/port/port_chromium.h — LevelDB's mutex and condition, through
// its own hook for ports: with LEVELDB_PLATFORM_CHROMIUM it includes this file.
#pragma once

#include <condition_variable>
#include <mutex>

// The rest of a port, such as compression, is LevelDB's own.
#define Mutex StandardMutex
#define CondVar StandardCondVar
#include "port/port_stdcxx.h"
#undef Mutex
#undef CondVar

// As in src/rebound.cpp: the same functions that the rebound archive calls.
extern "C" {
int hotseat_mutex_lock(pthread_mutex_t* mutex) noexcept;
int hotseat_mutex_unlock(pthread_mutex_t* mutex) noexcept;
void hotseat_condition_make(void* condition) noexcept;
void hotseat_condition_destroy(void* condition) noexcept;
void hotseat_condition_wait(void* condition, std::unique_lock<std::mutex>* owned) noexcept;
void hotseat_condition_notify_one(void* condition) noexcept;
void hotseat_condition_notify_all(void* condition) noexcept;
}

namespace leveldb::port {

class CondVar;

class LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() EXCLUSIVE_LOCK_FUNCTION() { hotseat_mutex_lock(bytes_.native_handle()); }
  void Unlock() UNLOCK_FUNCTION() { hotseat_mutex_unlock(bytes_.native_handle()); }
  void AssertHeld() ASSERT_EXCLUSIVE_LOCK() {}

 private:
  friend class CondVar;
  std::mutex bytes_;  // Zero bytes, not used as a std::mutex unless stock is chosen.
};

class CondVar {
 public:
  explicit CondVar(Mutex* mutex) : mutex_(mutex) { hotseat_condition_make(bytes_); }
  ~CondVar() { hotseat_condition_destroy(bytes_); }
  CondVar(const CondVar&) = delete;
  CondVar& operator=(const CondVar&) = delete;

  void Wait() {
    std::unique_lock<std::mutex> owned(mutex_->bytes_, std::adopt_lock);
    hotseat_condition_wait(bytes_, &owned);
    owned.release();
  }
  void Signal() { hotseat_condition_notify_one(bytes_); }
  void SignalAll() { hotseat_condition_notify_all(bytes_); }

 private:
  alignas(std::condition_variable) unsigned char bytes_[sizeof(std::condition_variable)];
  Mutex* const mutex_;
};

}  // namespace leveldb::port
