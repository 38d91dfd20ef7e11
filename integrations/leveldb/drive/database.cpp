// hotseat/rebound/drive/database.cpp — making, opening and copying databases.
#include <drive/database.hpp>
#include <drive/records.hpp>

#include <leveldb/options.h>
#include <leveldb/slice.h>
#include <leveldb/status.h>
#include <leveldb/write_batch.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace hotseat::rebound {

namespace files = std::filesystem;

void require_ok(const leveldb::Status& status, const std::string& what) {
  if (!status.ok()) throw std::runtime_error{what + ": " + status.ToString()};
}

std::unique_ptr<leveldb::DB> open_database(const std::string& path,
                                           std::size_t write_buffer) {
  leveldb::Options options;
  options.create_if_missing = true;
  if (write_buffer != 0) options.write_buffer_size = write_buffer;
  leveldb::DB* opened = nullptr;
  require_ok(leveldb::DB::Open(options, path, &opened), "cannot open " + path);
  return std::unique_ptr<leveldb::DB>{opened};
}

void fill_database(const std::string& path, std::uint64_t count) {
  const std::unique_ptr<leveldb::DB> database = open_database(path);
  leveldb::WriteBatch batch;
  for (std::uint64_t i = 0; i < count; ++i) {
    const record_key key{i};
    const record_value value{i, 0};
    batch.Put({key.text().data(), key.text().size()},
              {value.text().data(), value.text().size()});
    if (i % 1000 == 999 || i + 1 == count) {
      require_ok(database->Write({}, &batch), "cannot fill " + path);
      batch.Clear();
    }
  }
  database->CompactRange(nullptr, nullptr);
}

void clone_database(const std::string& from, const std::string& to) {
  files::remove_all(to);
  files::create_directories(to);
  for (const files::directory_entry& each : files::directory_iterator{from}) {
    const files::path target = files::path{to} / each.path().filename();
    if (each.path().extension() == ".ldb") {
      files::create_hard_link(each.path(), target);
    } else {
      files::copy_file(each.path(), target);
    }
  }
}

scratch_directory::scratch_directory(const std::string& parent) {
  std::error_code ignored;
  std::string inside = parent;
  if (inside.empty()) {
    inside = files::is_directory("/dev/shm", ignored)
                 ? files::path{"/dev/shm"}.string()
                 : files::temp_directory_path().string();
  }
  path_ = inside + "/hotseat_leveldb_XXXXXX";
  if (::mkdtemp(path_.data()) == nullptr) {
    throw std::system_error{errno, std::generic_category(),
                            "cannot make a directory in " + inside};
  }
}

scratch_directory::~scratch_directory() {
  std::error_code ignored;
  files::remove_all(path_, ignored);
}

}  // namespace hotseat::rebound
