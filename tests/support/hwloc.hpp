// hotseat/tests/support/hwloc.hpp — whether the library was built with hwloc.
#pragma once

#include <hotseat/runtime/topology.hpp>

#include <stdexcept>
#include <string>

namespace hotseat::testing {

/// Why there is no such machine; empty if there is one.
inline std::string refusal_of(const std::string& description) try {
  static_cast<void>(topology::synthetic(description));
  return "";
} catch (const std::invalid_argument& error) {
  return error.what();
}

inline bool has_hwloc() { return !refusal_of("pu:1").ends_with("built without hwloc"); }

}  // namespace hotseat::testing
