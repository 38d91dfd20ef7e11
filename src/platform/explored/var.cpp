// hotseat/platform/explored/var.cpp — two accesses that nothing orders.
#include <hotseat/platform/explored/var.hpp>

#include <string>
#include <string_view>

namespace hotseat::platform::explored {

namespace {

/// The type out of "... var<T>::get() [T = waiter *]" and the like.
std::string name_of(const char* function) {
  const std::string_view text{function};
  const std::size_t start = text.find("T = ");
  if (start == std::string_view::npos) return "a var";
  std::string_view type = text.substr(start + 4);
  type = type.substr(0, type.find_first_of("];"));
  return "var<" + std::string{type} + ">";
}

std::string by(unsigned thread) { return "thread " + std::to_string(thread); }

}  // namespace

void shadow::on_birth() noexcept {
  execution_ = execution_number;
  writer_ = running->id;
  written_ = running->tick();
}

void shadow::on_death() const noexcept {
  const vector_clock& happened = running->happened;
  if (happened.covers(writer_, written_) && happened.covers(read_)) return;
  for (unsigned i = 0; i < most_threads; ++i) {
    const bool has_written = i == writer_ && !happened.covers(i, written_);
    if (!has_written && happened.covers(i, read_[i])) continue;
    fail(failure_kind::race, by(running->id) + " ends a var that " + by(i) +
                                 (has_written ? " wrote" : " read") +
                                 ", and nothing orders them");
  }
}

void shadow::renew(const char* type) const noexcept {
  if (life_ != alive) {
    fail(failure_kind::use_after_free,
         "a " + name_of(type) + " was used that does not exist any more");
  }
  if (execution_ == execution_number) return;
  execution_ = execution_number;
  writer_ = 0;
  written_ = 0;
  read_ = {};
}

void shadow::check_read(const char* type) const noexcept {
  renew(type);
  const thread_record& self = *running;
  if (!self.happened.covers(writer_, written_)) {
    fail(failure_kind::race, by(self.id) + " reads a " + name_of(type) + " that " +
                                 by(writer_) + " wrote, and nothing orders them");
  }
  read_[self.id] = self.happened[self.id];
}

void shadow::check_write(const char* type) noexcept {
  renew(type);
  thread_record& self = *running;
  if (!self.happened.covers(writer_, written_)) {
    fail(failure_kind::race, by(self.id) + " writes a " + name_of(type) + " that " +
                                 by(writer_) + " wrote, and nothing orders them");
  }
  if (!self.happened.covers(read_)) {
    unsigned reader = 0;
    while (self.happened.covers(reader, read_[reader])) ++reader;
    fail(failure_kind::race, by(self.id) + " writes a " + name_of(type) + " that " +
                                 by(reader) + " read, and nothing orders them");
  }
  writer_ = self.id;
  written_ = self.happened[self.id];
}

}  // namespace hotseat::platform::explored
