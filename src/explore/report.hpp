// hotseat/explore/report.hpp — a failure, for people.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <string>
#include <vector>

namespace hotseat::detail {

[[nodiscard]] const char* name_of(platform::explored::failure_kind kind) noexcept;

/// The last steps, one a line.
[[nodiscard]] std::string describe(
    const std::vector<platform::explored::trace_entry>& trace, std::size_t most);

}  // namespace hotseat::detail
