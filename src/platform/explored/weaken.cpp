// hotseat/platform/explored/weaken.cpp — an order that is taken away on purpose.
#include <hotseat/platform/explored/machine.hpp>

#include <charconv>
#include <string_view>

namespace hotseat::platform::explored {

namespace {

std::string file;  // Empty: nothing is weakened.
std::uint32_t line = 0;

}  // namespace

void weaken(const std::string& file_and_line) {
  const std::size_t colon = file_and_line.rfind(':');
  file = file_and_line.substr(0, colon);
  line = 0;
  if (colon == std::string::npos) return;
  const char* const digits = file_and_line.c_str() + colon + 1;
  std::from_chars(digits, file_and_line.c_str() + file_and_line.size(), line);
}

std::memory_order weakened(std::memory_order order, const place& where) noexcept {
  if (file.empty() || where.line() != line) return order;
  return std::string_view{where.file_name()}.ends_with(file) ? std::memory_order_relaxed
                                                             : order;
}

}  // namespace hotseat::platform::explored
