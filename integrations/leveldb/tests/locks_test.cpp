// hotseat/rebound/tests/locks_test.cpp — each lock alone: one owner at a time, none lost.
#include <drive/crew.hpp>
#include <hotseat/fiber/fiber_mutex.hpp>
#include <hotseat/rebound/combining_lock.hpp>
#include <hotseat/rebound/contenders.hpp>
#include <hotseat/rebound/mcs_lock.hpp>
#include <hotseat/rebound/observed_lock.hpp>
#include <hotseat/rebound/shfl_lock.hpp>
#include <hotseat/rebound/static_lock.hpp>
#include <hotseat/rebound/ttas_lock.hpp>
#include <tests/borrowed_mutex.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace hotseat::rebound {
namespace {

/// The same for a condition.
class borrowed_condition {
 public:
  explicit borrowed_condition(const lock_verbs& verbs) : verbs_{verbs} {
    verbs_.make_condition(bytes_.data());
  }
  ~borrowed_condition() { verbs_.destroy_condition(bytes_.data()); }
  borrowed_condition(const borrowed_condition&) = delete;
  borrowed_condition& operator=(const borrowed_condition&) = delete;
  void* get() { return bytes_.data(); }

 private:
  const lock_verbs& verbs_;
  alignas(std::condition_variable)
      std::array<std::byte, sizeof(std::condition_variable)> bytes_{};
};

class Locks : public ::testing::TestWithParam<std::string> {
 protected:
  /// Runs them as threads, or as fibers on two workers.
  void run_many(std::size_t count, const std::function<void(std::size_t)>& body) const {
    run_crew({.kind = verbs.kind, .size = count, .workers = 2}, body, [] {});
  }

  const lock_verbs& verbs = contender_named(GetParam());
};

TEST_P(Locks, have_one_owner_at_a_time) {
  constexpr std::size_t threads = 6;
  constexpr std::uint64_t turns = 3000;
  borrowed_mutex mutex;
  std::uint64_t sections = 0;  // Not atomic: a second owner would lose counts.
  std::atomic<int> inside{0};
  run_many(threads, [&](std::size_t) {
    for (std::uint64_t i = 0; i < turns; ++i) {
      verbs.lock(mutex.get());
      EXPECT_EQ(inside.fetch_add(1), 0);
      ++sections;
      inside.fetch_sub(1);
      verbs.unlock(mutex.get());
    }
  });
  EXPECT_EQ(sections, threads * turns);
}

TEST_P(Locks, nest) {
  constexpr std::size_t threads = 4;
  constexpr std::uint64_t turns = 1000;
  borrowed_mutex outer;
  borrowed_mutex inner;
  std::uint64_t outer_sections = 0;
  std::uint64_t inner_sections = 0;
  run_many(threads, [&](std::size_t number) {
    for (std::uint64_t i = 0; i < turns; ++i) {
      const bool is_nested = (i + number) % 2 == 0;
      if (is_nested) {
        verbs.lock(outer.get());
        ++outer_sections;
      }
      verbs.lock(inner.get());
      ++inner_sections;
      // Also out of order: unlocks the outer one first.
      if (is_nested && i % 4 < 2) verbs.unlock(outer.get());
      verbs.unlock(inner.get());
      if (is_nested && i % 4 >= 2) verbs.unlock(outer.get());
    }
  });
  EXPECT_EQ(outer_sections, threads * turns / 2);
  EXPECT_EQ(inner_sections, threads * turns);
}

TEST_P(Locks, keep_the_callers_stack) {
  constexpr std::size_t threads = 4;
  borrowed_mutex mutex;
  run_many(threads, [&](std::size_t number) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      std::array<std::uint64_t, 64> mine{};
      for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = number * 1000003 + i + k;
      verbs.lock(mutex.get());
      for (std::size_t k = 0; k < mine.size(); ++k) mine[k] += 1;
      verbs.unlock(mutex.get());
      for (std::size_t k = 0; k < mine.size(); ++k) {
        ASSERT_EQ(mine[k], number * 1000003 + i + k + 1);
      }
    }
  });
}

TEST_P(Locks, pass_values_with_conditions) {
  constexpr std::uint64_t values = 2000;
  constexpr std::size_t takers = 3;
  borrowed_mutex mutex;
  borrowed_condition is_filled{verbs};
  borrowed_condition is_emptied{verbs};
  std::deque<std::uint64_t> line;
  std::uint64_t sum = 0;
  std::size_t ended = 0;
  run_many(takers + 1, [&](std::size_t number) {
    if (number == 0) {
      for (std::uint64_t value = 1; value <= values; ++value) {
        verbs.lock(mutex.get());
        while (line.size() == 2) verbs.wait(is_emptied.get(), mutex.get());
        line.push_back(value);
        verbs.notify_one(is_filled.get());
        verbs.unlock(mutex.get());
      }
      verbs.lock(mutex.get());
      while (!line.empty()) verbs.wait(is_emptied.get(), mutex.get());
      line.assign(takers, 0);
      verbs.notify_all(is_filled.get());
      verbs.unlock(mutex.get());
      return;
    }
    for (;;) {
      verbs.lock(mutex.get());
      while (line.empty()) verbs.wait(is_filled.get(), mutex.get());
      const std::uint64_t value = line.front();
      line.pop_front();
      sum += value;
      ended += value == 0 ? 1 : 0;
      verbs.notify_one(is_emptied.get());
      verbs.unlock(mutex.get());
      if (value == 0) return;
    }
  });
  EXPECT_EQ(sum, values * (values + 1) / 2);
  EXPECT_EQ(ended, takers);
}

TEST_P(Locks, serve_threads_and_crews_at_once) {
  constexpr std::uint64_t turns = 2000;
  borrowed_mutex mutex;
  std::uint64_t sections = 0;
  const auto body = [&](std::size_t) {
    for (std::uint64_t i = 0; i < turns; ++i) {
      verbs.lock(mutex.get());
      ++sections;
      verbs.unlock(mutex.get());
    }
  };
  {
    const std::jthread plain{body, 0};
    run_many(3, body);
  }
  EXPECT_EQ(sections, 4 * turns);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const lock_verbs& each : contenders()) names.emplace_back(each.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Locks, ::testing::ValuesIn(all_names()),
                         [](const auto& instance) { return instance.param; });

template <class Lock>
class NewLock : public ::testing::Test {};
using small_state = lock_state::spin_locked;
using lock_types =
    ::testing::Types<ttas_lock, mcs_lock, shfl_lock<>, combining_lock, static_lock,
                     basic_fiber_mutex<handoff::exchange>,
                     observed_lock<basic_fiber_mutex<handoff::exchange, small_state>>>;
TYPED_TEST_SUITE(NewLock, lock_types);

TYPED_TEST(NewLock, is_all_zero) {
  alignas(TypeParam) std::array<std::byte, sizeof(TypeParam)> bytes{};
  ::new (bytes.data()) TypeParam;  // Never destroyed: LevelDB does not destroy them either.
  for (const std::byte each : bytes) EXPECT_EQ(each, std::byte{0});
}

TEST(Contenders, stock_is_what_is_chosen_first) { EXPECT_EQ(chosen().name, "stock"); }

TEST(Contenders, an_unknown_name_is_refused_with_all_names) {
  try {
    static_cast<void>(contender_named("tts"));
    FAIL();
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("no lock is called tts"), std::string::npos) << message;
    for (const lock_verbs& each : contenders()) {
      EXPECT_NE(message.find(each.name), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace hotseat::rebound
