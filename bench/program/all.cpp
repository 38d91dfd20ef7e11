#include <program/all.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace hotseat::bench {

namespace {

class all_command final : public command {
 public:
  explicit all_command(const std::vector<std::unique_ptr<command>>& commands)
      : commands_{commands} {}

  [[nodiscard]] std::string name() const override { return "all"; }
  [[nodiscard]] std::string about() const override {
    return "every benchmark, with its own defaults, into one folder";
  }

  void declare(CLI::App& app) override {
    app.add_option("--output", folder_,
                   "folder for the result files; made if it is not there")
        ->required();
    app.add_flag("--short", is_short_, "fewer repetitions and cells: an overview");
    only_ = names();
    add_words(app, "--only", only_, "some of the benchmarks, e.g. mutex,java", names());
  }

  [[nodiscard]] bool is_benchmark() const override { return false; }

  int run() override {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) {
      throw std::runtime_error{
          fmt::format("cannot make the folder {}: {}", folder_, error.message())};
    }
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

  const std::vector<std::unique_ptr<command>>& commands_;
  std::string folder_;
  std::vector<std::string> only_;
  bool is_short_ = false;
};

}  // namespace

std::unique_ptr<command> make_all_command(
    const std::vector<std::unique_ptr<command>>& commands) {
  return std::make_unique<all_command>(commands);
}

}  // namespace hotseat::bench
