// hotseat/runtime/pool_core.cpp — starting and stopping workers, and tasks from outside.
#include <hotseat/core/assert.hpp>
#include <hotseat/core/spin_wait.hpp>
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>

#include <bit>
#include <stdexcept>
#include <string>
#include <system_error>

namespace hotseat::detail {

namespace {

thread_pool_options checked(thread_pool_options wanted) {
  if (wanted.block_size < 1 || wanted.block_size > 32768) {
    throw std::invalid_argument{"thread_pool: block_size must be 1 to 32768"};
  }
  if (wanted.block_count < 2 || wanted.block_count > 65536 ||
      !std::has_single_bit(wanted.block_count)) {
    throw std::invalid_argument{
        "thread_pool: block_count must be a power of two from 2 to 65536"};
  }
  if (wanted.chain_limit == 0) {
    throw std::invalid_argument{"thread_pool: chain_limit must be at least 1"};
  }
  if (wanted.threads > thread_pool_options::most_threads) {
    throw std::invalid_argument{"thread_pool: threads must be at most 4096"};
  }
  return wanted;
}

}  // namespace

pool_core::pool_core(executor& face, const thread_pool_options& wanted)
    : face_{face},
      options_{checked(wanted)},
      machine_{wanted.machine ? *wanted.machine : topology::detect()},
      size_{wanted.threads != 0 ? wanted.threads : machine_.default_worker_count()},
      assigned_{assign_workers(machine_, size_)},
      sleepers_{std::make_unique<sleepers>(size_, machine_.default_worker_count(),
                                           sleepers::largest_group, wanted.events)},
      events_{wanted.events == nullptr
                  ? nullptr
                  : std::make_unique<pool_events>(*wanted.events, *sleepers_, face)},
      gates_{std::make_unique<padded<platform::parker>[]>(size_)},
      injectors_{std::make_unique<injector[]>(machine_.node_count())},
      workers_(size_, nullptr) {
  try {
    start_threads();
  } catch (...) {
    finish_threads();
    throw;
  }
}

pool_core::~pool_core() {
  timers_.close();
  if (events_ != nullptr) {
    events_->stop();
    events_->close();
  }
  phase_.store(phase::draining, std::memory_order_release);  // X
  while (!is_idle()) owner_.park();
  await_callers();
  finish_threads();
}

void pool_core::start_threads() {
  not_ready_.store(size_, std::memory_order_relaxed);
  threads_.reserve(size_);
  for (unsigned i = 0; i < size_; ++i) {
    try {
      threads_.emplace_back([this, i] { thread_body(i); });
    } catch (const std::system_error& refused) {
      throw std::system_error{refused.code(), "thread_pool: the system gave " +
                                                  std::to_string(i) + " of " +
                                                  std::to_string(size_) + " threads"};
    }
  }
  if (events_ != nullptr) events_->start_watch();
  while (not_ready_.load(std::memory_order_acquire) != 0) owner_.park();  // N
  if (failure_) std::rethrow_exception(failure_);
  phase_.store(phase::running, std::memory_order_release);  // X
  open_gates();
}

void pool_core::open_gates() noexcept {
  for (std::size_t i = 0; i < threads_.size(); ++i) gates_[i].value.unpark();
}

void pool_core::thread_body(unsigned index) noexcept {
  platform::name_this_thread(("hotseat-" + std::to_string(index)).c_str());
  pin_this_thread(machine_, assigned_[index], options_.pin);
  platform::settle_on(machine_.cpus()[assigned_[index]].os_index);
  // Everything a worker owns is made and first touched here, on its own node.
  platform::pages memory;
  std::unique_ptr<worker> self;
  try {
    memory = platform::allocate_pages(worker::queue_bytes(options_));
    self = std::make_unique<worker>(*this, index, memory.get());
    workers_[index] = self.get();
  } catch (...) {
    const std::lock_guard guard{failure_lock_};
    if (!failure_) failure_ = std::current_exception();
  }
  if (not_ready_.fetch_sub(1, std::memory_order_release) == 1) owner_.unpark();  // N
  while (phase_.load(std::memory_order_relaxed) == phase::starting) {
    gates_[index].value.park();
  }
  if (!is_over()) self->run();  // Y
  // No worker may look at one that is gone, so all of them go together.
  if (still_here_.fetch_sub(1, std::memory_order_release) == 1) open_gates();  // H
  while (still_here_.load(std::memory_order_acquire) != 0) {                   // H
    gates_[index].value.park();
  }
}

void pool_core::finish_threads() noexcept {
  still_here_.store(static_cast<unsigned>(threads_.size()), std::memory_order_relaxed);
  phase_.store(phase::over, std::memory_order_release);  // X
  open_gates();
  sleepers_->wake_all();  // A sleeper either sees the phase, or is seen here.
  for (platform::thread& thread : threads_) thread.join();
}

platform::clock::duration pool_core::to_duration(std::uint64_t ticks) noexcept {
  using microseconds = std::chrono::duration<double, std::micro>;
  return std::chrono::duration_cast<platform::clock::duration>(
      microseconds{static_cast<double>(ticks) / platform::ticks_per_microsecond()});
}

bool pool_core::is_idle() noexcept {
  return sleepers_->look().asleep == size_ && !shows_work();
}

void pool_core::notice_idle() noexcept {
  if (phase_.load(std::memory_order_relaxed) == phase::draining) owner_.unpark();
}

// What they injected has run, so they are about to leave.
void pool_core::await_callers() noexcept {
  for (spin_wait wait; callers_.load(std::memory_order_acquire) != 0;) wait();  // K
}

void pool_core::inject(waiter& ready) noexcept {
  waiter_queue alone;
  alone.push_back(ready);
  inject_all(alone);
}

void pool_core::inject_all(waiter_queue& ready) noexcept {
  if (ready.empty()) return;
  callers_.fetch_add(1, std::memory_order_relaxed);  // L1
  injectors_[next_node()].push_all(ready);
  sleepers_->wake_if_needed(0);
  callers_.fetch_sub(1, std::memory_order_release);  // K: `this` may be gone.
}

unsigned pool_core::next_node() noexcept {
  const unsigned nodes = machine_.node_count();
  return nodes == 1 ? 0 : next_injector_.fetch_add(1, std::memory_order_relaxed) % nodes;
}

alarm_clock& pool_core::timers() noexcept {
  if (events_ != nullptr) return *events_;
  return timers_;
}

void pool_core::overflow(waiter& ready, unsigned worker) noexcept {
  injectors_[machine_.cpus()[assigned_[worker]].node].push(ready);
}

waiter* pool_core::pop_injected(unsigned index, std::size_t most) noexcept {
  const unsigned nodes = machine_.node_count();
  const unsigned own = machine_.cpus()[assigned_[index]].node;
  for (unsigned step = 0; step < nodes; ++step) {
    injector& from = injectors_[(own + step) % nodes];
    if (waiter* const list = from.pop(most)) return list;
  }
  return nullptr;
}

bool pool_core::has_injected() const noexcept {
  for (unsigned node = 0; node < machine_.node_count(); ++node) {
    if (injectors_[node].length() != 0) return true;
  }
  return false;
}

bool pool_core::shows_work() const noexcept {
  if (has_injected() || !urgent_.empty()) return true;
  for (const worker* each : workers_) {
    if (each->shows_work()) return true;
  }
  return false;
}

}  // namespace hotseat::detail
