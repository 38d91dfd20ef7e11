// hotseat/platform/explored/weaken.cpp — removing a memory order on purpose.
#include <hotseat/platform/explored/machine.hpp>

#include <charconv>
#include <fstream>
#include <set>
#include <string_view>

namespace hotseat::platform::explored {

namespace {

constexpr std::string_view acquire_part = "acquire";
constexpr std::string_view release_part = "release";
constexpr std::string_view failure_part = "failure";
constexpr std::string_view fence_part = "fence";

struct wish {
  std::string file;  // Empty: nothing is weakened.
  std::uint32_t line = 0;
  std::string part;  // Empty: all of it.

  [[nodiscard]] bool is_for(const place& where, std::string_view what) const noexcept {
    return where.line() == line && (part.empty() || part == what) &&
           std::string_view{where.file_name()}.ends_with(file);
  }
};

wish wanted;
bool is_listing = false;
std::set<std::string> sites;

/// Whether this part is to be taken away.
bool loses(const place& where, std::string_view part) {
  if (is_listing) {
    sites.insert(std::string{where.file_name()} + ":" + std::to_string(where.line()) + ":" +
                 std::string{part});
  }
  return !wanted.file.empty() && wanted.is_for(where, part);
}

std::memory_order join(bool acquires, bool releases) noexcept {
  if (acquires && releases) return std::memory_order_acq_rel;
  if (acquires) return std::memory_order_acquire;
  return releases ? std::memory_order_release : std::memory_order_relaxed;
}

}  // namespace

void weaken(const std::string& what) {
  wanted = wish{};
  const std::size_t colon = what.find(':');
  if (colon != std::string::npos) {
    wanted.file = what.substr(0, colon);
    const char* const end = what.c_str() + what.size();
    const auto number = std::from_chars(what.c_str() + colon + 1, end, wanted.line);
    if (number.ptr != end) wanted.part = std::string{number.ptr + 1, end};
  }
  watches_sites = is_listing || !wanted.file.empty();
}

std::memory_order weakened_slow(std::memory_order order, const place& where,
                                bool is_failure) noexcept {
  if (order == std::memory_order_relaxed) return order;
  if (is_failure) return loses(where, failure_part) ? std::memory_order_relaxed : order;
  const bool acquires = order != std::memory_order_release;
  const bool releases =
      order != std::memory_order_acquire && order != std::memory_order_consume;
  const bool loses_acquire = acquires && loses(where, acquire_part);
  const bool loses_release = releases && loses(where, release_part);
  if (!loses_acquire && !loses_release) return order;
  return join(acquires && !loses_acquire, releases && !loses_release);
}

bool has_fence_slow(const place& where) noexcept { return !loses(where, fence_part); }

void watch_sites() { watches_sites = is_listing = true; }

void list_sites(const std::string& file, const std::string& program) {
  std::ofstream out{file, std::ios::app};
  for (const std::string& site : sites) out << program << '\t' << site << '\n';
  sites.clear();
}

}  // namespace hotseat::platform::explored
