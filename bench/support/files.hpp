// bench/support/files.hpp — can the results be written?  Checked before measuring.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace hotseat::bench {

/// Throws if `path` cannot be written; leaves no trace.  Does nothing without a path.
inline void require_writable(const std::string& path) {
  if (path.empty()) return;
  const bool existed = std::filesystem::exists(path);
  const bool is_open = std::ofstream{path, std::ios::app}.is_open();
  if (!is_open) throw std::runtime_error{"cannot write " + path};
  if (!existed) std::filesystem::remove(path);
}

/// Makes the folder if it does not exist.  Throws if that fails, or if no file can be
/// written in it.
inline void require_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw std::runtime_error{"cannot make the folder " + path + ": " + error.message()};
  }
  require_writable(path + "/.hotseat-bench");
}

}  // namespace hotseat::bench
