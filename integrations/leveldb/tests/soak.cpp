// hotseat/rebound/tests/soak.cpp — a database under one lock, for as long as wanted: no
// wrong value, no hang, no lost write.
//
//     leveldb_soak stress LOCK [SECONDS]    64 readers, 8 writers, LevelDB's compaction
//     leveldb_soak kill LOCK [TIMES]        kill -9 in the middle of synced writes
//
// Without a number: 10 times HOTSEAT_STRESS_SCALE (default 1).
#include <drive/crew.hpp>
#include <drive/database.hpp>
#include <drive/load.hpp>
#include <drive/records.hpp>
#include <hotseat/rebound/contenders.hpp>

#include <leveldb/db.h>
#include <leveldb/iterator.h>
#include <leveldb/options.h>
#include <leveldb/slice.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace hotseat::rebound {
namespace {

constexpr std::size_t small_buffer =
    std::size_t{64} * 1024;  // LevelDB compacts all the time.
constexpr unsigned patience_seconds = 300;

void expect(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error{what};
}

/// Each record must be there, and be right.
std::uint64_t check_all(leveldb::DB& database, std::uint64_t records) {
  const std::unique_ptr<leveldb::Iterator> each{database.NewIterator({})};
  std::uint64_t found = 0;
  for (each->SeekToFirst(); each->Valid(); each->Next(), ++found) {
    const record_key key{found};
    expect(each->key().ToString() == key.text(), "a record is missing or too much");
    expect(is_value_of(found, each->value().ToString()), "a record has a wrong value");
  }
  require_ok(each->status(), "reading all records");
  expect(found == records, "the number of records is wrong");
  return found;
}

void stress(const lock_verbs& lock, double seconds) {
  constexpr std::uint64_t records = 20'000;
  const scratch_directory scratch;
  fill_database(scratch.path("db"), records);
  const std::unique_ptr<leveldb::DB> database =
      open_database(scratch.path("db"), small_buffer);
  ::alarm(static_cast<unsigned>(seconds) + patience_seconds);
  const load_outcome outcome = run_load(*database, {.kind = lock.kind,
                                                    .workers = 4,
                                                    .readers = 64,
                                                    .writers = 8,
                                                    .records = records,
                                                    .seconds = seconds});
  expect(outcome.wrong == 0 && outcome.failed == 0, outcome.first_error);
  const std::uint64_t reads =
      std::accumulate(outcome.reads.begin(), outcome.reads.end(), std::uint64_t{0});
  const std::uint64_t writes =
      std::accumulate(outcome.writes.begin(), outcome.writes.end(), std::uint64_t{0});
  expect(reads > 0 && writes > 0, "no reads or no writes");
  check_all(*database, records);
  std::printf("%s: %lu reads, %lu writes, all of them right\n",
              std::string{lock.name}.c_str(), static_cast<unsigned long>(reads),
              static_cast<unsigned long>(writes));
}

/// What writers have been told is safe, where it survives a killed process.
struct confirmed {
  static constexpr std::size_t writers = 4;
  std::array<std::atomic<std::uint64_t>, writers> versions{};

  [[nodiscard]] std::uint64_t sum() const {
    return std::accumulate(versions.begin(), versions.end(), std::uint64_t{0});
  }
};

[[noreturn]] void write_until_killed(const lock_verbs& lock, const std::string& path,
                                     confirmed& safe) {
  choose(lock);
  const std::unique_ptr<leveldb::DB> database = open_database(path, small_buffer);
  leveldb::WriteOptions synced;
  synced.sync = true;
  run_crew(
      {.kind = lock.kind, .size = confirmed::writers, .workers = 2},
      [&](std::size_t number) {
        const record_key key{number};
        for (std::uint64_t version = safe.versions[number] + 1;; ++version) {
          const record_value value{number, version};
          require_ok(database->Put(synced, {key.text().data(), key.text().size()},
                                   {value.text().data(), value.text().size()}),
                     "writing");
          safe.versions[number].store(version);
        }
      },
      [] {});
  std::abort();  // Not reached.
}

void kill_once(const lock_verbs& lock, const std::string& path, confirmed& safe,
               std::chrono::microseconds delay) {
  const std::uint64_t before = safe.sum();
  const pid_t child = ::fork();
  expect(child >= 0, "cannot fork");
  if (child == 0) {
    try {
      write_until_killed(lock, path, safe);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::_Exit(1);
  }
  int status = 0;
  while (safe.sum() < before + 40) {
    expect(::waitpid(child, &status, WNOHANG) == 0, "the writer ended by itself");
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  std::this_thread::sleep_for(delay);
  ::kill(child, SIGKILL);
  expect(::waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
             WTERMSIG(status) == SIGKILL,
         "the writer ended by itself");
}

/// In a process of its own: this process must not have used LevelDB when it forks again.
void check_after_kill(const std::string& path, const confirmed& safe) {
  const pid_t child = ::fork();
  expect(child >= 0, "cannot fork");
  if (child == 0) {
    try {
      const std::unique_ptr<leveldb::DB> database = open_database(path);
      for (std::size_t i = 0; i < confirmed::writers; ++i) {
        if (safe.versions[i] == 0) continue;  // It may be there or not.
        const record_key key{i};
        std::string value;
        require_ok(database->Get({}, {key.text().data(), key.text().size()}, &value),
                   "reading what was written");
        expect(is_value_of(i, value), "a wrong value");
        expect(version_of(value) >= safe.versions[i], "a confirmed write is lost");
      }
      std::_Exit(0);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    std::_Exit(1);
  }
  int status = 0;
  expect(::waitpid(child, &status, 0) == child && WIFEXITED(status) &&
             WEXITSTATUS(status) == 0,
         "the database is damaged");
}

void kill_repeatedly(const lock_verbs& lock, unsigned times) {
  void* const shared = ::mmap(nullptr, sizeof(confirmed), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  expect(shared != MAP_FAILED, "no memory to share");
  confirmed& safe = *::new (shared) confirmed;
  const scratch_directory scratch;
  ::alarm(patience_seconds + times);
  for (unsigned i = 0; i < times; ++i) {
    kill_once(lock, scratch.path("db"), safe, std::chrono::microseconds{i * 7919 % 20'000});
    check_after_kill(scratch.path("db"), safe);
  }
  std::printf("%s: killed %u times, after %lu confirmed writes in all\n",
              std::string{lock.name}.c_str(), times,
              static_cast<unsigned long>(safe.sum()));
}

double default_amount() {
  const char* const factor = std::getenv("HOTSEAT_STRESS_SCALE");
  return 5 * (factor != nullptr ? std::strtod(factor, nullptr) : 1);
}

int run(int count, char** words) {
  if (count < 3 || count > 4) {
    throw std::invalid_argument{"usage: leveldb_soak stress|kill LOCK [SECONDS|TIMES]"};
  }
  const std::string_view what = words[1];
  const lock_verbs& lock = contender_named(words[2]);
  const double amount = count == 4 ? std::strtod(words[3], nullptr) : default_amount();
  if (!(amount > 0)) throw std::invalid_argument{"the number must be positive"};
  if (what == "stress") {
    choose(lock);
    stress(lock, amount);
  } else if (what == "kill") {
    kill_repeatedly(lock, std::max(2U, static_cast<unsigned>(amount)));
  } else {
    throw std::invalid_argument{"unknown: " + std::string{what}};
  }
  return 0;
}

}  // namespace
}  // namespace hotseat::rebound

int main(int count, char** words) {
  try {
    return hotseat::rebound::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "leveldb_soak: %s\n", error.what());
    return 1;
  }
}
