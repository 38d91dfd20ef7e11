// hotseat/runtime/topology_hwloc.cpp — this machine, or a made-up one, as hwloc sees it.
// Layer: runtime.  Read next: topology.cpp (how it is used).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/topology.hpp>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

#if HOTSEAT_HAS_HWLOC
#include <hwloc.h>
#endif

namespace hotseat {
namespace {

/// Makes the user's text fit for one line of a log.
std::string on_one_line(std::string_view text) {
  constexpr std::size_t longest = 200;
  std::string line{'"'};
  for (const char c : text.substr(0, longest)) line += c >= ' ' && c != '\x7f' ? c : '?';
  return line + (text.size() > longest ? "…\"" : "\"");
}

void report(const std::string& problem) {
  std::fputs(("hotseat: " + problem + '\n').c_str(), stderr);
}

/// What hwloc would build instead of looking at this machine, or nullptr.
const char* requested_description() noexcept {
  const char* const text = std::getenv("HWLOC_SYNTHETIC");
  return text != nullptr && *text != '\0' ? text : nullptr;
}

[[noreturn]] void reject(const std::string& description, const char* reason) {
  throw std::invalid_argument{"hotseat: topology \"" + description + "\": " + reason};
}

#if HOTSEAT_HAS_HWLOC

static_assert(HWLOC_API_VERSION >= 0x00020000, "memory is not part of the tree before 2.0");

struct destroy {
  void operator()(hwloc_topology_t tree) const noexcept { hwloc_topology_destroy(tree); }
};
using tree_handle = std::unique_ptr<hwloc_topology, destroy>;

/// Not loaded yet.  nullptr if hwloc fails or rejects the description.
tree_handle make_tree(const char* description = nullptr) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  tree_handle tree{raw};
  if (description != nullptr && hwloc_topology_set_synthetic(raw, description) != 0) {
    return nullptr;
  }
  return tree;
}

/// How many CPUs a description that hwloc accepts will have.  Computed before hwloc builds
/// it, since with a few digits too many that takes hours and all memory.  A count follows a
/// colon or begins a word; the numbers in brackets, of attributes and attached memory, are
/// not counts.
unsigned long long count_cpus(const char* text) {
  unsigned long long product = 1;
  int depth = 0;
  bool begins_word = true;
  for (; *text != '\0'; ++text) {
    if (*text == '(' || *text == '[') ++depth;
    if (*text == ')' || *text == ']') --depth;
    const bool is_digit = *text >= '0' && *text <= '9';
    if (depth == 0 && (*text == ':' || (begins_word && is_digit))) {
      char* end = nullptr;
      const auto count = std::strtoull(is_digit ? text : text + 1, &end, 0);
      if (count > topology::synthetic_limit) return count;
      product *= std::max(count, 1ULL);
      if (product > topology::synthetic_limit) return product;
      text = end - 1;
    }
    begins_word = *text == ' ' || *text == '\n' || *text == ')' || *text == ']';
  }
  return product;
}

bool is_shared_beyond(hwloc_obj_t domain, hwloc_obj_t core) {
  // The complete sets: a cache stays shared even if we may not use its other cores.
  return hwloc_bitmap_isincluded(domain->complete_cpuset, core->complete_cpuset) == 0;
}

/// Ids are hwloc's, unique across all kinds of objects; no object has 0.
cpu locate(hwloc_obj_t pu) {
  const auto id = [](hwloc_obj_t object) {
    return object != nullptr ? static_cast<unsigned>(object->gp_index) : 0;
  };
  hwloc_obj_t core = pu;
  hwloc_obj_t cache = nullptr;
  hwloc_obj_t package = nullptr;
  hwloc_obj_t memory = nullptr;  // Nodes without CPUs are at the top, past all others.
  for (hwloc_obj_t at = pu; at != nullptr; at = at->parent) {
    if (at->type == HWLOC_OBJ_CORE) core = at;
    if (hwloc_obj_type_is_dcache(at->type) && is_shared_beyond(at, core)) cache = at;
    if (at->type == HWLOC_OBJ_PACKAGE && is_shared_beyond(at, core)) package = at;
    if (at->memory_arity != 0 && memory == nullptr) memory = at;
  }
  return {pu->os_index, id(core), id(cache != nullptr ? cache : package), id(memory)};
}

/// In the order of hwloc's tree, which keeps neighbours together.
std::vector<cpu> read_cpus(hwloc_topology_t tree) {
  std::vector<cpu> found;
  for (hwloc_obj_t pu = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_PU, nullptr);
       pu != nullptr; pu = hwloc_get_next_obj_by_type(tree, HWLOC_OBJ_PU, pu)) {
    found.push_back(locate(pu));
  }
  return found;
}

