// hotseat/platform/real/thread_linux.cpp — names and last words of threads.
#include <hotseat/platform/config.hpp>
#include <hotseat/platform/seam.hpp>

#include <pthread.h>
#include <algorithm>

namespace hotseat::platform {

void name_this_thread(const char* name) noexcept {
  pthread_setname_np(pthread_self(), name);
}

std::uintptr_t stack_floor() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return UINTPTR_MAX;
  void* lowest = nullptr;
  std::size_t size = 0;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const std::uintptr_t floor = reinterpret_cast<std::uintptr_t>(lowest) + size / 4;
  if constexpr (!config::sanitizes_thread) return floor;
  // ThreadSanitizer records up to 65536 nested calls, and writes more unchecked.  Counted
  // from here: that of g++ keeps more than this at the top of each stack for itself.
  constexpr std::size_t most_with_tsan = std::size_t{512} << 10U;
  return std::max(floor, stack_position() - most_with_tsan);
}

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
