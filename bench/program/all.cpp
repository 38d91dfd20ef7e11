#include <program/commands.hpp>
#include <support/files.hpp>

#include <fmt/core.h>

#include <cstdio>
#include <string>

namespace hotseat::bench {

namespace {

class all_command final : public command {
 public:
  explicit all_command(const std::vector<command_pointer>& commands)
      : commands_{commands} {}

  [[nodiscard]] std::string name() const override { return "all"; }
  [[nodiscard]] std::string about() const override {
    return "every benchmark, with its own defaults, into one folder";
  }

  void declare(option_list& options) override {
    options.required("--output", folder_,
                     "folder for the result files; made if it is not there");
    options.flag("--short", is_short_, "fewer repetitions and cells: an overview");
    only_ = names();
    options.words("--only", only_, "some of the benchmarks, e.g. mutex,java", names());
  }

  [[nodiscard]] bool is_benchmark() const override { return false; }

  int run() override {
    require_folder(folder_);
    for (const auto& each : commands_) {
      if (!each->is_benchmark() || !is_among(only_, each->name())) continue;
      fmt::print("== {}: {}\n", each->name(), each->about());
      std::fflush(stdout);
      const int code = each->run_for_all(folder_, is_short_);
      fmt::print("\n");
      if (code != 0) return code;
    }
    fmt::print("results are in {}\n", folder_);
    return 0;
  }

 private:
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& each : commands_) {
      if (each->is_benchmark()) all.push_back(each->name());
    }
    return all;
  }

  const std::vector<command_pointer>& commands_;
  std::string folder_;
  std::vector<std::string> only_;
  bool is_short_ = false;
};

}  // namespace

command_pointer make_all_command(const std::vector<command_pointer>& commands) {
  return std::make_unique<all_command>(commands);
}

}  // namespace hotseat::bench
