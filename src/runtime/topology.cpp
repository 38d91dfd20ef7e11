// hotseat/runtime/topology.cpp — ordering CPUs, affinity masks, cgroup quotas, pinning.
// Layer: runtime.  Read next: topology_hwloc.cpp (where the structure comes from).
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <hotseat/runtime/topology.hpp>
#include <limits>
#include <locale>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>

namespace hotseat {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Renumbers `field` densely in order of first appearance.  The same id under two different
/// `outer` ids means two different things: this is what makes the levels nest.
void renumber(std::vector<cpu>& cpus, unsigned cpu::* outer, unsigned cpu::* field) {
  std::map<std::pair<unsigned, unsigned>, unsigned> ids;
  for (cpu& each : cpus) {
    const auto fresh = static_cast<unsigned>(ids.size());
    each.*field = ids.try_emplace({each.*outer, each.*field}, fresh).first->second;
  }
}

/// The order that `topology::cpus` promises.
std::vector<cpu> arrange(std::vector<cpu> cpus) {
  const auto renumber_all = [&cpus] {
    renumber(cpus, &cpu::node, &cpu::node);
    renumber(cpus, &cpu::node, &cpu::cache);
    renumber(cpus, &cpu::cache, &cpu::core);
  };
  renumber_all();

  struct placed {
    unsigned hyperthread;
    cpu where;
    auto key() const { return std::tie(where.node, where.cache, hyperthread, where.core); }
  };
  std::vector<placed> all;
  all.reserve(cpus.size());
  std::vector<unsigned> seen(cpus.size());
  for (const cpu& each : cpus) all.push_back({seen[each.core]++, each});
  std::ranges::sort(all, {}, &placed::key);
  std::ranges::transform(all, cpus.begin(), &placed::where);

  renumber_all();  // Ids rise along the list even if `found` jumped between nodes.
  return cpus;
}

/// `cpu_set_t` as a type ends at 1024 CPUs; the system calls do not.
class cpu_mask {
 public:
  explicit cpu_mask(std::size_t cpus) noexcept
      : cpus_{cpus}, bytes_{CPU_ALLOC_SIZE(cpus)}, set_{CPU_ALLOC(cpus)} {
    if (set_) CPU_ZERO_S(bytes_, set_.get());
  }

  void add(unsigned os_index) noexcept { CPU_SET_S(os_index, bytes_, set_.get()); }

  [[nodiscard]] std::vector<unsigned> members() const {
    std::vector<unsigned> result;
    for (unsigned i = 0; i < cpus_; ++i) {
      if (CPU_ISSET_S(i, bytes_, set_.get())) result.push_back(i);
    }
    return result;
  }

  [[nodiscard]] bool is_allocated() const noexcept { return set_ != nullptr; }
  bool read() noexcept { return sched_getaffinity(0, bytes_, set_.get()) == 0; }
  bool apply() const noexcept { return sched_setaffinity(0, bytes_, set_.get()) == 0; }

 private:
  struct release {
    void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
  };

  std::size_t cpus_;
  std::size_t bytes_;
  std::unique_ptr<cpu_set_t, release> set_;
};

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

double parse_quota(std::string_view quota, std::string_view period) {
  const auto used = parse_number(quota);  // "max" and v1's -1 mean unlimited.
  const auto out_of = parse_number(period);
  if (!used || !out_of || *used <= 0 || *out_of <= 0) return unlimited;
  return static_cast<double>(*used) / static_cast<double>(*out_of);
}

/// The limit that one cgroup itself sets, of either version.
double quota_of(const std::filesystem::path& group) {
  std::string quota, period;
  if (std::ifstream file{group / "cpu.max"}; file >> quota >> period) {
    return parse_quota(quota, period);
  }
  std::ifstream quota_file{group / "cpu.cfs_quota_us"};
  std::ifstream period_file{group / "cpu.cfs_period_us"};
  if (quota_file >> quota && period_file >> period) return parse_quota(quota, period);
  return unlimited;
}

/// A container may see its own cgroup mounted as `mount` while `group` is still the host's
/// name for it.  So directories that do not exist are skipped.
double tightest_quota(const std::filesystem::path& mount, std::filesystem::path group) {
  group = group.relative_path();
  // ".." appears when the process is outside its cgroup namespace.
  if (std::ranges::find(group, "..") != group.end()) group.clear();
  double tightest = quota_of(mount);
  while (!group.empty()) {
    tightest = std::min(tightest, quota_of(mount / group));
    group = group.parent_path();
  }
  return tightest;
}

bool has_cpu_controller(std::string_view list) {
  std::string framed{","};  // Appended to: g++ 12 warns of "literal" + std::string.
  framed.append(list).append(",");
  return framed.find(",cpu,") != std::string::npos;
}

}  // namespace

