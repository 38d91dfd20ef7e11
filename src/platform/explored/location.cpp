// hotseat/platform/explored/location.cpp — what a load may see.
#include <hotseat/platform/explored/location.hpp>

#include <array>
#include <new>
#include <string>

namespace hotseat::platform::explored {

/// One store, in the order of all stores to its word.
struct location::store_record {
  std::uint64_t value;
  std::uint32_t thread;
  moment when;
  moment number;   // its place in that order, from 1
  bool is_update;  // a read-modify-write, which saw the one before it
  bool is_release;
  store_record* older;
  knowledge released;  // if is_release: what an acquire of it learns
  vector_clock seen;   // when each thread first loaded it; 0: never
};

namespace {

/// How many values a load can choose from: more would only be more of the same.
constexpr unsigned most_values = 4;

bool acquires(std::memory_order order) noexcept {
  return order == std::memory_order_acquire || order == std::memory_order_consume ||
         order == std::memory_order_acq_rel || order == std::memory_order_seq_cst;
}
bool releases(std::memory_order order) noexcept {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

std::string at(const place& where) {
  return std::string{" ("} + where.file_name() + ":" + std::to_string(where.line()) + ", " +
         running->name.data() + ")";
}

}  // namespace

void location::on_birth() noexcept {
  creator_ = running->id;
  created_ = running->tick();
  execution_ = execution_number;
  first_value_ = value_;
}

void location::on_death() const noexcept {
  if (running->happened.covers(used_)) return;
  fail(failure_kind::race, std::string{"an atomic ends that another thread has used, and "
                                       "nothing orders them ("} +
                               running->name.data() + ")");
}

void location::begin(const place& where) const noexcept {
  step();
  if (life_ != alive) {
    fail(failure_kind::use_after_free,
         "an atomic was used that does not exist any more" + at(where));
  }
  if (execution_ != execution_number) {
    execution_ = execution_number;
    first_value_ = value_;
    newest_ = nullptr;
    sequential_ = 0;
    created_ = 0;
    used_ = {};
  } else if (created_ != 0 && !running->happened.covers(creator_, created_)) {
    fail(failure_kind::race,
         "an atomic was used by a thread that does not know it was made" + at(where));
  }
  used_[running->id] = running->happened[running->id];
}

bool location::is_forced(const store_record& each, bool is_sequential) const noexcept {
  const thread_record& self = *running;
  return self.visible.covers(each.thread, each.when) ||
         (is_sequential && each.number <= sequential_) ||
         self.happened.covers_any(each.seen);
}

location::store_record* location::choose_store(
    std::memory_order order, const std::uint64_t* other_than) const noexcept {
  if (newest_ == nullptr || !shows_stale_values()) return newest_;
  const bool is_sequential = order == std::memory_order_seq_cst;
  std::array<store_record*, most_values> options{newest_};
  unsigned count = 1;
  for (const store_record* each = newest_; each != nullptr && count < most_values;
       each = each->older) {
    if (is_forced(*each, is_sequential)) break;
    store_record* const older = each->older;
    const std::uint64_t value = older != nullptr ? older->value : first_value_;
    if (other_than == nullptr || value != *other_than) options[count++] = older;
  }
  return count > 1 ? options[choose(choice::value, count)] : newest_;
}

/// The store that a new one comes right after; null if it comes before all.
location::store_record* location::choose_place(std::memory_order order) const noexcept {
  if (!shows_stale_values() || order == std::memory_order_seq_cst) return newest_;
  std::array<store_record*, most_values> options{newest_};
  unsigned count = 1;
  for (const store_record* each = newest_; each != nullptr && count < most_values;
       each = each->older) {
    if (is_forced(*each, false)) break;
    // Nothing comes between a read-modify-write and what it saw.
    if (!each->is_update) options[count++] = each->older;
  }
  return count > 1 ? options[choose(choice::position, count)] : newest_;
}

void location::put_after(store_record* older, store_record* fresh) noexcept {
  store_record** younger = &newest_;
  for (; *younger != older; younger = &(*younger)->older) ++(*younger)->number;
  fresh->number = older != nullptr ? older->number + 1 : 1;
  if (sequential_ >= fresh->number) ++sequential_;
  fresh->older = older;
  *younger = fresh;
  value_ = newest_->value;
}

void location::see(store_record* chosen, std::memory_order order) const noexcept {
  if (chosen == nullptr) return;
  thread_record& self = *running;
  // Loads that this one happens before cannot look beyond the store it saw.
  moment& seen = chosen->seen[self.id];
  if (seen == 0) seen = self.happened[self.id];
  if (order == std::memory_order_seq_cst && chosen->number > sequential_) {
    sequential_ = chosen->number;
  }
  if (acquires(order) && chosen->is_release) self.learn(chosen->released);
}

std::uint64_t location::load(std::memory_order order, const place& where) const noexcept {
  if (running == nullptr) return value_;
  begin(where);
  order = weakened(order, where);
  store_record* const chosen = choose_store(order, nullptr);
  const std::uint64_t value = chosen != nullptr ? chosen->value : first_value_;
  see(chosen, order);
  note(verb::load, this, value, order, where, chosen != newest_);
  return value;
}

void location::store(std::uint64_t value, std::memory_order order,
                     const place& where) noexcept {
  if (running == nullptr) {
    value_ = value;
    return;
  }
  begin(where);
  write(value, order, where, verb::store);
}

void location::write(std::uint64_t value, std::memory_order order, const place& where,
                     verb what) noexcept {
  order = weakened(order, where);
  thread_record& self = *running;
  // Only a read-modify-write continues the release sequence of the store before it.
  const bool is_update = what != verb::store;
  store_record* const before = is_update ? newest_ : nullptr;
  see(before, order);
  store_record* const older = is_update ? newest_ : choose_place(order);
  const bool continues = before != nullptr && before->is_release;
  // Clocks are large, so each is written only once.
  auto* const fresh = ::new (allocate_in_execution(sizeof(store_record)))
      store_record{.value = value,
                   .thread = self.id,
                   .when = self.tick(),
                   .number = 0,
                   .is_update = is_update,
                   .is_release = releases(order) || continues,
                   .older = nullptr,
                   .released = releases(order) ? self.publish()
                               : continues     ? before->released
                                               : knowledge{},
                   .seen = {}};
  if (releases(order) && continues) {
    fresh->released.happened.join(before->released.happened);
    fresh->released.fenced.join(before->released.fenced);
  }
  put_after(older, fresh);
  if (order == std::memory_order_seq_cst) sequential_ = fresh->number;
  notice_change();
  note(what, this, value, order, where, fresh != newest_);
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
  begin(where);
  const std::memory_order order = weakened(failure, where, true);
  store_record* const chosen = choose_store(order, &expected);
  const bool can_succeed = chosen == newest_ && value_ == expected;
  if (can_succeed && (!may_fail || choose(choice::weak_failure, 2) == 0)) {
    write(wanted, success, where, verb::compare_exchange);
    return true;
  }
  expected = chosen != nullptr ? chosen->value : first_value_;
  see(chosen, order);
  note(verb::compare_failed, this, expected, order, where, chosen != newest_);
  return false;
}

}  // namespace hotseat::platform::explored
