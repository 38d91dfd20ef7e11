// hotseat/platform/explored/per_thread.hpp — one T for each virtual thread.
// Layer: platform.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <cstddef>
#include <new>

namespace hotseat::platform {

namespace explored {

inline constinit std::size_t kinds_of_locals = 0;

template <class T>
struct kind_of_local {
  static inline const std::size_t index = kinds_of_locals++;
};

}  // namespace explored

/// An explored atomic has a destructor, which is not called here.
template <class T>
[[nodiscard]] inline T& per_thread() noexcept {
  static constinit T outside{};  // While no execution runs.
  if (explored::running == nullptr) return outside;
  void*& mine = explored::running->locals[explored::kind_of_local<T>::index];
  if (mine == nullptr) mine = ::new (explored::allocate_in_execution(sizeof(T))) T{};
  return *static_cast<T*>(mine);
}

}  // namespace hotseat::platform
