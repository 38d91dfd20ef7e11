// hotseat/tests/support/waiters.hpp — the waiters of a line, in a form to compare.
#pragma once

#include <hotseat/core/waiter.hpp>

#include <vector>

namespace hotseat::testing {

inline std::vector<waiter*> listed(waiter_queue line) {
  std::vector<waiter*> result;
  while (!line.empty()) result.push_back(&line.pop_front());
  return result;
}

inline std::vector<waiter*> listed(waiter* first) {
  std::vector<waiter*> result;
  for (; first != nullptr; first = first->next) result.push_back(first);
  return result;
}

}  // namespace hotseat::testing
