// hotseat/explore/choosers.cpp — random walks, priorities, and all schedules.
#include "choosers.hpp"

#include <algorithm>
#include <bit>
#include <sstream>
#include <stdexcept>

namespace hotseat::detail {

namespace {

unsigned nth_bit(std::uint32_t set, unsigned n) noexcept {
  for (; n > 0; --n) set &= set - 1;
  return static_cast<unsigned>(std::countr_zero(set));
}

bool has(std::uint32_t set, unsigned thread) noexcept { return (set >> thread & 1U) != 0; }

}  // namespace

unsigned rare_events::pick(random_numbers& random, choice what,
                           unsigned options) const noexcept {
  switch (what) {
    case choice::value:
    case choice::position:
      return random.below(4) != 0 ? 0 : random.below(options);
    case choice::time_out:
      return random.below(32) == 0 ? 1 : 0;
    case choice::weak_failure:
      return random.below(8) == 0 ? 1 : 0;
    case choice::spin_on:
      return is_stubborn_ && random.below(8) != 0 ? 1 : 0;
  }
  return 0;
}

bool random_walk::begin() {
  if (has_begun_) ++seed_;
  has_begun_ = true;
  random_ = random_numbers{seed_ * 0x1000'0000'01B3U + patience_};
  rare_ = rare_events{seed_};
  return true;
}

std::string random_walk::replay() const {
  return "random:" + std::to_string(patience_) + ":" + std::to_string(seed_);
}

unsigned random_walk::pick_thread(std::uint32_t ready, unsigned current) noexcept {
  if (patience_ != 0 && has(ready, current) && random_.below(100) < patience_) {
    return current;
  }
  return nth_bit(ready, random_.below(static_cast<unsigned>(std::popcount(ready))));
}

unsigned random_walk::pick(choice what, unsigned options) noexcept {
  return rare_.pick(random_, what, options);
}

bool priorities::begin() {
  if (has_begun_) ++seed_;
  has_begun_ = true;
  random_ = random_numbers{seed_ * 0x1000'0000'01B3U + depth_};
  rare_ = rare_events{seed_};
  used_length_ = std::max(length_, 1U);
  decisions_ = 0;
  lowest_ = 0;
  changes_.clear();
  for (unsigned i = 1; i < depth_; ++i) changes_.push_back(random_.below(used_length_));
  std::ranges::sort(changes_, std::greater<>{});
  return true;
}

std::string priorities::replay() const {
  return "priorities:" + std::to_string(depth_) + ":" + std::to_string(used_length_) + ":" +
         std::to_string(seed_);
}

void priorities::fall(unsigned thread) noexcept { priority_[thread] = --lowest_; }

unsigned priorities::pick_thread(std::uint32_t ready, unsigned current) noexcept {
  while (!changes_.empty() && changes_.back() <= decisions_) {
    changes_.pop_back();
    fall(current);
  }
  ++decisions_;
  unsigned best = nth_bit(ready, 0);
  for (std::uint32_t left = ready & (ready - 1); left != 0; left &= left - 1) {
    const unsigned each = nth_bit(left, 0);
    if (priority_[each] > priority_[best]) best = each;
  }
  return best;
}

unsigned priorities::pick(choice what, unsigned options) noexcept {
  return rare_.pick(random_, what, options);
}

void priorities::on_start(unsigned thread) noexcept {
  priority_[thread] = static_cast<std::int64_t>(random_.next() >> 2U) + 1;
}

// It waits for others, so they must go first, or it would wait for ever.
void priorities::on_yield(unsigned thread) noexcept { fall(thread); }

exhaustive_search::exhaustive_search(const std::string& decisions) : is_fixed_{true} {
  std::istringstream text{decisions};
  std::size_t number = 0;
  unsigned taken = 0;
  char equals = 0;
  char comma = ',';
  while (comma == ',' && text >> number >> equals >> taken) {
    fixed_.emplace_back(number, static_cast<std::uint8_t>(taken));
    comma = 0;
    text >> comma;
  }
}

bool exhaustive_search::begin() {
  if (has_begun_) {
    if (is_fixed_) return false;
    while (!path_.empty() && path_.back().taken + 1 >= path_.back().options) {
      path_.pop_back();
    }
    if (path_.empty()) return false;
    ++path_.back().taken;
  }
  has_begun_ = true;
  depth_ = 0;
  unusual_ = 0;
  return true;
}

std::string exhaustive_search::replay() const {
  std::string text = "decisions:";
  for (std::size_t i = 0; i < std::min(depth_, path_.size()); ++i) {
    if (path_[i].taken == 0) continue;
    if (text.back() != ':') text += ',';
    text += std::to_string(i) + "=" + std::to_string(path_[i].taken);
  }
  return text;
}

unsigned exhaustive_search::decide(unsigned options, bool is_unusual_to_deviate) noexcept {
  if (depth_ == path_.size()) {
    std::uint8_t taken = 0;
    if (is_fixed_) {
      for (const auto& [number, wanted] : fixed_) {
        if (number == depth_ && wanted < options) taken = wanted;
      }
    }
    const bool may_deviate = !is_unusual_to_deviate || unusual_ < bound_;
    path_.push_back({taken, static_cast<std::uint8_t>(may_deviate ? options : 1),
                     is_unusual_to_deviate});
  }
  const decision& here = path_[depth_++];
  if (here.taken != 0 && here.is_unusual_to_deviate) ++unusual_;
  return here.taken;
}

unsigned exhaustive_search::pick_thread(std::uint32_t ready, unsigned current) noexcept {
  const auto count = static_cast<unsigned>(std::popcount(ready));
  const bool can_go_on = has(ready, current);
  const unsigned taken = decide(count, can_go_on);
  if (!can_go_on) return nth_bit(ready, taken);
  if (taken == 0) return current;
  return nth_bit(ready & ~(1U << current), taken - 1);
}

unsigned exhaustive_search::pick(choice what, unsigned options) noexcept {
  // A loop could spin on at each of its turns, and the search would get lost there.
  if (what == choice::spin_on) return 0;
  return decide(options, true);
}

std::unique_ptr<schedule_chooser> replaying(const std::string& text) {
  std::istringstream from{text};
  std::string kind;
  std::getline(from, kind, ':');
  char colon = 0;
  std::uint64_t seed = 0;
  unsigned first = 0;
  std::uint32_t length = 0;
  if (kind == "random" && from >> first >> colon >> seed) {
    return std::make_unique<random_walk>(seed, first);
  }
  if (kind == "priorities" && from >> first >> colon >> length >> colon >> seed) {
    return std::make_unique<priorities>(seed, first, length);
  }
  if (kind == "decisions") {
    std::string rest;
    std::getline(from, rest);
    return std::make_unique<exhaustive_search>(rest);
  }
  throw std::invalid_argument{"explore: no replay: \"" + text + "\""};
}

}  // namespace hotseat::detail
