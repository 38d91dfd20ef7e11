// hotseat/explore/report.cpp — steps as text.
#include "report.hpp"

#include <array>
#include <cstdio>
#include <map>
#include <string_view>

namespace hotseat::detail {

namespace {

using platform::explored::failure_kind;
using platform::explored::trace_entry;
using platform::explored::verb;

const char* name_of(verb what) noexcept {
  switch (what) {
    case verb::load:
      return "load";
    case verb::store:
      return "store";
    case verb::update:
      return "update";
    case verb::compare_exchange:
      return "exchange if";
    case verb::compare_failed:
      return "not exchanged";
    case verb::heavy_fence:
      return "heavy fence";
    case verb::futex_wait:
      return "futex wait";
    case verb::futex_wake:
      return "futex wake";
    case verb::start_thread:
      return "start thread";
    case verb::join_thread:
      return "join thread";
    case verb::end_thread:
      return "end";
    case verb::read_clock:
      return "read clock";
    case verb::relax:
      return "relax";
    case verb::time_out:
      return "timeout";
  }
  return "?";
}

const char* name_of(std::memory_order order) noexcept {
  switch (order) {
    case std::memory_order_relaxed:
      return "relaxed";
    case std::memory_order_consume:
    case std::memory_order_acquire:
      return "acquire";
    case std::memory_order_release:
      return "release";
    case std::memory_order_acq_rel:
      return "acq_rel";
    case std::memory_order_seq_cst:
      return "seq_cst";
  }
  return "?";
}

std::string_view file_of(const trace_entry& entry) noexcept {
  const std::string_view path{entry.where.file_name()};
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// Addresses differ from run to run, so they are numbered in order of appearance.
class names_of_addresses {
 public:
  explicit names_of_addresses(char prefix) : prefix_{prefix} {}

  const std::string& operator[](std::uint64_t address) {
    std::string& name = names_[address];
    if (name.empty()) name = prefix_ + std::to_string(names_.size());
    return name;
  }

 private:
  char prefix_;
  std::map<std::uint64_t, std::string> names_;
};

/// The value of an atomic.  Numbers between `lowest` and `highest` are addresses, with
/// marks in their lowest bits.
std::string describe(std::uint64_t value, names_of_addresses& names) {
  constexpr std::uint64_t lowest = std::uint64_t{1} << 42U;
  constexpr std::uint64_t highest = std::uint64_t{1} << 47U;
  constexpr std::uint64_t marks = 7;
  if (value >= lowest && value < highest) {
    const std::uint64_t mark = value & marks;
    return names[value & ~marks] + (mark != 0 ? "+" + std::to_string(mark) : "");
  }
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%#llx", static_cast<unsigned long long>(value));
  return text.data();
}

}  // namespace

const char* name_of(failure_kind kind) noexcept {
  switch (kind) {
    case failure_kind::none:
      return "no failure";
    case failure_kind::assertion:
      return "does not hold";
    case failure_kind::violation:
      return "violation";
    case failure_kind::exception:
      return "exception";
    case failure_kind::deadlock:
      return "deadlock";
    case failure_kind::livelock:
      return "livelock";
    case failure_kind::race:
      return "race";
    case failure_kind::use_after_free:
      return "use after free";
    case failure_kind::leak:
      return "lost task";
    case failure_kind::crash:
      return "crash";
  }
  return "?";
}

std::string describe(const std::vector<trace_entry>& trace, std::size_t most) {
  names_of_addresses atomics{'a'};
  names_of_addresses targets{'p'};
  std::string text;
  const std::size_t first = trace.size() > most ? trace.size() - most : 0;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const trace_entry& entry = trace[i];
    const bool has_object = entry.object != nullptr;
    const std::string object =
        has_object ? atomics[reinterpret_cast<std::uintptr_t>(entry.object)] : "";
    const std::string value =
        has_object ? describe(entry.value, targets) : std::to_string(entry.value);
    if (i < first) continue;
    const std::string where =
        std::string{file_of(entry)} + ":" + std::to_string(entry.where.line());
    std::array<char, 200> line{};
    std::snprintf(line.data(), line.size(), "  %6zu  %*s%-*s %-13s %-4s %18s%s  %-7s  %s\n",
                  i, static_cast<int>(entry.thread) * 2, "",
                  20 - static_cast<int>(entry.thread) * 2,
                  platform::explored::thread_name(entry.thread), name_of(entry.what),
                  object.c_str(), value.c_str(), entry.is_stale ? " (old)" : "      ",
                  has_object ? name_of(entry.order) : "", where.c_str());
    text += line.data();
  }
  return text;
}

}  // namespace hotseat::detail
