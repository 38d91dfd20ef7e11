#include <harness/interrupt.hpp>

#include <csignal>

namespace hotseat::bench {

namespace {

volatile std::sig_atomic_t was_asked = 0;
struct sigaction before_int;
struct sigaction before_term;

void ask(int /*signal*/) { was_asked = 1; }

}  // namespace

interrupt_guard::interrupt_guard() {
  struct sigaction action{};
  action.sa_handler = ask;
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  ::sigaction(SIGINT, &action, &before_int);
  ::sigaction(SIGTERM, &action, &before_term);
}

interrupt_guard::~interrupt_guard() {
  ::sigaction(SIGINT, &before_int, nullptr);
  ::sigaction(SIGTERM, &before_term, nullptr);
}

bool is_interrupted() noexcept { return was_asked != 0; }

}  // namespace hotseat::bench
