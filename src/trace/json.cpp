// hotseat/trace/json.cpp — the Trace Event Format.
#include <hotseat/trace/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ostream>
#include <string>
#include <string_view>

namespace hotseat::trace {

namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
      result += code.data();
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// To the nanosecond.
std::string time(double microseconds) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3f", microseconds);
  return text.data();
}

std::string name_of(const slice& of) {
  switch (of.what) {
    case slice::type::task:
      return of.name != nullptr ? of.name : "task " + std::to_string(of.number);
    case slice::type::combining:
      return "combining";
    case slice::type::section:
      return "section";
    case slice::type::mark:
      return of.name;
    case slice::type::parked:
      return "parked";
  }
  return "";
}

const char* category_of(const slice& of) {
  switch (of.what) {
    case slice::type::task:
      return "task";
    case slice::type::combining:
      return "combining";
    case slice::type::section:
      return "section";
    case slice::type::mark:
      return "mark";
    case slice::type::parked:
      return "idle";
  }
  return "";
}

const char* entry_name(std::uint32_t how) {
  if (how == entry_free) return "free";
  return how == entry_waited ? "handed over" : "delegated";
}

std::string arguments_of(const slice& of) {
  std::string text{"{"};
  const auto add = [&text](std::string_view name, const std::string& value) {
    if (text.size() > 1) text += ',';
    text += quoted(name);
    text += ':';
    text += value;
  };
  if (of.what == slice::type::task) add("task", std::to_string(of.number));
  if (of.what == slice::type::section) {
    add("lock", std::to_string(of.number));
    add("entered", quoted(entry_name(of.entered)));
  }
  if (of.is_continued) add("continued", "true");
  if (of.is_interrupted) add("goes on", "true");
  text += '}';
  return text;
}

class writer {
 public:
  explicit writer(std::ostream& to) : to_{to} {}

  void write(const timeline& what) {
    to_ << R"({"displayTimeUnit":"ns","otherData":{"recorder":"hotseat","events":)"
        << what.events << ",\"dropped\":" << what.dropped << "},\n\"traceEvents\":[";
    write_threads(what);
    for (const slice& each : what.slices) {
      begin(name_of(each), "X", category_of(each), each.thread, each.begin);
      to_ << ",\"dur\":" << time(each.end - each.begin)
          << ",\"args\":" << arguments_of(each) << '}';
    }
    for (const moment& each : what.steals) {
      begin("stolen", "i", "steal", each.thread, each.at);
      to_ << R"(,"s":"t","args":{"tasks":)" << each.stolen << "}}";
    }
    for (std::size_t i = 0; i < what.hand_overs.size(); ++i) write_arrow(what, i);
    to_ << "\n]}\n";
  }

 private:
  void write_threads(const timeline& what) {
    for (std::size_t i = 0; i < what.threads.size(); ++i) {
      const timeline::thread& each = what.threads[i];
      begin("thread_name", "M", "", i, 0);
      to_ << R"(,"args":{"name":)" << quoted(each.name) << "}}";
      begin("thread_sort_index", "M", "", i, 0);
      to_ << R"(,"args":{"sort_index":)" << i << "}}";
      if (each.dropped == 0) continue;
      begin("dropped from here on", "i", "dropped", i, each.end);
      to_ << R"(,"s":"t","args":{"events":)" << each.dropped << "}}";
    }
  }

  /// An arrow belongs to the slice that is open at its time, so it starts just before the
  /// end of the first.
  void write_arrow(const timeline& what, std::size_t index) {
    const slice& from = what.slices[what.hand_overs[index].from];
    const slice& to = what.slices[what.hand_overs[index].to];
    begin("hand-over", "s", "hand-over", from.thread,
          std::max(from.begin, from.end - 1e-3));
    to_ << ",\"id\":" << index << '}';
    begin("hand-over", "f", "hand-over", to.thread, to.begin);
    to_ << R"(,"bp":"e","id":)" << index << '}';
  }

  void begin(std::string_view name, const char* phase, const char* category,
             std::size_t thread, double at) {
    to_ << (is_first_ ? "\n" : ",\n") << "{\"name\":" << quoted(name) << R"(,"ph":")"
        << phase << R"(","pid":1,"tid":)" << thread + 1 << ",\"ts\":" << time(at);
    if (*category != '\0') to_ << R"(,"cat":")" << category << '"';
    is_first_ = false;
  }

  std::ostream& to_;
  bool is_first_ = true;
};

}  // namespace

void write_json(std::ostream& to, const timeline& what) { writer{to}.write(what); }

}  // namespace hotseat::trace
