// hotseat/explore/call_log.cpp — recording calls, and printing them.
#include <hotseat/explore/detail/call_log.hpp>

#include <hotseat/core/assert.hpp>
#include <hotseat/platform/explored/machine.hpp>

#include <utility>

namespace hotseat::detail {

namespace explored = platform::explored;

std::size_t call_log::begin(const char* name) {
  require(calls_.size() < most_calls, "history", this, "it has at most 32 calls");
  const explored::thread_record* const self = explored::running;
  entry fresh{name, {}, 0, ++now_, 0, {}, 0, 0};
  if (self != nullptr) fresh.thread = self->name.data();
  if (order_ == call_order::real_time || self == nullptr) {
    fresh.after = ended_;
  } else {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const bool happened = (ended_ >> i & 1U) != 0 &&
                            self->happened.covers(calls_[i].thread_of_end, calls_[i].end);
      if (happened) fresh.after |= set{1} << i;
    }
  }
  calls_.push_back(std::move(fresh));
  return calls_.size() - 1;
}

void call_log::end(std::size_t number, std::string result) {
  entry& ending = calls_[number];
  require(ending.returned == 0, "history", this, "a call ends once");
  ending.returned = ++now_;
  ending.result = std::move(result);
  if (explored::running != nullptr) {
    ending.thread_of_end = explored::running->id;
    ending.end = explored::running->happened[explored::running->id];
  }
  ended_ |= set{1} << number;
}

std::string call_log::describe() const {
  std::string text;
  for (const entry& each : calls_) {
    const bool has_ended = each.returned != 0;
    text += "    " + std::to_string(each.made) + ".." +
            (has_ended ? std::to_string(each.returned) : "") + "  " + each.thread + "  " +
            each.name;
    if (!has_ended) text += " has not ended";
    if (!each.result.empty()) text += " = " + each.result;
    text += "\n";
  }
  return text;
}

}  // namespace hotseat::detail
