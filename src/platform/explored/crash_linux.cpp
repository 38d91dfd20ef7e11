// hotseat/platform/explored/crash_linux.cpp — signals that mean a bug.
#include <hotseat/platform/explored/machine.hpp>

#include <array>
#include <csignal>
#include <cstddef>
#include <string>

#include "crash.hpp"

namespace hotseat::platform::explored {

namespace {

constexpr std::array fatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

std::array<struct sigaction, fatal.size()> former;
stack_t former_stack;
std::array<std::byte, std::size_t{64} << 10U> signal_stack;

// Never returns from the handler; SA_NODEFER lets the next signal through.
void on_signal(int number) {
  if (running == nullptr) {
    std::signal(number, SIG_DFL);
    std::raise(number);
  }
  fail(failure_kind::crash, std::string{"signal "} + std::to_string(number) +
                                (number == SIGABRT   ? " (abort)"
                                 : number == SIGSEGV ? " (a bad address)"
                                                     : ""));
}

}  // namespace

crash_watch::crash_watch() {
  stack_t own{};
  own.ss_sp = signal_stack.data();
  own.ss_size = signal_stack.size();
  sigaltstack(&own, &former_stack);
  struct sigaction action{};
  action.sa_handler = &on_signal;
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  for (std::size_t i = 0; i < fatal.size(); ++i) sigaction(fatal[i], &action, &former[i]);
}

crash_watch::~crash_watch() {
  for (std::size_t i = 0; i < fatal.size(); ++i) sigaction(fatal[i], &former[i], nullptr);
  sigaltstack(&former_stack, nullptr);
}

}  // namespace hotseat::platform::explored
