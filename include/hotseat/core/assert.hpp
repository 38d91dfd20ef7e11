// hotseat/core/assert.hpp — violations: name the object and the rule, then stop.
// Layer: core.
#pragma once

#include <hotseat/platform/config.hpp>

namespace hotseat {

/// A rule that the program broke, and the object that it broke it on.
struct violation {
  const char* object;   ///< the type: "mutex"
  const void* address;  ///< which one
  const char* rule;     ///< the rule that was broken, as a sentence
};

/// Called for a violation, in every build type; must not return.
using violation_handler = void (*)(const violation&);

/// Replaces the handler (default: one line on stderr, then std::abort) and returns the
/// previous one.  A handler that returns is followed by std::abort.
violation_handler on_violation(violation_handler handler) noexcept;

namespace detail {
[[noreturn, gnu::cold, gnu::noinline]] void report_violation(const char* object,
                                                             const void* address,
                                                             const char* rule) noexcept;
}  // namespace detail

/// Stops the program unless `holds`.  For rules that the user of `object` must keep.
inline void require(bool holds, const char* object, const void* address,
                    const char* rule) noexcept {
  if (!holds) [[unlikely]] {
    detail::report_violation(object, address, rule);
  }
}

/// Stops a checked build unless `holds`.  For our own numbered invariants.
inline void invariant(bool holds, const char* object, const void* address,
                      const char* rule) noexcept {
  if constexpr (config::checks_invariants) require(holds, object, address, rule);
}

}  // namespace hotseat
