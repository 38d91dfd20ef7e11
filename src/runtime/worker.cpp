// hotseat/runtime/worker.cpp — the worker's loop while it has work.
#include <hotseat/platform/seam.hpp>
#include <hotseat/runtime/detail/pool_core.hpp>
#include <hotseat/runtime/detail/worker.hpp>
#include <hotseat/sched/current.hpp>
#include <hotseat/trace/trace.hpp>

#include <algorithm>

namespace hotseat::detail {

worker::worker(pool_core& pool, unsigned index, std::byte* queue_storage)
    : worker_scope{pool.face(), pool.options().chain_limit},
      pool_{pool},
      index_{index},
      is_alone_{pool.size() == 1},
      has_events_{pool.options().events != nullptr},
      victims_{pool.machine(), pool.assigned(), index},
      ready_{queue_storage, pool.options().block_size, pool.options().block_count,
             pool.options().order},
      forks_{queue_storage + queue_bytes(pool.options()) / 2, pool.options().block_size,
             pool.options().block_count, queue_order::lifo},
      is_quiet_{is_alone_},
      random_{index + 1},
      thefts_{pool.cost()} {}

std::size_t worker::queue_bytes(const thread_pool_options& options) noexcept {
  return 2 * bwos_queue::storage_bytes(options.block_size, options.block_count);
}

void worker::run() noexcept {
  thread_state& here = detail::current();
  trace::detail::this_thread_is_worker(index_);
  while (const item task = next_task()) {
    here.locks_held = 0;
    here.is_traced = trace::is_on();
    run_task(task, here);
    if (here.chain != 0) count_chain(here);
  }
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
  return ready_.has_items() || forks_.has_items() || pool_.has_injected() ||
         !pool_.urgent().empty();
}

// Not if workers are idle: they take this one's tasks.
bool worker::send_elsewhere(waiter& heir) noexcept {
  if (!is_alone_ && pool_.sleep().glance().some_are_idle()) return false;
  chains_cut_.add();
  count_chain(detail::current());
  leaves_urgent_ = true;
  until_fair_ = quota::fairness_interval;
  pool_.urgent().push(heir);
  wake_if_needed();
  return true;
}

worker::item worker::next_task() noexcept {
  item task = take_task();
  while (task == nullptr) [[unlikely]] {
    task = search();
    if (task != nullptr || pool_.is_over()) break;
    task = take_task();
  }
  // A task may run for long, or even wait for tasks queued behind it, so these must be
  // within reach of workers that become idle meanwhile.
  publish();
  return task;
}

worker::item worker::take_task() noexcept {
  if (until_fair_ <= 0) [[unlikely]] {
    until_fair_ = quota::fairness_interval;
    leaves_urgent_ = false;
    if (const item task = take_fairly()) return task;
  }
  if (!pool_.urgent().empty() && !leaves_urgent_) [[unlikely]] {
    if (const item task = take_urgent()) return task;
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
  return take_injected(quota::batch);
}

// Tasks from outside run even while the worker's own tasks make more, and ready tasks run
// even while a tree of forks grows.
worker::item worker::take_fairly() noexcept {
  if (has_events_ && platform::ticks() - polled_at_ >= pool_.cost().polling) {
    if (const item task = take_events()) return task;
  }
  if (const item task = take_injected(1)) return task;
  if (const item task = take_urgent()) return task;
  const item task = ready_.pop();
  if (task != nullptr) local_pops_.add();
  return task;
}

worker::item worker::take_urgent() noexcept { return keep_rest(pool_.urgent().take_all()); }

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
    waiter* const next = list->next;  // The waiter may be gone once its task is queued.
    injected_.add();
    push_ready(*list);
    list = next;
  }
  publish();
}

void worker::push_ready(waiter& ready) noexcept {
  if (!ready_.push(ready.task.address())) [[unlikely]]
    pool_.overflow(ready, index_);
}

// The running task may go on for long, so what it makes ready is published at once.
void worker::schedule(waiter& ready) noexcept {
  push_ready(ready);
  ++pushes_;
  publish();
}

void worker::schedule_all(waiter_queue& ready) noexcept {
  while (!ready.empty()) {
    push_ready(ready.pop_front());
    ++pushes_;
  }
  publish();
}

// If more tasks wait behind the heir in the slot, this will soon be called again.  If not,
// the heir may go on for long after its section, so `self` is published at once.
void worker::schedule_left(waiter& self, bool is_followed) noexcept {
  push_ready(self);
  ++pushes_;
  if (is_followed) {
    publish_if_due();
  } else {
    publish();
  }
}

// Tasks from outside are ready, too, so the worker looks for them before `ready` runs.  A
// LIFO queue has no back; the injector's line has.
void worker::schedule_last(waiter& ready) noexcept {
  if (pool_.options().order == queue_order::lifo) return pool_.inject(ready);
  if (pool_.has_injected()) until_fair_ = 0;
  schedule(ready);
}

void worker::fork_all(std::span<waiter> children) noexcept {
  const std::uint64_t granted = forks_.blocks_granted();
  for (std::size_t i = children.size(); i-- > 0;) {
    waiter& child = children[i];
    if (!forks_.push(child.task.address())) [[unlikely]]
      pool_.overflow(child, index_);
  }
  pushes_ += static_cast<std::uint32_t>(children.size());
  publish_forks(forks_.blocks_granted() != granted);
}

// Lets thieves see everything in the queues.  S1: what becomes visible is followed by a
// look at the sleepers.
void worker::publish() noexcept {
  if (!is_quiet_ && show_all()) wake_if_needed();
}

// A tree is walked in depth, so it forks again and again before the forks are popped, and
// popping what others can see costs more.  While no worker is idle, one visible part is
// enough: the oldest, and so the largest, part of the tree.  But a full block that the
// queue has granted does not count as that part: then all of these children are exposed.
void worker::publish_forks(bool has_filled_block) noexcept {
  if (is_quiet_) return;
  if (has_filled_block ? forks_.expose_all() : forks_.expose()) blocks_granted_.add();
  if (!pool_.sleep().look().some_are_idle()) [[likely]]
    return;
  if (pushes_ > 1) show_all();
  wake_if_needed();  // Even if nothing was left to show: something was shown above.
}

// Beside a contended lock, a worker schedules a task in each section.  If it published them
// one by one it would wait, in each section, for cache lines that all thieves want.  So it
// publishes less often when publishing is expensive: it waits `publishing_share` times as
// long as the last time took.  Publishing then takes at most a ninth of its time, unless it
// takes more than an eighth of the upper bound, which limits how long a task is kept back.
void worker::publish_if_due() noexcept {
  if (is_quiet_) return;
  const std::uint64_t start = platform::ticks();
  if (start - published_at_ < gather_for_) return;
  publish();
  const costs& cost = pool_.cost();
  published_at_ = platform::ticks();
  gather_for_ = std::clamp(costs::publishing_share * (published_at_ - start),
                           cost.shortest_gathering, cost.longest_gathering);
}

// Returns whether thieves can see more than before.
bool worker::show_all() noexcept {
  const bool from_ready = ready_.expose_all();
  const bool from_forks = forks_.expose_all();
  if (!from_ready && !from_forks) return false;
  blocks_granted_.add();
  return true;
}

void worker::wake_if_needed() noexcept {
  if (pool_.sleep().wake_if_needed(index_)) wake_ups_.add();
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
