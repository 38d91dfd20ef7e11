// hotseat/rebound/contenders.hpp — all locks that LevelDB can be run with, by name.
#pragma once

#include <hotseat/rebound/lock_verbs.hpp>

#include <span>
#include <string_view>

namespace hotseat::rebound {

/// In the order in which they are shown.
[[nodiscard]] std::span<const lock_verbs> contenders() noexcept;

/// Throws std::invalid_argument, with all names in the message, if nobody is called so.
[[nodiscard]] const lock_verbs& contender_named(std::string_view name);

/// The same lock, which notes delays and sections (observed_lock.hpp).  Only some can.
[[nodiscard]] bool can_be_observed(std::string_view name) noexcept;
/// Throws std::invalid_argument if it cannot.
[[nodiscard]] const lock_verbs& observed_contender_named(std::string_view name);

}  // namespace hotseat::rebound
