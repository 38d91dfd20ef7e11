// bench/mutex/contenders/companion.cpp — a rival in another language, as a process.
#include <mutex/contenders.hpp>

#include <fmt/core.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it so.

namespace hotseat::bench {

namespace {

std::filesystem::path beside_us(const std::string& program) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / program;
}

/// What a program printed, once it has ended successfully.
std::string output_of(std::vector<std::string> command) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error{errno, std::generic_category(), "no pipe"};
  }
  std::vector<char*> arguments;
  for (std::string& each : command) arguments.push_back(each.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
  pid_t child = 0;
  const int error =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  std::string text;
  if (error == 0) {
    std::array<char, 512> part{};
    for (;;) {
      const ssize_t size = ::read(pipe_ends[0], part.data(), part.size());
      if (size > 0) {
        text.append(part.data(), static_cast<std::size_t>(size));
      } else if (size == 0 || errno != EINTR) {
        break;
      }
    }
  }
  ::close(pipe_ends[0]);
  if (error != 0) throw std::system_error{error, std::generic_category(), command[0]};
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error{fmt::format("{} failed", command[0])};
  }
  return text;
}

std::uint32_t middle_of(std::span<const std::uint32_t> primes) {
  // The first prime is the largest not above the middle; the other primes of workload.hpp
  // lie around a power of two.
  const bool is_large = primes.front() > (1U << 17);
  return is_large ? 1U << 20 : 1U << 14;
}

mutex_outcome run(const std::filesystem::path& program, const mutex_settings& settings) {
  const double cpu = children_cpu_seconds();
  std::string line;
  const std::uint64_t total = std::uint64_t{settings.iterations} * settings.tasks;
  mutex_outcome outcome{
      time_run(total,
               [&] {
                 line =
                     output_of({program.string(), fmt::format("--tasks={}", settings.tasks),
                                fmt::format("--iterations={}", settings.iterations),
                                fmt::format("--workers={}", settings.workers),
                                fmt::format("--section-ns={}", settings.section_ns),
                                fmt::format("--middle={}", middle_of(settings.primes)),
                                fmt::format("--seed={}", settings.seed)});
               }),
      0, 0};
  const std::map<std::string, double> said = parse_numbers(line);
  const auto number = [&](const char* name) {
    const auto found = said.find(name);
    if (found == said.end()) {
      throw std::runtime_error{fmt::format("{} did not say {}", program.string(), name)};
    }
    return found->second;
  };
  if (number("sections") != static_cast<double>(total)) {
    throw std::runtime_error{"wrong result: not as many sections as there should be"};
  }
  outcome.seconds = number("seconds");  // Without the start of the process.
  outcome.cpu_seconds = children_cpu_seconds() - cpu;
  outcome.mops = 1e-6 * static_cast<double>(total) / outcome.seconds;
  outcome.jain_first = number("jain_first");
  outcome.jain_half = number("jain_half");
  return outcome;
}

}  // namespace

std::map<std::string, double> parse_numbers(const std::string& line) {
  std::map<std::string, double> numbers;
  std::istringstream words{line};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    double value = 0;
    const char* const end = word.data() + word.size();
    const char* const begin = equals == std::string::npos ? end : word.data() + equals + 1;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (error != std::errc{} || stop != end) {
      throw std::runtime_error{fmt::format("not a line of numbers: {}", line)};
    }
    numbers[word.substr(0, equals)] = value;
  }
  return numbers;
}

mutex_contender companion(const std::string& name, const std::string& program,
                          const std::string& absent) {
  const std::filesystem::path path = beside_us(program);
  if (!std::filesystem::exists(path)) return {name, absent, {}, "", "", ""};
  return {name, "", [path](const mutex_settings& settings) { return run(path, settings); },
          "",   "", ""};
}

mutex_contender go() {
  return companion("Go sync.Mutex", "contender_go", "built without Go (golang-go)");
}

mutex_contender tokio() {
  return companion("Tokio Mutex", "contender_tokio",
                   "built without Tokio (cargo, librust-tokio-dev)");
}

}  // namespace hotseat::bench
