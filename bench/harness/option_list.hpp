// bench/harness/option_list.hpp — the options that a command declares.  CLI11 is used only
// in command_line.cpp: every file that includes it takes seconds longer to compile.
#pragma once

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace CLI {
class App;
}

namespace hotseat::bench {

class option_list {
 public:
  explicit option_list(CLI::App& app) : app_{&app} {}

  /// One number from `low` to `high`.  `--help` shows the default if it is in that range.
  /// Number: std::uint32_t, std::uint64_t or double.
  template <class Number>
  void number(const std::string& name, Number& value, const std::string& help,
              std::type_identity_t<Number> low, std::type_identity_t<Number> high);
  /// The same as a comma-separated list.
  template <class Number>
  void numbers(const std::string& name, std::vector<Number>& values,
               const std::string& help, std::type_identity_t<Number> low,
               std::type_identity_t<Number> high);

  /// One of the words in `known`.
  void word(const std::string& name, std::string& value, const std::string& help,
            const std::vector<std::string>& known);
  /// A comma-separated list of such words.
  void words(const std::string& name, std::vector<std::string>& values,
             const std::string& help, const std::vector<std::string>& known);

  /// Any text; `--help` shows the default unless it is empty.
  void text(const std::string& name, std::string& value, const std::string& help);
  /// The same, but required.  A name without dashes is positional.
  void required(const std::string& name, std::string& value, const std::string& help);
  void flag(const std::string& name, bool& value, const std::string& help);

  /// Numbers that are kept as they were written, to be passed on to another program.
  void passed(const std::string& name, std::vector<std::string>& values,
              const std::string& help, double low, double high, bool is_list);
  /// Unknown options are not an error; `unknown` returns them after parsing.
  void allow_unknown();
  [[nodiscard]] std::vector<std::string> unknown() const;

  /// What `--help` prints below the options.
  void footer(const std::string& text);

 private:
  CLI::App* app_;
};

}  // namespace hotseat::bench
