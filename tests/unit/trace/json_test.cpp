// hotseat/tests/unit/trace/json_test.cpp — the file, character by character; tests/trace/
// reads it back with a parser.
#include <hotseat/trace/json.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace hotseat::trace {
namespace {

std::string json(const timeline& what) {
  std::ostringstream text;
  write_json(text, what);
  return text.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(TraceJson, an_empty_timeline_is_an_empty_list) {
  EXPECT_EQ(
      json({}),
      "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"recorder\":\"hotseat\",\"events\":0,"
      "\"dropped\":0},\n\"traceEvents\":[\n]}\n");
}

timeline example() {
  timeline what;
  what.threads.push_back({.name = "worker 0", .dropped = 5, .end = 4});
  slice task{.what = slice::type::task, .thread = 0, .begin = 0.5, .end = 4};
  task.number = 1;
  slice section{.what = slice::type::section, .thread = 0, .begin = 1, .end = 2.25};
  section.number = 2;
  section.entered = entry_waited;
  what.slices = {task, section};
  what.hand_overs.push_back({.from = 1, .to = 1});
  what.steals.push_back({.thread = 0, .at = 3, .stolen = 2});
  what.events = 9;
  what.dropped = 5;
  return what;
}

TEST(TraceJson, slices_are_complete_events_with_what_they_are_about) {
  const std::string text = json(example());
  EXPECT_TRUE(has(text,
                  R"({"name":"task 1","ph":"X","pid":1,"tid":1,"ts":0.500,"cat":"task",)"
                  R"("dur":3.500,"args":{"task":1}})"));
  EXPECT_TRUE(has(text, R"("ts":1.000,"cat":"section","dur":1.250,)"
                        R"("args":{"lock":2,"entered":"handed over"}})"));
}

TEST(TraceJson, what_was_dropped_is_in_the_file) {
  const std::string text = json(example());
  EXPECT_TRUE(has(text, R"("events":9,"dropped":5)"));
  EXPECT_TRUE(has(text, R"("name":"dropped from here on","ph":"i")"));
}

TEST(TraceJson, names_are_quoted) {
  timeline what = example();
  what.slices[0].name = "a \"b\" \\ \n";
  EXPECT_TRUE(has(json(what), R"("name":"a \"b\" \\ \u000a")"));
}

}  // namespace
}  // namespace hotseat::trace
