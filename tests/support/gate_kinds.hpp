// hotseat/tests/support/gate_kinds.hpp — all primitives that let waiters out: how to close
// and open them, and tasks that wait for them.
#pragma once

#include <gtest/gtest.h>

#include <hotseat/sync/auto_reset_event.hpp>
#include <hotseat/sync/event.hpp>
#include <hotseat/sync/latch.hpp>
#include <hotseat/sync/wait_group.hpp>
#include <support/probes.hpp>

#include <stop_token>
#include <string>
#include <utility>

namespace hotseat::testing {

struct event_kind {
  using gate = event;
  static gate closed() { return gate{}; }
  static void open(gate& g) { g.set_dispatch(); }
  static auto open_awaited(gate& g) { return g.set(); }
};

struct auto_reset_event_kind {
  using gate = auto_reset_event;
  static gate closed() { return gate{}; }
  static void open(gate& g) { g.set_dispatch(); }
  static auto open_awaited(gate& g) { return g.set(); }
};

struct latch_kind {
  using gate = latch;
  static gate closed() { return gate{1}; }
  static void open(gate& g) { g.count_down_dispatch(); }
  static auto open_awaited(gate& g) { return g.count_down(); }
};

struct wait_group_kind {
  using gate = wait_group;
  static gate closed() { return gate{1}; }
  static void open(gate& g) { g.done_dispatch(); }
  static auto open_awaited(gate& g) { return g.done(); }
};

using gate_kinds =
    ::testing::Types<event_kind, auto_reset_event_kind, latch_kind, wait_group_kind>;

template <class Gate>
owned wait_for_ever(Gate& g, std::string& log, char name) {
  co_await g.wait();
  log += name;
}

/// Notes its name, as a capital if the wait ended early.
template <class Gate>
owned wait_until_told(Gate& g, std::stop_token stop, std::string& log, char name) {
  auto operation = g.wait(std::move(stop));
  const bool is_open = co_await operation;
  log += is_open ? name : static_cast<char>(name - 'a' + 'A');
}

/// Notes its name when `operation` of a gate has let it out.
template <class Operation>
owned release_and_note(Operation& operation, std::string& log, char name) {
  co_await operation;
  log += name;
}

}  // namespace hotseat::testing
