// hotseat/simulate/simulate.cpp — machines, and programs on them.
#include <hotseat/simulate/simulate.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace hotseat {

namespace {

namespace simulated = platform::simulated;

}  // namespace

topology topology_of(const machine_description& machine) {
  std::vector<cpu> all;
  unsigned number = 0;
  for (unsigned cache = 0; cache < machine.nodes * machine.caches_per_node; ++cache) {
    for (unsigned sibling = 0; sibling < machine.threads_per_core; ++sibling) {
      for (unsigned core = 0; core < machine.cores_per_cache; ++core) {
        all.push_back({.os_index = number++,
                       .core = cache * machine.cores_per_cache + core,
                       .cache = cache,
                       .node = cache / machine.caches_per_node});
      }
    }
  }
  return topology::described(std::move(all));
}

simulation_counts simulate(const machine_description& machine, std::uint64_t seed,
                           const std::function<void()>& program) {
  return simulated::run(machine, seed, program);
}

void work(std::chrono::nanoseconds time) noexcept { simulated::work(time.count() * 1000); }

void use_memory(const void* memory, std::size_t bytes, bool is_written) noexcept {
  const auto* const first = static_cast<const std::byte*>(memory);
  for (std::size_t i = 0; i < bytes; i += 64) {
    simulated::touch_private(
        first + i, is_written ? simulated::access::store : simulated::access::load);
  }
}

std::chrono::nanoseconds virtual_time() noexcept {
  return std::chrono::nanoseconds{simulated::time() / 1000};
}

namespace machines {

machine_description two_sockets() {
  machine_description m;
  m.name = "2 sockets x 64 cores x 2 threads";
  m.nodes = 2;
  m.caches_per_node = 8;
  m.cores_per_cache = 8;
  m.threads_per_core = 2;
  m.hit = 1.2;
  m.update = 5.5;
  m.from_cache = 23;
  m.from_node = 107;
  m.from_remote = 197;
  m.from_memory = 113;
  return m;
}

machine_description four_sockets() {
  machine_description m;
  m.name = "4 sockets x 16 cores";
  m.nodes = 4;
  m.caches_per_node = 1;
  m.cores_per_cache = 16;
  m.threads_per_core = 1;
  m.hit = 1.5;
  m.update = 6;
  m.from_cache = 48;
  m.from_node = 48;
  m.from_remote = 136;
  m.from_memory = 90;
  return m;
}

machine_description this_machine() {
  machine_description m;
  m.name = "2 CPUs of a virtual machine";
  m.nodes = 1;
  m.caches_per_node = 1;
  m.cores_per_cache = 2;
  m.threads_per_core = 1;
  m.hit = 1.5;
  m.update = 2.7;
  m.from_cache = 35.2;
  m.from_memory = 209;
  m.instructions = 0.3;
  m.task_switch = 1.5;
  m.read_clock = 9.7;
  m.spin_hint = 25;
  m.fall_asleep = 8500;
  m.wake = 6540;
  m.wake_latency = 25200;
  m.heavy_fence = 376;
  m.heavy_fence_each = 0;
  return m;
}

}  // namespace machines

}  // namespace hotseat
