// hotseat/platform/explored/location.hpp — one atomic word, and the stores a load may see.
// Layer: platform.  Read next: vector_clock.hpp.
#pragma once

#include <hotseat/platform/explored/machine.hpp>

#include <atomic>
#include <cstdint>
#include <type_traits>

namespace hotseat::platform::explored {

/// The memory model.  A load sees the newest store, or an older one unless forbidden:
///
///     it must not be older than               because
///     ──────────────────────────────────────  ─────────────────────────────────────────
///     a store that happened before            coherence
///     what a load that happened before saw    coherence, also across threads
///     what a seq_cst operation saw or stored  if the load is seq_cst: their one order
///     a store that a fence shows              heavy_fence and load_after_stores
///     a store before it waited in a loop      every store becomes visible at some time
///
/// A store comes after all others to the word, or before some, under the same conditions.
/// (Without this, no run would show that two stores to one word need an order.)
///
/// A read-modify-write sees the newest value; one that fails is a load, which may see an
/// older value that differs from the expected one.  An acquire load of a release store, or
/// of a read-modify-write in its release sequence, makes what came before the store happen
/// before the load.
///
/// The construction of an atomic must happen before every use, and every use before its
/// destruction.
///
/// What C++ allows and the model does not show: loads that see stores of the future (load
/// buffering); read-modify-writes of one word, or seq_cst operations, in an order other
/// than that of the execution; more than `most_values` values to choose from.  Stand-alone
/// fences are not modelled: the library has none.
class location {
 public:
  constexpr explicit location(std::uint64_t value) noexcept : value_{value} {
    if (!std::is_constant_evaluated() && running != nullptr) on_birth();
  }
  location(const location&) = delete;
  location& operator=(const location&) = delete;
  constexpr ~location() {
    if (std::is_constant_evaluated()) return;
    if (running != nullptr && execution_ == execution_number) on_death();
    // Volatile: else the compiler drops a store to an object that has ended.
    *const_cast<volatile std::uint32_t*>(&life_) = dead;
  }

  std::uint64_t load(std::memory_order order, const place& where) const noexcept;
  void store(std::uint64_t value, std::memory_order order, const place& where) noexcept;

  /// Replaces the value by `change(value)`.  Returns the former one.
  template <class Change>
  std::uint64_t update(Change change, std::memory_order order,
                       const place& where) noexcept {
    if (running == nullptr) {
      const std::uint64_t former = value_;
      value_ = change(former);
      return former;
    }
    begin(where);
    const std::uint64_t former = value_;
    write(change(former), order, where, verb::update);
    return former;
  }

  bool compare_exchange(std::uint64_t& expected, std::uint64_t wanted, bool may_fail,
                        std::memory_order success, std::memory_order failure,
                        const place& where) noexcept;

  /// The newest value, for observers not bound by the model, such as the kernel.
  [[nodiscard]] std::uint64_t newest_value() const noexcept { return value_; }

 private:
  struct store_record;

  static constexpr std::uint32_t alive = 0x48'6f'74'53;
  static constexpr std::uint32_t dead = 0;

  void on_birth() noexcept;
  void on_death() const noexcept;
  void begin(const place& where) const noexcept;
  void write(std::uint64_t value, std::memory_order order, const place& where,
             verb what) noexcept;
  store_record* choose_place(std::memory_order order) const noexcept;
  void put_after(store_record* older, store_record* fresh) noexcept;
  [[nodiscard]] bool is_forced(const store_record& each, bool is_sequential) const noexcept;
  store_record* choose_store(std::memory_order order,
                             const std::uint64_t* other_than) const noexcept;
  void see(store_record* chosen, std::memory_order order) const noexcept;

  std::uint64_t value_;  // The newest.
  std::uint32_t life_ = alive;
  mutable std::uint32_t execution_ = 0;
  std::uint32_t creator_ = 0;
  mutable moment created_ = 0;              // 0: not in this execution
  mutable std::uint64_t first_value_ = 0;   // when the execution began, or it was made
  mutable store_record* newest_ = nullptr;  // Null: no store since the execution began.
  mutable moment sequential_ = 0;           // the newest store that seq_cst operations saw
  mutable vector_clock used_;               // when each thread was here last; 0: never
};

}  // namespace hotseat::platform::explored
