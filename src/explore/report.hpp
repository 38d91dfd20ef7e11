// hotseat/explore/report.hpp — a failure as readable text.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <string>
#include <vector>

namespace hotseat::detail {

[[nodiscard]] const char* name_of(platform::explored::failure_kind kind) noexcept;

/// The last steps, one per line.
[[nodiscard]] std::string describe(
    const std::vector<platform::explored::trace_entry>& trace, std::size_t most);

}  // namespace hotseat::detail
