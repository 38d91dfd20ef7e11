// bench/channel/boost_fiber.cpp — the channels of Boost.Fiber.
#include <channel/workload.hpp>

#ifdef HOTSEAT_BENCH_HAS_BOOST_FIBER

// Boost 1.74 itself has warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <boost/fiber/buffered_channel.hpp>
#include <boost/fiber/channel_op_status.hpp>
#include <boost/fiber/fiber.hpp>
#include <boost/fiber/operations.hpp>
#include <boost/fiber/unbuffered_channel.hpp>
#pragma GCC diagnostic pop

#include <atomic>
#include <bit>
#include <latch>
#include <thread>
#include <vector>

namespace hotseat::bench {

namespace {

using boost::fibers::channel_op_status;

template <class Channel>
void send_all(Channel& to, const sender& self, std::atomic<std::size_t>& left) {
  for (std::uint32_t i = 0; i < self.values; ++i) {
    const numbered_value value{self.index, i};
    if (to.push(value) != channel_op_status::success) break;
  }
  if (--left == 0) to.close();
}

template <class Channel>
void receive_all(Channel& from, receiver& self) {
  numbered_value value;
  while (from.pop(value) == channel_op_status::success) self.accept(value);
}

/// Each thread has its share of the senders and the receivers, and takes turns between
/// them: Boost's default, and the fastest of its schedulers here.
template <class Channel>
timed_run run_fibers(Channel& values, const channel_settings& settings) {
  channel_run run{settings};
  std::atomic<std::size_t> left{settings.senders};
  std::latch start{static_cast<std::ptrdiff_t>(settings.workers) + 1};
  std::vector<std::jthread> threads;
  for (unsigned worker = 0; worker < settings.workers; ++worker) {
    threads.emplace_back([&, worker] {
      start.arrive_and_wait();
      std::vector<boost::fibers::fiber> fibers;
      for (std::size_t i = worker; i < settings.senders; i += settings.workers) {
        const sender& self = run.senders()[i];
        fibers.emplace_back([&] { send_all(values, self, left); });
      }
      for (std::size_t i = worker; i < settings.receivers; i += settings.workers) {
        receiver& self = run.receivers()[i];
        fibers.emplace_back([&] { receive_all(values, self); });
      }
      for (boost::fibers::fiber& each : fibers) each.join();
    });
  }
  return run.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

}  // namespace

timed_run channel_on_boost_fibers(const channel_settings& settings) {
  if (settings.capacity == 0) {
    boost::fibers::unbuffered_channel<numbered_value> values;
    return run_fibers(values, settings);
  }
  // Its capacity must be a power of two, and it keeps one place free: give it at least as
  // much as the others have.
  boost::fibers::buffered_channel<numbered_value> values{
      std::bit_ceil(settings.capacity + 1)};
  return run_fibers(values, settings);
}

}  // namespace hotseat::bench

#else

#include <stdexcept>

namespace hotseat::bench {
timed_run channel_on_boost_fibers(const channel_settings&) {
  throw std::logic_error{"built without Boost.Fiber"};
}
}  // namespace hotseat::bench

#endif
