// hotseat/platform/real/stack_overflow_linux.cpp — reports which fiber ran out of stack.
#include <hotseat/platform/memory.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>

namespace hotseat::platform {

namespace {

constexpr std::size_t signal_stack_bytes = std::size_t{64} << 10U;

std::atomic<overflow_finder> finder{nullptr};
struct sigaction former;

void say(const char* text) noexcept {
  // Nothing can be done about an error.
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

// Restores the former handler: the instruction is tried again, as if we were not there.
void give_up() noexcept { sigaction(SIGSEGV, &former, nullptr); }

void on_fault(int number, siginfo_t* what, void* context) {
  const auto address = reinterpret_cast<std::uintptr_t>(what->si_addr);
  if (const char* const who = finder.load(std::memory_order_relaxed)(address)) {
    say("hotseat: stack overflow in fiber '");
    say(who);
    say("': give it a larger stack_size\n");
    return give_up();
  }
  if ((former.sa_flags & SA_SIGINFO) != 0)
    return former.sa_sigaction(number, what, context);
  if (former.sa_handler == SIG_DFL || former.sa_handler == SIG_IGN) return give_up();
  former.sa_handler(number);
}

/// The stack that a thread handles signals on, unless it already has one.
class signal_stack {
 public:
  signal_stack() noexcept {
    stack_t present{};
    if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
    void* const memory = mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;  // No report, but the program ends all the same.
    stack_t own{};
    own.ss_sp = memory;
    own.ss_size = signal_stack_bytes;
    if (sigaltstack(&own, nullptr) == 0) memory_ = memory;
  }
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;
  ~signal_stack() {
    if (memory_ == nullptr) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
    munmap(memory_, signal_stack_bytes);
  }

 private:
  void* memory_ = nullptr;
};

}  // namespace

void report_overflows(overflow_finder find) noexcept {
  static std::once_flag once;
  std::call_once(once, [find] {
    finder.store(find, std::memory_order_relaxed);
    struct sigaction action{};
    action.sa_sigaction = &on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(SIGSEGV, &action, &former);
  });
}

void prepare_overflow_report() noexcept {
  static thread_local const signal_stack mine;
  static_cast<void>(mine);
}

bool is_on_signal_stack() noexcept {
  stack_t present{};
  return sigaltstack(nullptr, &present) == 0 && (present.ss_flags & SS_ONSTACK) != 0;
}

}  // namespace hotseat::platform
