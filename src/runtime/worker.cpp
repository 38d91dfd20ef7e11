// hotseat/runtime/worker.cpp — the worker's loop, as long as there is work at hand.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/detail/worker.hpp>
#include <hotseat/sched/this_thread.hpp>
#include <hotseat/trace/trace.hpp>

#include <algorithm>
#include <utility>

namespace hotseat::detail {

worker::worker(pool_core& pool, unsigned index, std::byte* queue_storage)
    : pool_{pool},
      index_{index},
      is_alone_{pool.size() == 1},
      victims_{pool.machine(), pool.assigned(), index},
      ready_{queue_storage, pool.options().block_size, pool.options().block_count,
             pool.options().order},
      forks_{queue_storage + queue_bytes(pool.options()) / 2, pool.options().block_size,
             pool.options().block_count, queue_order::lifo},
      random_{index + 1} {}

std::size_t worker::queue_bytes(const thread_pool_options& options) noexcept {
  return 2 * bwos_queue::storage_bytes(options.block_size, options.block_count);
}

void worker::run() noexcept {
  platform::per_thread<of_thread>().self = this;
  thread_state& here = this_thread();
  here.here = &pool_.face();
  here.chain_limit = here.chain_end = pool_.options().chain_limit;
  here.stack_floor = platform::stack_floor();
  trace::detail::this_thread_is_worker(index_);
  while (const item task = next_task()) {
    here.locks_held = 0;
    here.is_traced = trace::is_on();
    run_task(task, here);
    if (here.chain != 0) count_chain(here);
  }
  here = thread_state{};
  platform::per_thread<of_thread>().self = nullptr;
}

// Tasks migrate; this function does not, so its thread state stays the same.
void worker::run_task(item task, thread_state& here) noexcept {
  tasks_run_.add();
  here.run_next = std::coroutine_handle<>::from_address(task);
  do {
    const std::coroutine_handle<> next = here.run_next;
    here.run_next = nullptr;
    pushes_ = 0;
    platform::on_resume(next.address());
    trace::note(trace::kind::task_follows, next.address());
    next.resume();
    --until_fair_;
  } while (here.run_next);
  trace::note(trace::kind::task_ends);
}

void worker::count_chain(thread_state& here) noexcept {
  exchanges_.add(here.chain);
  tasks_run_.add(here.chain);
  longest_chain_.raise_to(here.chain);
  here.chain = 0;
  here.chain_end = here.chain_limit;
}

bool worker::has_ready() const noexcept {
  return ready_.has_items() || forks_.has_items() || !inbox_.empty() ||
         pool_.has_injected();
}

bool worker::cut_chain(waiter& heir) noexcept {
  if (!is_alone_ && pool_.sleep().glance().is_hungry()) return false;
  chains_cut_.add();
  count_chain(this_thread());
  pool_.send_elsewhere(heir, *this);
  return true;
}

worker::item worker::next_task() noexcept {
  item task = take_task();
  while (task == nullptr) [[unlikely]] {
    task = search();
    if (task != nullptr || pool_.is_over()) break;
    task = take_task();
  }
  if (!is_alone_) expose();
  return task;
}

worker::item worker::take_task() noexcept {
  if (until_fair_ <= 0) [[unlikely]] {
    until_fair_ = fairness_interval;
    if (const item task = take_fairly()) return task;
  }
  if (!inbox_.empty()) [[unlikely]] {
    if (const item task = keep_rest(inbox_.take_all())) return task;
  }
  item task = forks_.pop_newest();
  if (task == nullptr) {
    task = ready_.pop();
    if (const item soon = ready_.peek()) platform::prefetch(soon);
  }
  if (task != nullptr) [[likely]] {
    local_pops_.add();
    return task;
  }
  return take_injected(batch);
}

// What came from outside is looked at even while the worker feeds itself, and a tree of
// forks does not keep the ready tasks waiting for ever.
worker::item worker::take_fairly() noexcept {
  if (const item task = take_injected(1)) return task;
  for (unsigned other = 0; other < pool_.size(); ++other) {
    if (waiter* const list = pool_.at(other).raid()) return keep_rest(list);
  }
  const item task = ready_.pop();
  if (task != nullptr) local_pops_.add();
  return task;
}

worker::item worker::take_injected(std::size_t most) noexcept {
  return keep_rest(pool_.pop_injected(index_, most));
}

// Returns the first task of the list and queues the others.
worker::item worker::keep_rest(waiter* list) noexcept {
  if (list == nullptr) return nullptr;
  const item first = list->task.address();
  injected_.add();
  if (list->next != nullptr) keep_all(list->next);
  return first;
}

void worker::keep_all(waiter* list) noexcept {
  while (list != nullptr) {
    waiter* const next = list->next;  // A place in line dies when its task is queued.
    injected_.add();
    push_ready(*list);
    list = next;
  }
  announce();
}

void worker::push_ready(waiter& ready) noexcept {
  if (!ready_.push(ready.task.address())) [[unlikely]]
    pool_.overflow(ready);
}

void worker::schedule(waiter& ready) noexcept {
  push_ready(ready);
  ++pushes_;
  if (is_alone_) return;
  // If somebody waits behind the heir in the slot, more will follow soon.  Otherwise the
  // heir goes on behind its section, perhaps for long: it starts like any other task.
  if (std::exchange(this_thread().is_exchange_near, false)) {
    offer_gathered();
  } else {
    expose();
  }
}

// What came from outside is ready, too, and must not wait until it is looked for.
void worker::schedule_last(waiter& ready) noexcept {
  if (pool_.has_injected()) until_fair_ = 0;
  schedule(ready);
}

// Beside a lock that many wait for, a worker schedules a task in each section.  If it
// offered them one by one it would wait, in each section, for lines that all thieves want.
// So it publishes less often when publishing is expensive: it waits eight times as long as
// the last offer took.  Offering then takes at most a ninth of its time, unless an offer
// takes more than an eighth of the upper bound, which limits how long a task is kept back.
void worker::offer_gathered() noexcept {
  const std::uint64_t start = platform::ticks();
  if (start - offered_at_ < gather_for_) return;
  expose();
  offered_at_ = platform::ticks();
  gather_for_ =
      std::clamp(8 * (offered_at_ - start), pool_.gather_time(), 10 * pool_.gather_time());
}

void worker::schedule_all(waiter_queue& ready) noexcept {
  while (!ready.empty()) {
    push_ready(ready.pop_front());
    ++pushes_;
  }
  announce();
}

void worker::fork(std::span<waiter> children) noexcept {
  const std::uint64_t granted = forks_.blocks_granted();
  for (std::size_t i = children.size(); i-- > 0;) {
    waiter& child = children[i];
    if (!forks_.push(child.task.address())) [[unlikely]]
      pool_.overflow(child);
  }
  pushes_ += static_cast<std::uint32_t>(children.size());
  announce_forks(forks_.blocks_granted() != granted);
}

// The task that runs may do so for long, so what it makes ready is within reach at once.
// S1: everything that becomes visible to thieves is followed by a look at the sleepers.
void worker::announce() noexcept {
  if (!is_alone_) expose();
}

// A tree is walked in depth, so it forks again and again before the forks are popped, and
// popping what is within reach of others costs more.  As long as nobody is hungry one offer
// is enough; it is the oldest, and so the largest, part of the tree.  But a full block that
// the queue has granted is not meant as one: the rest of these children goes with it.
void worker::announce_forks(bool has_filled_block) noexcept {
  if (is_alone_) return;
  if (has_filled_block ? forks_.expose_all() : forks_.expose()) blocks_granted_.add();
  if (!pool_.sleep().look().is_hungry()) [[likely]]
    return;
  if (pushes_ > 1) static_cast<void>(offer_all());
  wake_if_needed();  // Also if there is nothing more to offer: something was, above.
}

void worker::wake_if_needed() noexcept {
  if (pool_.sleep().wake_if_needed(index_)) wake_ups_.add();
}

// When a task starts, everything that waits behind it must be within reach of the others:
// it may run for long, even wait for what is behind it, and they may become idle meanwhile.
void worker::expose() noexcept {
  if (offer_all()) wake_if_needed();
}

// Returns whether thieves can see more than before.
bool worker::offer_all() noexcept {
  const bool from_ready = ready_.expose_all();
  const bool from_forks = forks_.expose_all();
  if (!from_ready && !from_forks) return false;
  blocks_granted_.add();
  return true;
}

worker_stats worker::stats() const noexcept {
  worker_stats result;
  result.tasks_run = tasks_run_.get();
  result.local_pops = local_pops_.get();
  result.injected = injected_.get();
  for (std::size_t i = 0; i < steals_.size(); ++i) {
    result.steals[i] = steals_[i].get();
    result.tasks_stolen[i] = tasks_stolen_[i].get();
  }
  result.blocks_granted = blocks_granted_.get();
  result.parks = parks_.get();
  result.wake_ups = wake_ups_.get();
  result.exchanges = exchanges_.get();
  result.longest_chain = longest_chain_.get();
  result.chains_cut = chains_cut_.get();
  result.back_offs = back_offs_.get();
  return result;
}

}  // namespace hotseat::detail
