// hotseat/platform/explored/location.cpp — what a load may see.
#include <hotseat/platform/explored/location.hpp>

#include <new>
#include <string>

namespace hotseat::platform::explored {

/// One store, in the order of all stores to its word.
struct location::store_record {
  std::uint64_t value;
  std::uint32_t thread;
  moment when;
  moment number;  // in that order; from 1
  bool is_release;
  store_record* older;
  vector_clock released;  // if is_release: what happened before whoever acquires it
};

namespace {

/// A load looks back at most that far: more would only be more of the same.
constexpr unsigned most_values = 4;

vector_clock all_sequential;  // what came before the last seq_cst store
std::uint32_t sequential_in = 0;

vector_clock& sequential() noexcept {
  if (sequential_in != execution_number) {
    sequential_in = execution_number;
    all_sequential = vector_clock{};
  }
  return all_sequential;
}

bool acquires(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_consume ||
         order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

}  // namespace

void location::on_birth() noexcept {
  creator_ = running->id;
  created_ = running->tick();
  execution_ = execution_number;
  first_value_ = value_;
}

void location::begin() const noexcept {
  step();
  if (life_ != alive) {
    fail(failure_kind::use_after_free, "an atomic was used that does not exist any more");
  }
  if (execution_ != execution_number) {
    execution_ = execution_number;
    first_value_ = value_;
    newest_ = nullptr;
    seen_ = {};
    return;
  }
  if (created_ != 0 && !running->happened.covers(creator_, created_)) {
    fail(failure_kind::race,
         "an atomic was used by a thread that does not know it was made");
  }
}

void location::acquire(const store_record& from) noexcept {
  if (from.is_release) running->learn(from.released);
}

std::uint64_t location::load(std::memory_order order, const place& where) const noexcept {
  if (running == nullptr) return value_;
  begin();
  order = weakened(order, where);
  thread_record& self = *running;
  if (order == std::memory_order_seq_cst) self.visible.join(sequential());
  const store_record* chosen = newest_;
  unsigned age = 0;
  if (chosen != nullptr && shows_stale_values()) {
    unsigned options = 1;
    for (const store_record* each = newest_; each != nullptr && options < most_values;
         each = each->older) {
      if (self.visible.covers(each->thread, each->when) || each->number <= seen_[self.id]) {
        break;
      }
      ++options;
    }
    if (options > 1) age = choose(choice::value, options);
    for (unsigned i = 0; i < age; ++i) chosen = chosen->older;
  }
  const std::uint64_t value = chosen != nullptr ? chosen->value : first_value_;
  if (chosen != nullptr) {
    seen_[self.id] = chosen->number;
    if (acquires(order)) acquire(*chosen);
  }
  note(verb::load, this, value, order, where, age != 0);
  return value;
}

void location::store(std::uint64_t value, std::memory_order order,
                     const place& where) noexcept {
  if (running == nullptr) {
    value_ = value;
    return;
  }
  begin();
  write(value, order, where, verb::store);
}

void location::write(std::uint64_t value, std::memory_order order, const place& where,
                     verb what) noexcept {
  order = weakened(order, where);
  thread_record& self = *running;
  // Only a read-modify-write continues the release sequence of the store before it.
  const store_record* const before = what == verb::store ? nullptr : newest_;
  if (order == std::memory_order_seq_cst) self.visible.join(sequential());
  if (before != nullptr && acquires(order)) acquire(*before);
  auto* const fresh = ::new (allocate_in_execution(sizeof(store_record))) store_record;
  fresh->value = value;
  fresh->thread = self.id;
  fresh->when = self.tick();
  fresh->number = newest_ != nullptr ? newest_->number + 1 : 1;
  fresh->older = newest_;
  fresh->is_release = releases(order) || (before != nullptr && before->is_release);
  if (releases(order)) {
    fresh->released = self.publish();
    if (before != nullptr && before->is_release) fresh->released.join(before->released);
  } else if (fresh->is_release) {
    fresh->released = before->released;
  }
  if (order == std::memory_order_seq_cst) sequential().join(self.happened);
  newest_ = fresh;
  value_ = value;
  seen_[self.id] = fresh->number;
  notice_change();
  note(what, this, value, order, where);
}

bool location::compare_exchange(std::uint64_t& expected, std::uint64_t wanted,
                                bool may_fail, std::memory_order success,
                                std::memory_order failure, const place& where) noexcept {
  if (running == nullptr) {
    if (value_ != expected) {
      expected = value_;
      return false;
    }
    value_ = wanted;
    return true;
  }
  begin();
  const bool can_succeed = value_ == expected;
  if (can_succeed && !(may_fail && choose(choice::weak_failure, 2) != 0)) {
    write(wanted, success, where, verb::compare_exchange);
    return true;
  }
  failure = weakened(failure, where);
  expected = value_;
  if (newest_ != nullptr) {
    seen_[running->id] = newest_->number;
    if (acquires(failure)) acquire(*newest_);
  }
  note(verb::compare_failed, this, value_, failure, where);
  return false;
}

}  // namespace hotseat::platform::explored
