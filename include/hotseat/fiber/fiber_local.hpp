// hotseat/fiber/fiber_local.hpp — a value for each fiber.
// Layer: fiber.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/core/pinned.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdint>

namespace hotseat {

namespace detail {

/// Never the same number twice.
[[nodiscard]] inline std::uint64_t next_fiber_local_key() noexcept {
  static platform::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace detail

/// What thread_local is to threads.  A thread_local belongs to the worker, which a fiber
/// may leave at any suspension.
///
///     hotseat::fiber_local<std::string> request_id;
///     *request_id = "42";
///
/// The value starts as T{} when the fiber first uses it.  Values are destroyed when the
/// fiber's function has returned, on its stack, newest first.
template <class T>
class fiber_local : pinned<fiber_local<T>> {
 public:
  fiber_local() noexcept : key_{detail::next_fiber_local_key()} {}

  /// REQUIRES: the caller is a fiber.
  [[nodiscard]] T& get() {
    detail::fiber_control* const self = detail::fiber_control::current();
    require(self != nullptr, "fiber_local", this, "only a fiber has a value of it");
    for (detail::fiber_local_value* each = self->locals(); each; each = each->next) {
      if (each->key == key_) return static_cast<holder*>(each)->value;
    }
    auto* const fresh = new holder;
    fresh->next = self->locals();
    fresh->key = key_;
    fresh->destroy = [](detail::fiber_local_value& old) noexcept {
      delete static_cast<holder*>(&old);
    };
    self->locals() = fresh;
    return fresh->value;
  }
  [[nodiscard]] T& operator*() { return get(); }
  [[nodiscard]] T* operator->() { return &get(); }

 private:
  struct holder : detail::fiber_local_value {
    T value{};
  };

  std::uint64_t key_;
};

}  // namespace hotseat
