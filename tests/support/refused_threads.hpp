// hotseat/tests/support/refused_threads.hpp — a scope in which no thread can be started.
#pragma once

#include <pthread.h>
#include <cstddef>
#include <stdexcept>

namespace hotseat::testing {

/// While it lives, std::thread throws std::system_error: the stack that a thread would need
/// does not fit into the address space, and stacks of ended threads are too small for it.
class refused_threads {
 public:
  refused_threads() {
    pthread_attr_t impossible;
    if (pthread_getattr_default_np(&former_) != 0 || pthread_attr_init(&impossible) != 0 ||
        pthread_attr_setstacksize(&impossible, std::size_t{1} << 60U) != 0 ||
        pthread_setattr_default_np(&impossible) != 0) {
      throw std::runtime_error{"the default size of stacks cannot be changed"};
    }
    pthread_attr_destroy(&impossible);
  }
  ~refused_threads() {
    pthread_setattr_default_np(&former_);
    pthread_attr_destroy(&former_);
  }
  refused_threads(const refused_threads&) = delete;
  refused_threads& operator=(const refused_threads&) = delete;

 private:
  pthread_attr_t former_{};
};

}  // namespace hotseat::testing
