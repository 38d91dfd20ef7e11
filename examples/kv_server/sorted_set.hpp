// examples/kv_server/sorted_set.hpp — members by score, and the score of a member.
#pragma once

#include "text_map.hpp"

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

namespace kv {

/// Ordered by score, and by name where scores are equal.
class sorted_set {
 public:
  /// The name lies in scores_, whose nodes stay where they are.
  using place = std::pair<double, std::string_view>;
  using iterator = std::set<place>::const_iterator;

  sorted_set() = default;
  // The names in a copy would lie in the original.
  sorted_set(const sorted_set&) = delete;
  sorted_set(sorted_set&&) = default;
  sorted_set& operator=(const sorted_set&) = delete;
  sorted_set& operator=(sorted_set&&) = default;
  ~sorted_set() = default;

  /// Null if it is no member.
  [[nodiscard]] const double* find(std::string_view member) const;
  /// Adds the member, or changes its score.
  void put(std::string_view member, double score);
  bool erase(std::string_view member);
  void pop_front();

  [[nodiscard]] std::size_t size() const noexcept { return places_.size(); }
  [[nodiscard]] bool empty() const noexcept { return places_.empty(); }
  [[nodiscard]] iterator begin() const noexcept { return places_.begin(); }
  /// The one with so many before it; takes as long as there are between it and the nearer
  /// end.  REQUIRES: rank ≤ size
  [[nodiscard]] iterator nth(std::size_t rank) const;

 private:
  text_map<double> scores_;
  std::set<place> places_;
};

}  // namespace kv
