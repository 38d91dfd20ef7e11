// hotseat/rebound/drive/load.cpp — what each reader and writer does.
#include <drive/load.hpp>
#include <drive/records.hpp>

#include <leveldb/options.h>
#include <leveldb/slice.h>
#include <leveldb/status.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace hotseat::rebound {
namespace {

leveldb::Slice slice_of(std::string_view text) { return {text.data(), text.size()}; }

double process_cpu_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

class load {
 public:
  load(leveldb::DB& database, const load_settings& settings)
      : database_{database},
        settings_{settings},
        members_(settings.readers + settings.writers + settings.fillers) {}

  load_outcome run() {
    using clock = std::chrono::steady_clock;
    const double cpu_before = process_cpu_seconds();
    const clock::time_point start = clock::now();
    clock::time_point end = start;
    double cpu_after = 0;
    auto stats = run_crew(
        {.kind = settings_.kind,
         .size = members_.size(),
         .workers = settings_.workers,
         .first_cpu = static_cast<std::size_t>(settings_.seed)},
        [&](std::size_t i) { serve(i); },
        [&] {
          std::this_thread::sleep_for(std::chrono::duration<double>(settings_.seconds));
          end = clock::now();
          cpu_after = process_cpu_seconds();
          is_over_.store(true, std::memory_order_relaxed);
        });
    load_outcome outcome;
    outcome.seconds = std::chrono::duration<double>(end - start).count();
    outcome.cpu_seconds = cpu_after - cpu_before;
    outcome.stats = stats;
    outcome.wrong = wrong_;
    outcome.failed = failed_;
    outcome.first_error = first_error_;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      (i < settings_.readers ? outcome.reads : outcome.writes).push_back(members_[i].done);
    }
    return outcome;
  }

 private:
  /// On a cache line of its own: members count all the time.
  struct alignas(128) member {
    std::uint64_t done = 0;
    std::uint64_t random = 0;
  };

  void serve(std::size_t number) {
    member& self = members_[number];
    self.random = settings_.seed * 0x9e3779b97f4a7c15U + number;
    if (number < settings_.readers) {
      std::string value;
      repeat(self, [&] { read(self, value); });
    } else if (number < settings_.readers + settings_.writers) {
      repeat(self, [&] { write(draw(self), self.done + 1); });
    } else {
      const std::uint64_t first = (number + 1) * 1'000'000'000;
      repeat(self, [&] { write(first + self.done, 1); });
    }
  }

  void repeat(member& self, const auto& operation) {
    while (!is_over_.load(std::memory_order_relaxed)) {
      operation();
      ++self.done;
      if (settings_.yield_every != 0 && self.done % settings_.yield_every == 0) {
        yield_member(settings_.kind);
      }
    }
  }

  std::uint64_t draw(member& self) const {
    std::uint64_t x = self.random += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return ((x ^ (x >> 31U)) >> 32U) * settings_.records >> 32U;
  }

  void read(member& self, std::string& value) {
    const std::uint64_t number = draw(self);
    const record_key key{number};
    const leveldb::Status status = database_.Get({}, slice_of(key.text()), &value);
    if (!status.ok()) return fail(failed_, status.ToString());
    if (!is_value_of(number, value))
      fail(wrong_, "wrong value of " + std::to_string(number));
  }

  void write(std::uint64_t number, std::uint64_t version) {
    const record_key key{number};
    const record_value value{number, version};
    const leveldb::Status status =
        database_.Put({}, slice_of(key.text()), slice_of(value.text()));
    if (!status.ok()) fail(failed_, status.ToString());
  }

  void fail(std::atomic<std::uint64_t>& count, std::string what) {
    if (++count != 1) return;
    const std::lock_guard held{error_guard_};
    if (first_error_.empty()) first_error_ = std::move(what);
  }

  leveldb::DB& database_;
  load_settings settings_;
  std::vector<member> members_;
  std::atomic<bool> is_over_{false};
  std::atomic<std::uint64_t> wrong_{0};
  std::atomic<std::uint64_t> failed_{0};
  std::mutex error_guard_;
  std::string first_error_;
};

}  // namespace

load_outcome run_load(leveldb::DB& database, const load_settings& settings) {
  return load{database, settings}.run();
}

}  // namespace hotseat::rebound
