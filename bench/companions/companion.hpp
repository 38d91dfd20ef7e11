// bench/companions/companion.hpp — a benchmark that is a separate program, as a command.
// A program can be linked to only one build of the library, and not at all to LevelDB with
// other locks, or to a JVM.  So these are run, not called.
#pragma once

#include <program/commands.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::bench {

/// The program, and its location relative to the folder of this one.
struct companion {
  std::string program;
  std::vector<std::string> folders;
  std::string needs;  ///< What must be installed to build it.
};

/// Throws, with a one-line message, if it is in none of its folders.
std::filesystem::path find_companion(const companion& who);

/// Returns the exit code; as a shell would, if a signal ended the program.
int run_companion(const std::filesystem::path& program,
                  const std::vector<std::string>& arguments);

/// An option that is checked here and passed on by the name it has there.
struct passed_option {
  std::string name;
  std::string name_there;
  std::string help;
  double low = 0;
  double high = 0;
  bool is_list = false;
};

/// A command with the options of a companion: it declares the common ones, and passes all
/// others on unchanged.
class companion_command : public command {
 public:
  companion_command(companion who, std::vector<passed_option> options)
      : who_{std::move(who)}, options_{std::move(options)} {}

  void declare(option_list& options) override;
  int run() override;
  int run_for_all(const std::string& folder, bool is_short) override;

 protected:
  /// The words that `--handoffs` and the like accept; passed on as a list.
  void declare_words(option_list& options, const std::string& name,
                     const std::string& name_there, const std::string& help,
                     const std::vector<std::string>& known);

 private:
  /// The argument lists that `all` uses, each for a separate run.
  [[nodiscard]] virtual std::vector<std::vector<std::string>> runs_for_all(
      const std::string& folder, bool is_short) const = 0;
  [[nodiscard]] std::vector<std::string> arguments() const;

  companion who_;
  std::vector<passed_option> options_;
  std::map<std::string, std::vector<std::string>> values_;
  std::string output_;
  bool shows_all_ = false;
  std::optional<option_list> declared_;
};

}  // namespace hotseat::bench
