// hotseat/trace/log.cpp — where the events of a thread are kept.
#include "trace/log.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <string>

namespace hotseat::trace::detail {

void event_budget::reset(std::size_t events) noexcept {
  left_.store(static_cast<std::int64_t>(events), std::memory_order_relaxed);
  const std::size_t wanted = std::min(events / event_block::size, most_ready);
  const std::lock_guard guard{guard_};
  while (ready_count_ < wanted) {
    auto* const fresh = new (std::nothrow) event_block{};  // Touches all of it.
    if (fresh == nullptr) return;
    fresh->next.store(ready_, std::memory_order_relaxed);
    ready_ = fresh;
    ++ready_count_;
  }
}

event_block* event_budget::take_block() noexcept {
  {
    const std::lock_guard guard{guard_};
    if (event_block* const taken = ready_) {
      ready_ = taken->next.load(std::memory_order_relaxed);
      --ready_count_;
      taken->next.store(nullptr, std::memory_order_relaxed);
      return taken;
    }
  }
  return new (std::nothrow) event_block;
}

std::size_t event_budget::take(std::size_t wanted) noexcept {
  const auto asked = static_cast<std::int64_t>(wanted);
  const std::int64_t left = left_.fetch_sub(asked, std::memory_order_relaxed);
  if (left >= asked) return wanted;
  // Until this, other threads may see less than is left, but never more.
  left_.fetch_add(asked - std::max<std::int64_t>(left, 0), std::memory_order_relaxed);
  return static_cast<std::size_t>(std::max<std::int64_t>(left, 0));
}

bool thread_log::grow(event_budget& budget) noexcept {
  const std::size_t room = budget.take(event_block::size);
  if (room == 0) return false;
  event_block* const fresh = budget.take_block();
  if (fresh == nullptr) return false;
  auto& place = last_ == nullptr ? first_ : last_->next;
  place.store(fresh, std::memory_order_release);  // N
  last_ = fresh;
  used_ = 0;
  room_ = room;
  return true;
}

void thread_log::append_to(std::vector<event>& all) const {
  const event_block* each = first_.load(std::memory_order_acquire);             // N
  for (; each != nullptr; each = each->next.load(std::memory_order_acquire)) {  // N
    const std::size_t count = each->count.load(std::memory_order_acquire);      // C
    all.insert(all.end(), each->events.begin(),
               each->events.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

std::string thread_log::name() const {
  return worker_ != 0 ? "worker " + std::to_string(worker_ - 1)
                      : "thread " + std::to_string(number_);
}

}  // namespace hotseat::trace::detail
