// examples/kv_server/conversation.cpp — when to read, to execute and to write.
#include "conversation.hpp"

namespace kv {

conversation::conversation(std::uint64_t number, const limits& wanted)
    : requests_{wanted.request},
      out_{output_, wanted.most_reply},
      client_{.number = number} {}

step conversation::next() {
  while (!is_writing_ && !client_.is_over) {
    if (output_.size() >= most_gathered) {
      is_writing_ = true;
      break;
    }
    switch (requests_.next()) {
      case parsed::command:
        if (begin_command()) return step::execute;
        break;
      case parsed::needs_more:
        if (output_.empty()) return step::read;
        is_writing_ = true;
        break;
      case parsed::error:
        out_.begin();
        out_.error(requests_.error());
        client_.is_over = true;
        break;
    }
  }
  return output_.empty() ? step::end : step::write;
}

bool conversation::begin_command() {
  which_ = find_command(requests_.arguments(), out_);
  if (which_ == nullptr) return false;
  if (which_->inside != nullptr) return true;
  finish();
  return false;
}

void conversation::execute(store& data) {
  kv::execute(*which_, data, requests_.arguments(), out_);
}

void conversation::finish() {
  if (which_->outside == nullptr) return;
  kv::finish(*which_, client_, requests_.arguments(), out_);
}

void conversation::written(std::size_t count) {
  written_ += count;
  if (written_ != output_.size()) return;
  written_ = 0;
  is_writing_ = false;
  output_.clear();
  if (output_.capacity() > most_kept) output_.shrink_to_fit();
}

}  // namespace kv
