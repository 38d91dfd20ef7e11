// hotseat/core/trace_log.cpp — where the events of a thread are kept.
#include "core/trace_log.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace hotseat::trace::detail {

std::size_t event_budget::take(std::size_t wanted) noexcept {
  const auto asked = static_cast<std::int64_t>(wanted);
  const std::int64_t left = left_.fetch_sub(asked, std::memory_order_relaxed);
  if (left >= asked) return wanted;
  // Nobody takes what we gave back unless it is there.
  left_.fetch_add(asked - std::max<std::int64_t>(left, 0), std::memory_order_relaxed);
  return static_cast<std::size_t>(std::max<std::int64_t>(left, 0));
}

bool thread_log::grow(event_budget& budget) noexcept {
  const std::size_t room = budget.take(block_size);
  if (room == 0) return false;
  auto* const fresh = new (std::nothrow) block;
  if (fresh == nullptr) return false;
  auto& place = last_ == nullptr ? first_ : last_->next;
  place.store(fresh, std::memory_order_release);  // N
  last_ = fresh;
  used_ = 0;
  room_ = room;
  return true;
}

void thread_log::append_to(std::vector<event>& all) const {
  for (const block* each = first_.load(std::memory_order_acquire); each != nullptr;  // N
       each = each->next.load(std::memory_order_acquire)) {                          // N
    const std::size_t count = each->count.load(std::memory_order_acquire);           // C
    all.insert(all.end(), each->events.begin(),
               each->events.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

std::string thread_log::name() const {
  return worker_ != 0 ? "worker " + std::to_string(worker_ - 1)
                      : "thread " + std::to_string(number_);
}

}  // namespace hotseat::trace::detail
