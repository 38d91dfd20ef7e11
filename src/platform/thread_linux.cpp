// hotseat/platform/thread_linux.cpp — names and last words of threads, giving the core away.
#include <hotseat/platform/relax.hpp>
#include <hotseat/platform/thread.hpp>

#include <pthread.h>
#include <sched.h>

namespace hotseat::platform {

void name_this_thread(const char* name) noexcept { pthread_setname_np(pthread_self(), name); }

void yield_core() noexcept { sched_yield(); }

namespace {

struct last_act {
  void (*words)() noexcept = nullptr;
  last_act() = default;
  last_act(const last_act&) = delete;
  last_act& operator=(const last_act&) = delete;
  ~last_act() {
    if (words != nullptr) words();
  }
};

}  // namespace

void at_thread_exit(void (*last_words)() noexcept) noexcept {
  static thread_local last_act act;
  act.words = last_words;
}

}  // namespace hotseat::platform