enum class verdict { unset, accepted, rejected, too_large };

/// hwloc does not say when it ignores a HWLOC_SYNTHETIC that it cannot parse, and cannot be
/// told to ignore one that is too large.
verdict judge(const char* description) {
  if (description == nullptr) return verdict::unset;
  if (make_tree(description) == nullptr) return verdict::rejected;
  return count_cpus(description) > topology::synthetic_limit ? verdict::too_large
                                                             : verdict::accepted;
}

#endif

}  // namespace

#if HOTSEAT_HAS_HWLOC

topology topology::detect() {
  const char* const description = requested_description();
  const verdict request = judge(description);
  if (request == verdict::rejected || request == verdict::too_large) {
    // Once per process, not per pool.
    [[maybe_unused]] static const bool is_reported = [&] {
      report("ignoring HWLOC_SYNTHETIC=" + on_one_line(description) +
             (request == verdict::rejected ? ": hwloc rejects it" : ": too many CPUs"));
      return true;
    }();
  }
  if (request == verdict::too_large) return fallback();

  const tree_handle tree = make_tree();
  if (tree == nullptr || hwloc_topology_load(tree.get()) != 0) {
    report("hwloc cannot read this machine; its structure is not used");
    return fallback();
  }
  std::vector<cpu> found = read_cpus(tree.get());
  if (hwloc_topology_is_thissystem(tree.get()) == 0) {
    if (found.empty()) return fallback();
    return topology{std::move(found),
                    request == verdict::accepted ? "synthetic " + on_one_line(description)
                                                 : "another machine, from a file",
                    false, std::numeric_limits<double>::infinity()};
  }
  // hwloc knows cpusets but not affinity masks.
  const std::vector<unsigned> allowed = detail::allowed_cpus();
  std::erase_if(found, [&](const cpu& each) {
    return !std::ranges::binary_search(allowed, each.os_index);
  });
  if (found.empty()) return fallback();
  return topology{std::move(found), "this machine", true,
                  detail::cgroup_cpu_quota("/sys/fs/cgroup", "/proc/self/cgroup")};
}

topology topology::synthetic(const std::string& description) {
  const tree_handle tree = make_tree(description.c_str());
  if (tree == nullptr) reject(description, "hwloc rejects it");
  if (count_cpus(description.c_str()) > synthetic_limit)
    reject(description, "too many CPUs");
  if (hwloc_topology_load(tree.get()) != 0) reject(description, "hwloc cannot build it");
  std::vector<cpu> found = read_cpus(tree.get());
  if (found.empty()) reject(description, "it has no CPU");
  return topology{std::move(found), "synthetic " + on_one_line(description), false,
                  std::numeric_limits<double>::infinity()};
}

#else

topology topology::detect() {
  // Virtual threads have nothing to do with the system's CPUs.
  if constexpr (!config::is_real_machine) return flat(2);
  if (const char* const description = requested_description()) {
    [[maybe_unused]] static const bool is_reported = [&] {
      report("ignoring HWLOC_SYNTHETIC=" + on_one_line(description) +
             ": built without hwloc");
      return true;
    }();
  }
  return fallback();
}

topology topology::synthetic(const std::string& description) {
  reject(description, "built without hwloc");
}

#endif

}  // namespace hotseat
