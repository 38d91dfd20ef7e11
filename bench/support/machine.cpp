// bench/support/machine.cpp — reads /proc and /sys, and passes a cache line back and forth.
#include <hotseat/runtime/topology.hpp>
#include <support/build_facts.hpp>
#include <support/machine.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>

namespace hotseat::bench {

namespace {

std::string first_line_of(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

std::string cpu_model() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string now() {
  const std::time_t time = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text.data();
}

double own_seconds() { return process_cpu_seconds() + children_cpu_seconds(); }

double busy_seconds() {
  std::istringstream line{first_line_of("/proc/stat")};
  std::string name;
  std::uint64_t user = 0;
  std::uint64_t nice = 0;
  std::uint64_t system = 0;
  std::uint64_t idle = 0;
  std::uint64_t io_wait = 0;
  std::uint64_t irq = 0;
  std::uint64_t soft_irq = 0;
  std::uint64_t stolen = 0;
  line >> name >> user >> nice >> system >> idle >> io_wait >> irq >> soft_irq >> stolen;
  return static_cast<double>(user + nice + system + irq + soft_irq + stolen) /
         static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

unsigned usable_cpus() {
  static const unsigned count = topology::detect().default_worker_count();
  return count;
}

machine_facts::machine_facts() {
  const std::string governor =
      first_line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  facts_ = {{"cpu", cpu_model()},
            {"topology", topology::detect().describe()},
            {"kernel", first_line_of("/proc/sys/kernel/osrelease")},
            {"governor", governor.empty() ? "not readable" : governor},
            {"compiler", build_facts::compiler},
            {"flags", build_facts::flags},
            {"commit", build_facts::commit},
            {"started", now()},
            {"load_before", first_line_of("/proc/loadavg")}};
}

machine_facts::facts machine_facts::finish() const {
  facts complete = facts_;
  complete.emplace_back("finished", now());
  complete.emplace_back("load_after", first_line_of("/proc/loadavg"));
  return complete;
}

std::string machine_facts::describe() const {
  return cpu_model() + ", " + std::to_string(usable_cpus()) + " CPUs, " +
         build_facts::compiler + ", commit " + build_facts::commit + ", load " +
         first_line_of("/proc/loadavg");
}

foreign_load::foreign_load() : busy_{busy_seconds()}, own_{own_seconds()} {}

double foreign_load::share() const {
  const double elapsed =
      wall_.seconds() * static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
  const double others = busy_seconds() - busy_ - (own_seconds() - own_);
  return elapsed == 0 ? 0 : std::clamp(others / elapsed, 0.0, 1.0);
}

double line_transfer_ns() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  if (CPU_COUNT(&allowed) < 2) return 0;
  const auto stay_on = [](int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ::sched_setaffinity(0, sizeof one, &one);
  };
  int first = 0;
  while (!CPU_ISSET(first, &allowed)) ++first;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &allowed)) --last;

  constexpr int warm_up = 1000;
  constexpr int rounds = 4000;
  alignas(128) std::atomic<int> ball{0};
  std::thread other{[&] {
    stay_on(last);
    for (int i = 0; i < rounds; ++i) {
      while (ball.load(std::memory_order_acquire) != 2 * i + 1) {
      }
      ball.store(2 * i + 2, std::memory_order_release);
    }
  }};
  stay_on(first);
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) {
    if (i == warm_up) start = std::chrono::steady_clock::now();
    ball.store(2 * i + 1, std::memory_order_release);
    while (ball.load(std::memory_order_acquire) != 2 * i + 2) {
    }
  }
  const std::chrono::duration<double, std::nano> time =
      std::chrono::steady_clock::now() - start;
  other.join();
  ::sched_setaffinity(0, sizeof allowed, &allowed);
  return time.count() / (2 * (rounds - warm_up));
}

}  // namespace hotseat::bench
