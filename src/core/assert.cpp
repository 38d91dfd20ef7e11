// hotseat/core/assert.cpp — how a violation is reported.
#include <hotseat/core/assert.hpp>
#include <hotseat/platform/seam.hpp>

#include <cstdio>
#include <cstdlib>

namespace hotseat {

namespace {

void print(const violation& v) {
  std::fprintf(stderr, "hotseat: violation: %s %p: %s\n", v.object, v.address, v.rule);
  std::fflush(stderr);
}

constinit platform::atomic<violation_handler> handler{nullptr};  // Null: print.

violation_handler or_print(violation_handler h) noexcept {
  return h != nullptr ? h : &print;
}

}  // namespace

violation_handler on_violation(violation_handler next) noexcept {
  return or_print(handler.exchange(next, std::memory_order_relaxed));
}

void detail::report_violation(const char* object, const void* address,
                              const char* rule) noexcept {
  const violation_handler report = or_print(handler.load(std::memory_order_relaxed));
  report(violation{.object = object, .address = address, .rule = rule});
  std::abort();
}

}  // namespace hotseat
