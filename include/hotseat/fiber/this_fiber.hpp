// hotseat/fiber/this_fiber.hpp — what a fiber can ask about itself.
// Layer: fiber.
#pragma once

#include <hotseat/core/assert.hpp>
#include <hotseat/fiber/detail/fiber_control.hpp>

#include <cstddef>
#include <stop_token>
#include <string>

namespace hotseat {

namespace this_task {

/// Whether the caller is a fiber, and not a coroutine or a plain thread.
[[nodiscard]] inline bool is_fiber() noexcept {
  return detail::fiber_control::current() != nullptr;
}

}  // namespace this_task

/// REQUIRES, for all functions: the caller is a fiber.
namespace this_fiber {

namespace detail {

[[nodiscard]] inline hotseat::detail::fiber_control& self() noexcept {
  hotseat::detail::fiber_control* const found = hotseat::detail::fiber_control::current();
  require(found != nullptr, "this_fiber", nullptr, "no fiber is calling");
  return *found;
}

}  // namespace detail

[[nodiscard]] inline const std::string& name() noexcept { return detail::self().name(); }

/// Usable bytes.
[[nodiscard]] inline std::size_t stack_size() noexcept {
  return detail::self().stack_size();
}

/// The token that tells this fiber to stop: fiber_options::stop.
[[nodiscard]] inline const std::stop_token& stop_token() noexcept {
  return detail::self().stop();
}

}  // namespace this_fiber

}  // namespace hotseat
