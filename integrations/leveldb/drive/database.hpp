// hotseat/rebound/drive/database.hpp — databases for measurements and tests.
#pragma once

#include <leveldb/db.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace hotseat::rebound {

/// Throws std::runtime_error with LevelDB's message.  A write buffer of 0 bytes means
/// LevelDB's own default.
[[nodiscard]] std::unique_ptr<leveldb::DB> open_database(const std::string& path,
                                                         std::size_t write_buffer = 0);

/// Makes a database of the records 0 to count - 1, version 0, all on one level.
void fill_database(const std::string& path, std::uint64_t count);

/// A copy to write to.  Tables never change once they are written, so they are linked.
void clone_database(const std::string& from, const std::string& to);

/// A directory that is removed with its owner.  In memory, if the system has such a place.
class scratch_directory {
 public:
  explicit scratch_directory(const std::string& parent = "");
  ~scratch_directory();
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

/// Throws std::runtime_error unless `status` is ok.
void require_ok(const leveldb::Status& status, const std::string& what);

}  // namespace hotseat::rebound
