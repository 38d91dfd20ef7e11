// hotseat/tests/support/events.hpp — what happened on which worker, in order.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hotseat::testing {

struct event_at {
  event_at(char what, std::optional<unsigned> where) : name{what}, worker{where} {}
  event_at(std::string what, std::optional<unsigned> where)
      : name{std::move(what)}, worker{where} {}
  friend bool operator==(const event_at&, const event_at&) = default;

  std::string name;
  std::optional<unsigned> worker;
};
using events = std::vector<event_at>;

}  // namespace hotseat::testing
