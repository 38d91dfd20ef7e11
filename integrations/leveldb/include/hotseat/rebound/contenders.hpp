// hotseat/rebound/contenders.hpp — all locks that LevelDB can be run with, by name.
#pragma once

#include <hotseat/rebound/lock_verbs.hpp>

#include <span>
#include <string_view>

namespace hotseat::rebound {

/// In the order in which they are shown.
[[nodiscard]] std::span<const lock_verbs> contenders() noexcept;

/// Throws std::invalid_argument, with all names in the message, if there is no such lock.
[[nodiscard]] const lock_verbs& contender_named(std::string_view name);

/// Whether there is a form of the lock that notes delays and sections (observed_lock.hpp).
[[nodiscard]] bool can_be_observed(std::string_view name) noexcept;
/// The observed form.  Throws std::invalid_argument if there is none.
[[nodiscard]] const lock_verbs& observed_contender_named(std::string_view name);

}  // namespace hotseat::rebound
