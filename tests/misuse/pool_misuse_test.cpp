// hotseat/tests/misuse/pool_misuse_test.cpp — a pool that cannot be made says so and leaves
// nothing behind.  Each case runs to a defined end: an exception that names the option, or
// a violation.
#include <hotseat/platform/config.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/runtime/topology.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace hotseat {
namespace {

using options = thread_pool::options;

std::string refusal_of(const options& wanted) {
  try {
    const thread_pool pool{wanted};
    return "accepted";
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
}

std::size_t threads_of_this_process() {
  const std::filesystem::directory_iterator all{"/proc/self/task"};
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

void expect_refusal(const options& wanted, const char* named) {
  const std::size_t before = threads_of_this_process();
  EXPECT_NE(refusal_of(wanted).find(named), std::string::npos) << refusal_of(wanted);
  EXPECT_EQ(threads_of_this_process(), before);
}

constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

TEST(PoolMisuse, too_many_threads_are_refused_by_name) {
  expect_refusal({.threads = options::most_threads + 1}, "threads");
  expect_refusal({.threads = most}, "threads");
  EXPECT_THROW(thread_pool{most}, std::invalid_argument);
}

TEST(PoolMisuse, a_block_size_of_zero_or_beyond_the_limit_is_refused_by_name) {
  expect_refusal({.threads = 1, .block_size = 0}, "block_size");
  expect_refusal({.threads = 1, .block_size = 32769}, "block_size");
  expect_refusal({.threads = 1, .block_size = 65536}, "block_size");
  expect_refusal({.threads = 1, .block_size = most}, "block_size");
}

TEST(PoolMisuse, a_block_count_that_is_not_a_power_of_two_in_range_is_refused_by_name) {
  for (const std::uint32_t count : {0U, 1U, 3U, 6U, 127U, 65537U, 131072U, most}) {
    expect_refusal({.threads = 1, .block_count = count}, "block_count");
  }
}

TEST(PoolMisuse, a_chain_limit_of_zero_is_refused_by_name) {
  expect_refusal({.threads = 1, .chain_limit = 0}, "chain_limit");
}

TEST(PoolMisuse, the_ends_of_the_ranges_are_accepted) {
  EXPECT_EQ(refusal_of({.threads = 1, .block_size = 32768, .block_count = 2}), "accepted");
  EXPECT_EQ(refusal_of({.threads = 1, .block_size = 1, .block_count = 65536}), "accepted");
  EXPECT_EQ(refusal_of({.threads = 1, .chain_limit = 1}), "accepted");
  EXPECT_EQ(refusal_of({.threads = 1, .chain_limit = most}), "accepted");
}

TEST(PoolMisuse, a_machine_that_cannot_be_is_refused_before_there_is_a_pool) {
  EXPECT_THROW(thread_pool({.machine = topology::described({})}), std::invalid_argument);
  EXPECT_THROW(thread_pool({.machine = topology::synthetic("no such thing:2")}),
               std::invalid_argument);
}

task<int> answer() { co_return 42; }

/// Ends the process, with 0 if all went well.  Threads that have been joined may still be
/// listed for a moment; one that was left behind stays, and the test hangs.
[[noreturn]] void end_when_only(std::size_t threads) {
  // ThreadSanitizer may start a thread of its own.
  const std::size_t tolerated = threads + (config::sanitizes_thread ? 1 : 0);
  while (threads_of_this_process() > tolerated) std::this_thread::yield();
  thread_pool works{options{.threads = 1, .machine = topology::flat(1)}};
  std::_Exit(sync_wait(works, answer()) == 42 ? 0 : 3);
}

constexpr int no_limits_here = 77;

/// Limits the user's threads, over all processes.
void allow_threads(rlim_t wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) != 0) std::_Exit(no_limits_here);
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (setrlimit(RLIMIT_NPROC, &limit) != 0) std::_Exit(no_limits_here);
}

/// In a process of its own: asks for more threads than the user may have.  Root may have
/// any number, so the process becomes a user that has none, and that no other test becomes.
[[noreturn]] void ask_for_more_threads_than(unsigned allowed) {
  const bool is_root = geteuid() == 0;
  const auto user_of_ours = 100'000'000U + static_cast<uid_t>(getpid());
  if (is_root && setuid(user_of_ours) != 0) std::_Exit(no_limits_here);
  // This thread counts, and so does ThreadSanitizer's.
  allow_threads(allowed + (config::sanitizes_thread ? 2U : 1U));
  const std::size_t before = threads_of_this_process();
  try {
    const thread_pool pool{options{.threads = allowed + 3, .machine = topology::flat(2)}};
    std::_Exit(no_limits_here);
  } catch (const std::system_error& refused) {
    std::fprintf(stderr, "refused: %s\n", refused.what());
    const bool is_exact = is_root && !config::sanitizes_thread;
    const std::string given = is_exact ? "gave " + std::to_string(allowed) : "gave ";
    if (std::string{refused.what()}.find(given) == std::string::npos) std::_Exit(2);
    if (refused.code() != std::errc::resource_unavailable_try_again) std::_Exit(2);
  }
  allow_threads(RLIM_INFINITY);
  end_when_only(before);
}

class PoolWithoutThreads : public ::testing::TestWithParam<unsigned> {};

TEST_P(PoolWithoutThreads, throws_system_error_and_leaves_no_thread_behind) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto is_fine = [](int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == no_limits_here) {
      std::fprintf(stderr, "the system does not limit threads here\n");
      return true;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  };
  EXPECT_EXIT(ask_for_more_threads_than(GetParam()), is_fine, "");
}

INSTANTIATE_TEST_SUITE_P(AfterSome, PoolWithoutThreads, ::testing::Values(1U, 2U, 7U),
                         ::testing::PrintToStringParamName());

/// In a process of its own: 34 GB of queues in an address space that may grow by 4 GB.
[[noreturn]] void ask_for_more_memory_than_there_is() {
  std::size_t pages = 0;
  std::ifstream{"/proc/self/statm"} >> pages;
  const std::size_t allowed =
      pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + (std::size_t{4} << 30);
  const rlimit limit{allowed, allowed};
  if (setrlimit(RLIMIT_AS, &limit) != 0) std::_Exit(1);
  const std::size_t before = threads_of_this_process();
  try {
    const thread_pool pool{options{.threads = 3,
                                   .block_size = 32768,
                                   .block_count = 65536,
                                   .machine = topology::flat(2)}};
    std::_Exit(1);
  } catch (const std::bad_alloc&) {
  }
  end_when_only(before);
}

TEST(PoolMisuse, queues_that_do_not_fit_into_memory_throw_bad_alloc_and_leave_no_thread) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(ask_for_more_memory_than_there_is(), ::testing::ExitedWithCode(0), "");
}

void wait_on_a_worker_for_itself() {
  thread_pool pool{1U};
  const auto waits = [](thread_pool& own) -> task<int> {
    co_return sync_wait(own, answer());
  };
  task<int> outer = waits(pool);
  static_cast<void>(sync_wait(pool, outer));
}

TEST(PoolMisuse, a_worker_that_would_wait_for_itself_stops_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(wait_on_a_worker_for_itself(), "hotseat: violation: sync_wait");
}

}  // namespace
}  // namespace hotseat
