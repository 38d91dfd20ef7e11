// integrations/boost_fiber/tests/kinds.hpp — Boost's primitives and ours, under one name.
#pragma once

#include <hotseat/boost_fiber/condition_variable.hpp>
#include <hotseat/boost_fiber/mutex.hpp>
#include <hotseat/boost_fiber/recursive_mutex.hpp>
#include <hotseat/boost_fiber/timed_mutex.hpp>
#include <tests/crew.hpp>

#include <boost/fiber/condition_variable.hpp>
#include <boost/fiber/mutex.hpp>
#include <boost/fiber/recursive_mutex.hpp>
#include <boost/fiber/recursive_timed_mutex.hpp>
#include <boost/fiber/timed_mutex.hpp>

#include <gtest/gtest.h>

#include <system_error>

namespace hotseat::boost_fiber::test {

struct boosts {
  using mutex = fibers::mutex;
  using timed_mutex = fibers::timed_mutex;
  using recursive_mutex = fibers::recursive_mutex;
  using recursive_timed_mutex = fibers::recursive_timed_mutex;
  using condition_variable = fibers::condition_variable;
  using condition_variable_any = fibers::condition_variable_any;
};

struct ours {
  using mutex = hotseat::boost_fiber::mutex;
  using timed_mutex = hotseat::boost_fiber::timed_mutex;
  using recursive_mutex = hotseat::boost_fiber::recursive_mutex;
  using recursive_timed_mutex = hotseat::boost_fiber::recursive_timed_mutex;
  using condition_variable = hotseat::boost_fiber::condition_variable;
  using condition_variable_any = hotseat::boost_fiber::condition_variable_any;
};

/// A mutex and a condition that work together.
template <class Mutex, class Condition>
struct pair_of {
  using mutex = Mutex;
  using condition = Condition;
};

template <class Kind, class Algorithm>
struct setting {
  using kind = Kind;
  using algorithm = Algorithm;
};

using settings = testing::Types<
    setting<boosts, fibers::algo::round_robin>, setting<boosts, fibers::algo::shared_work>,
    setting<boosts, fibers::algo::work_stealing>, setting<ours, fibers::algo::round_robin>,
    setting<ours, fibers::algo::shared_work>, setting<ours, fibers::algo::work_stealing>>;

/// The code of the lock_error that `work` throws; empty if it throws nothing.
template <class Work>
std::error_code code_of(Work work) {
  try {
    work();
  } catch (const fibers::lock_error& problem) {
    return problem.code();
  }
  return {};
}

}  // namespace hotseat::boost_fiber::test
