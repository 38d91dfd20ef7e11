// hotseat/platform/simulated/per_thread.hpp — one T for each virtual thread.
// Layer: platform.
#pragma once

#include <hotseat/platform/simulated/machine.hpp>

#include <cstddef>
#include <new>
#include <type_traits>

namespace hotseat::platform {

namespace simulated {

inline constinit std::size_t kinds_of_locals = 0;

template <class T>
struct kind_of_local {
  static inline const std::size_t index = kinds_of_locals++;
};

}  // namespace simulated

template <class T>
[[nodiscard]] inline T& per_thread() noexcept {
  static_assert(std::is_trivially_destructible_v<T>);
  static_assert(alignof(T) <= alignof(std::max_align_t));
  static constinit T outside{};  // While nothing is simulated.
  if (!simulated::is_running()) return outside;
  void*& mine = simulated::local(simulated::kind_of_local<T>::index);
  if (mine == nullptr) mine = ::new (simulated::allocate_local(sizeof(T))) T{};
  return *static_cast<T*>(mine);
}

}  // namespace hotseat::platform
