// bench/support/machine.hpp — what a result file says about where it comes from.
#pragma once

#include <hotseat/runtime/topology.hpp>
#include <support/build_facts.hpp>
#include <support/timing.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace hotseat::bench {

inline std::string first_line_of(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  return line;
}

inline std::string cpu_model() {
  std::ifstream file{"/proc/cpuinfo"};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// CPUs that this process may use at the same time.
inline unsigned usable_cpus() {
  static const unsigned count = topology::detect().default_worker_count();
  return count;
}

/// Taken at the start of a program; `finish` adds what is known at the end.
class machine_facts {
 public:
  /// Name and value, as in a result file.
  using facts = std::vector<std::pair<std::string, std::string>>;

  machine_facts() {
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

  [[nodiscard]] facts finish() const {
    facts complete = facts_;
    complete.emplace_back("finished", now());
    complete.emplace_back("load_after", first_line_of("/proc/loadavg"));
    return complete;
  }

  [[nodiscard]] std::string describe() const {
    return cpu_model() + ", " + std::to_string(usable_cpus()) + " CPUs, " +
           build_facts::compiler + ", commit " + build_facts::commit + ", load " +
           first_line_of("/proc/loadavg");
  }

 private:
  static std::string now() {
    const std::time_t time = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S UTC", &parts);
    return text.data();
  }

  facts facts_;
};

/// Above this share of the machine in other hands a result is called noisy.
inline constexpr double quiet_enough = 0.05;

/// How much of the machine others used while something was measured: what the system counts
/// as busy or stolen, less what this process and those it has waited for used.  To the
/// nearest 10 ms for each CPU.
class foreign_load {
 public:
  /// As a share of all CPUs since construction, 0 to 1.
  [[nodiscard]] double share() const {
    const double elapsed =
        wall_.seconds() * static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN));
    const double others = busy_seconds() - busy_ - (own_seconds() - own_);
    return elapsed == 0 ? 0 : std::clamp(others / elapsed, 0.0, 1.0);
  }

 private:
  static double own_seconds() { return process_cpu_seconds() + children_cpu_seconds(); }

  static double busy_seconds() {
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

  stopwatch wall_;
  double busy_ = busy_seconds();
  double own_ = own_seconds();
};

}  // namespace hotseat::bench
