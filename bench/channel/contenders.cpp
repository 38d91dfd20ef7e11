// bench/channel/contenders.cpp — tasks on a pool, and the baseline on plain threads.
#include <channel/workload.hpp>
#include <hotseat/runtime/thread_pool.hpp>
#include <hotseat/sync/channel.hpp>
#include <hotseat/task/sync_wait.hpp>
#include <hotseat/task/task.hpp>
#include <hotseat/task/when_all.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <latch>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace hotseat::bench {

namespace {

/// The last sender to finish closes the channel.
using senders_left = std::atomic<std::size_t>;

template <class Channel>
task<> send_all(Channel& to, const sender& self, senders_left& left) {
  for (std::uint32_t i = 0; i < self.values; ++i) {
    const numbered_value value{self.index, i};
    if (!co_await to.send(value)) break;
  }
  if (--left == 0) to.close();
}

template <class Channel>
task<> receive_all(Channel& from, receiver& self) {
  while (const std::optional<numbered_value> value = co_await from.receive()) {
    self.accept(*value);
  }
}

template <class Channel>
task<> receive_batches(Channel& from, receiver& self, std::size_t batch) {
  std::vector<numbered_value> values;
  values.reserve(batch);
  while (co_await from.receive_many(values, batch) != 0) {
    for (const numbered_value value : values) self.accept(value);
    values.clear();
  }
}

}  // namespace

timed_run channel_on_pool(std::size_t batch, const channel_settings& settings) {
  thread_pool pool{settings.workers};
  channel<numbered_value> values{settings.capacity};
  channel_run run{settings};
  senders_left left{settings.senders};
  std::vector<task<>> tasks;
  for (const sender& each : run.senders()) tasks.push_back(send_all(values, each, left));
  for (receiver& each : run.receivers()) {
    tasks.push_back(batch == 1 ? receive_all(values, each)
                               : receive_batches(values, each, batch));
  }
  return run.measure([&] { sync_wait(pool, when_all(std::move(tasks))); });
}

namespace {

/// What a programmer writes without a library.
class locked_queue {
 public:
  explicit locked_queue(std::size_t capacity) : capacity_{capacity} {}

  void push(numbered_value value) {
    std::unique_lock held{mutex_};
    has_room_.wait(held, [&] { return values_.size() < capacity_; });
    values_.push_back(value);
    held.unlock();
    has_values_.notify_one();
  }

  std::optional<numbered_value> pop() {
    std::unique_lock held{mutex_};
    has_values_.wait(held, [&] { return !values_.empty() || is_closed_; });
    if (values_.empty()) return std::nullopt;
    const numbered_value value = values_.front();
    values_.pop_front();
    held.unlock();
    has_room_.notify_one();
    return value;
  }

  void close() {
    const std::lock_guard held{mutex_};
    is_closed_ = true;
    has_values_.notify_all();
  }

 private:
  const std::size_t capacity_;
  std::mutex mutex_;
  std::condition_variable has_room_;
  std::condition_variable has_values_;
  std::deque<numbered_value> values_;
  bool is_closed_ = false;
};

}  // namespace

timed_run channel_on_threads(const channel_settings& settings) {
  // A queue without room would not work; one place comes closest to a rendezvous.
  locked_queue values{settings.capacity == 0 ? 1 : settings.capacity};
  channel_run run{settings};
  senders_left left{settings.senders};
  std::latch start{static_cast<std::ptrdiff_t>(settings.senders + settings.receivers) + 1};
  std::vector<std::jthread> threads;
  for (const sender& each : run.senders()) {
    threads.emplace_back([&values, &left, &start, &self = each] {
      start.arrive_and_wait();
      for (std::uint32_t i = 0; i < self.values; ++i) values.push({self.index, i});
      if (--left == 0) values.close();
    });
  }
  for (receiver& each : run.receivers()) {
    threads.emplace_back([&values, &start, &self = each] {
      start.arrive_and_wait();
      while (const std::optional<numbered_value> value = values.pop()) self.accept(*value);
    });
  }
  return run.measure([&] {
    start.arrive_and_wait();
    threads.clear();
  });
}

}  // namespace hotseat::bench
