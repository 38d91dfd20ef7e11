// bench/support/command_line.hpp — a benchmark's main: options in, exit code out.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <concepts>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace hotseat::bench {

inline int fail(std::string_view program, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  fmt::print(stderr, "{}: {}\n", program, message);
  return 2;
}

/// Parses, then runs.  A wrong option prints one line to stderr and returns exit code 2.
int run_program(CLI::App& app, int argc, char** argv, std::invocable auto&& run) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    return fail(app.get_name(), error.what());
  }
  try {
    return run();
  } catch (const std::exception& error) {
    return fail(app.get_name(), error.what());
  }
}

/// A comma-separated list of words.
inline void add_words(CLI::App& app, const std::string& name,
                      std::vector<std::string>& values, const std::string& help,
                      const std::vector<std::string>& known) {
  app.add_option(name, values, help)
      ->delimiter(',')
      ->check(CLI::IsMember(known))
      ->capture_default_str();
}

/// A comma-separated list of numbers from `low` to `high`.
template <class Number>
void add_numbers(CLI::App& app, const std::string& name, std::vector<Number>& values,
                 const std::string& help, Number low, Number high) {
  app.add_option(name, values, help)
      ->delimiter(',')
      ->check(CLI::Range(low, high))
      ->capture_default_str();
}

/// One number from `low` to `high`.
template <class Number>
void add_number(CLI::App& app, const std::string& name, Number& value,
                const std::string& help, Number low, Number high) {
  app.add_option(name, value, help)->check(CLI::Range(low, high))->capture_default_str();
}

}  // namespace hotseat::bench