topology::topology(std::vector<cpu> found, std::string origin, bool is_real, double quota)
    : cpus_{arrange(std::move(found))},
      origin_{std::move(origin)},
      is_real_{is_real},
      quota_{quota} {}

topology topology::flat(unsigned cpus) {
  std::vector<cpu> found;
  found.reserve(std::max(cpus, 1U));
  for (unsigned i = 0; i < std::max(cpus, 1U); ++i) found.push_back({i, i, 0, 0});
  return topology{std::move(found), "flat", false, unlimited};
}

topology topology::described(std::vector<cpu> cpus, double quota) {
  if (cpus.empty()) throw std::invalid_argument{"hotseat: a topology needs a CPU"};
  if (!(quota > 0)) throw std::invalid_argument{"hotseat: a quota must be positive"};
  return topology{std::move(cpus), "described", false, quota};
}

topology topology::fallback() {
  std::vector<cpu> found;
  for (const unsigned os_index : detail::allowed_cpus()) {
    found.push_back({os_index, os_index, 0, 0});
  }
  return topology{std::move(found), "this machine, structure unknown", false,
                  detail::cgroup_cpu_quota("/sys/fs/cgroup", "/proc/self/cgroup")};
}

unsigned topology::core_count() const noexcept {
  return std::ranges::max(cpus_, {}, &cpu::core).core + 1;
}

unsigned topology::default_worker_count() const noexcept {
  const auto allowed = static_cast<unsigned>(cpus_.size());
  const double affordable = std::ceil(quota_);
  return affordable < allowed ? std::max(static_cast<unsigned>(affordable), 1U) : allowed;
}

std::string topology::describe() const {
  std::ostringstream line;
  line.imbue(std::locale::classic());
  const auto count = [&line](std::size_t n, const char* noun) -> std::ostream& {
    return line << n << ' ' << noun << (n == 1 ? "" : "s");
  };
  count(cpus_.size(), "cpu") << ", ";
  count(core_count(), "core") << ", ";
  count(cache_count(), "cache domain") << ", ";
  count(node_count(), "node");
  if (quota_ != unlimited) line << ", quota " << quota_;
  line << " (" << origin_ << ')';
  return line.str();
}

bool pin_this_thread(const topology& machine, unsigned cpu_index, pinning level) noexcept {
  if (level == pinning::none) return true;
  const std::vector<cpu>& cpus = machine.cpus();
  if (!machine.is_real() || cpu_index >= cpus.size()) return false;

  const unsigned cpu::* const shared = level == pinning::node    ? &cpu::node
                                       : level == pinning::cache ? &cpu::cache
                                                                 : &cpu::core;
  cpu_mask mask{std::ranges::max(cpus, {}, &cpu::os_index).os_index + std::size_t{1}};
  if (!mask.is_allocated()) return false;
  for (const cpu& each : cpus) {
    if (each.*shared == cpus[cpu_index].*shared) mask.add(each.os_index);
  }
  return mask.apply();
}

namespace detail {

std::vector<unsigned> allowed_cpus() {
  // EINVAL: the kernel supports more CPUs than the mask has room for.
  for (std::size_t room = 1024; room <= (std::size_t{1} << 20); room *= 2) {
    cpu_mask mask{room};
    if (!mask.is_allocated()) break;
    if (mask.read()) return mask.members();
    if (errno != EINVAL) break;
  }
  // A sandbox forbids the call; the count is still known.
  const long online = std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L);
  std::vector<unsigned> result(static_cast<std::size_t>(online));
  std::iota(result.begin(), result.end(), 0U);
  return result;
}

double cgroup_cpu_quota(const std::filesystem::path& root,
                        const std::filesystem::path& membership) {
  double tightest = unlimited;
  const auto look_in = [&](const std::filesystem::path& mount, std::string_view group) {
    tightest = std::min(tightest, tightest_quota(mount, group));
  };
  std::ifstream lines{membership};
  bool is_known = false;
  // Each line is "hierarchy:controllers:group"; v2 has no controllers, and the group's name
  // may contain colons.
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? first : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) {
      look_in(root, group);
      look_in(root / "unified", group);  // Next to v1 hierarchies.
      is_known = true;
    } else if (has_cpu_controller(controllers)) {
      look_in(root / controllers, group);
      look_in(root / "cpu", group);  // Usually a link to "cpu,cpuacct".
      is_known = true;
    }
  }
  if (!is_known) {
    for (const auto& mount : {root, root / "unified", root / "cpu"}) look_in(mount, "/");
  }
  return tightest;
}

}  // namespace detail
}  // namespace hotseat
