// examples/kv_server/sorted_set.cpp — two indexes that agree, even if memory runs out.
#include "sorted_set.hpp"

#include <iterator>
#include <string>

namespace kv {

const double* sorted_set::find(std::string_view member) const {
  const auto at = scores_.find(member);
  return at == scores_.end() ? nullptr : &at->second;
}

void sorted_set::put(std::string_view member, double score) {
  const auto at = scores_.find(member);
  if (at != scores_.end()) {
    // The node is used again: nothing can fail half-way.
    auto node = places_.extract(place{at->second, at->first});
    node.value().first = score;
    places_.insert(std::move(node));
    at->second = score;
    return;
  }
  const auto added = scores_.emplace(std::string{member}, score).first;
  try {
    places_.emplace(score, added->first);
  } catch (...) {
    scores_.erase(added);
    throw;
  }
}

bool sorted_set::erase(std::string_view member) {
  const auto at = scores_.find(member);
  if (at == scores_.end()) return false;
  places_.erase(place{at->second, at->first});
  scores_.erase(at);
  return true;
}

void sorted_set::pop_front() { erase(places_.begin()->second); }

sorted_set::iterator sorted_set::nth(std::size_t rank) const {
  if (rank <= size() / 2) {
    return std::next(places_.begin(), static_cast<std::ptrdiff_t>(rank));
  }
  return std::prev(places_.end(), static_cast<std::ptrdiff_t>(size() - rank));
}

}  // namespace kv
