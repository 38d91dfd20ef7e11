// hotseat/tests/support/refused_syscalls.hpp — running a test in a process whose kernel
// refuses some system calls.
#pragma once

#include <gtest/gtest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

namespace hotseat::testing {

/// A system call to refuse, with any arguments or with one value of its second argument
/// (the operation of a futex).
struct refused_call {
  long number;
  bool has_operation = false;
  std::uint32_t operation = 0;
};

namespace seccomp {

inline sock_filter statement(unsigned code, std::uint32_t k) {
  return sock_filter{static_cast<std::uint16_t>(code), 0, 0, k};
}
inline sock_filter unless_equal_skip(std::uint32_t k, std::uint8_t skipped) {
  return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, skipped, k};
}

/// Makes these calls of this process, and of programs it executes, fail with EPERM.
inline bool refuse(const std::vector<refused_call>& calls) {
  std::vector<sock_filter> program;
  for (const refused_call& call : calls) {
    const std::uint8_t rest = call.has_operation ? 3 : 1;
    program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
    program.push_back(unless_equal_skip(static_cast<std::uint32_t>(call.number), rest));
    if (call.has_operation) {
      // The lower half of the argument; little endian.
      program.push_back(
          statement(BPF_LD | BPF_W | BPF_ABS,
                    static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8)));
      program.push_back(unless_equal_skip(call.operation, 1));
    }
    program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{};
  filter.len = static_cast<unsigned short>(program.size());
  filter.filter = program.data();
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0;
}

}  // namespace seccomp

/// The outcome of the process that ran a test again.
enum class refused_process { passed, failed, no_filters };

/// Runs the calling test again, in a process of its own that is refused the calls from the
/// start, and returns the outcome.  Inside that process it returns nothing: go on.
inline std::optional<refused_process> run_refused(const std::vector<refused_call>& calls) {
  static constexpr const char* mark = "HOTSEAT_TEST_IS_REFUSED";
  static constexpr int exit_without_filters = 77;
  if (std::getenv(mark) != nullptr) return std::nullopt;

  const ::testing::TestInfo& test =
      *::testing::UnitTest::GetInstance()->current_test_info();
  std::string filter =
      std::string{"--gtest_filter="} + test.test_suite_name() + "." + test.name();
  std::string brief = "--gtest_brief=1";
  std::string path = "/proc/self/exe";
  const pid_t child = fork();
  if (child == 0) {
    if (!seccomp::refuse(calls)) _exit(exit_without_filters);
    setenv(mark, "1", 1);
    unsetenv("GTEST_OUTPUT");  // The report is the parent's.
    std::array<char*, 4> arguments{path.data(), filter.data(), brief.data(), nullptr};
    execv(path.data(), arguments.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) == -1 && errno == EINTR) {
  }
  if (!WIFEXITED(status)) return refused_process::failed;
  if (WEXITSTATUS(status) == exit_without_filters) return refused_process::no_filters;
  return WEXITSTATUS(status) == 0 ? refused_process::passed : refused_process::failed;
}

}  // namespace hotseat::testing
