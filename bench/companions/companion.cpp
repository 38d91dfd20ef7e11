// bench/companions/companion.cpp — runs a program beside this one, and reads its results.
#include <companions/companion.hpp>
#include <support/files.hpp>

#include <fmt/core.h>

#include <cstdio>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace hotseat::bench {

std::filesystem::path find_companion(const companion& who) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path here = fs::read_symlink("/proc/self/exe", none).parent_path();
  for (const std::string& folder : who.folders) {
    const fs::path found = (here / folder / who.program).lexically_normal();
    if (fs::is_regular_file(found, none)) return found;
  }
  throw std::runtime_error{fmt::format("there is no {} beside this program: it needs {}",
                                       who.program, who.needs)};
}

int run_companion(const std::filesystem::path& program,
                  const std::vector<std::string>& arguments) {
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& each : words) pointers.push_back(each.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error{"cannot start a process"};
  if (child == 0) {
    ::execv(pointers.front(), pointers.data());
    fmt::print(stderr, "hotseat-bench: cannot run {}\n", program.string());
    std::fflush(stderr);
    ::_exit(2);
  }
  int status = 0;
  // An interrupt is meant for the companion, too: wait until it has handled it.
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void companion_command::declare(option_list& options) {
  declared_ = options;
  options.allow_unknown();
  options.footer(
      fmt::format("This runs {}, a separate program, which needs {}.  All other "
                  "options are\npassed on to it; --all-options shows them.",
                  who_.program, who_.needs));
  for (const passed_option& each : options_) {
    options.passed(each.name, values_[each.name_there], each.help, each.low, each.high,
                   each.is_list);
  }
  options.text("--output", output_, "file for all results, as JSON");
  options.flag("--all-options", shows_all_, "only show the options of that program");
}

void companion_command::declare_words(option_list& options, const std::string& name,
                                      const std::string& name_there,
                                      const std::string& help,
                                      const std::vector<std::string>& known) {
  options.words(name, values_[name_there], help, known);
}

std::vector<std::string> companion_command::arguments() const {
  std::vector<std::string> all;
  for (const auto& [name, values] : values_) {
    if (values.empty()) continue;
    all.push_back(name);
    std::string list = values.front();
    for (std::size_t i = 1; i < values.size(); ++i) list += "," + values[i];
    all.push_back(list);
  }
  for (const std::string& each : declared_->unknown()) all.push_back(each);
  if (!output_.empty()) all.insert(all.end(), {"--output", output_});
  return all;
}

int companion_command::run() {
  const std::filesystem::path program = find_companion(who_);
  if (shows_all_) return run_companion(program, {"--help"});
  require_writable(output_);
  return run_companion(program, arguments());
}

int companion_command::run_for_all(const std::string& folder, bool is_short) {
  std::filesystem::path program;
  try {
    program = find_companion(who_);
  } catch (const std::runtime_error& absent) {
    fmt::print("absent: {}\n", absent.what());
    return 0;
  }
  for (const std::vector<std::string>& each : runs_for_all(folder, is_short)) {
    if (const int code = run_companion(program, each); code != 0) return code;
  }
  return 0;
}

}  // namespace hotseat::bench
