// bench/tests/picture_test.cpp — how a timeline is drawn.
#include <trace/picture.hpp>

#include <gtest/gtest.h>

#include <string>

namespace hotseat::bench {
namespace {

using trace::slice;

/// T1 inside from 1 to 2 ms; T2 from 4 to 5 ms, after the lock was handed to it.
trace::timeline example() {
  trace::timeline what;
  what.threads = {{.name = "worker 0", .dropped = 0, .end = 6000},
                  {.name = "thread 1", .dropped = 0, .end = 6000}};
  slice first{.what = slice::type::task, .thread = 0, .begin = 0, .end = 3000};
  first.name = "T1";
  slice second{.what = slice::type::task, .thread = 0, .begin = 3500, .end = 6000};
  second.name = "T2";
  const slice section{
      .what = slice::type::section, .thread = 0, .begin = 1000, .end = 2000};
  slice next{.what = slice::type::section, .thread = 0, .begin = 4000, .end = 5000};
  next.entered = trace::entry_waited;
  what.slices = {first, section, second, next};
  what.hand_overs = {{.from = 1, .to = 3}};
  return what;
}

int count(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1)) {
    ++times;
  }
  return times;
}

TEST(Picture, the_time_that_the_lock_is_not_used_is_from_end_to_begin) {
  const idle_lock idle = idle_lock_of(example());
  EXPECT_EQ(idle.hand_overs, 1);
  EXPECT_DOUBLE_EQ(idle.microseconds, 2000);
  EXPECT_DOUBLE_EQ(end_of(example()), 6000);
}

TEST(Picture, tasks_and_sections_are_drawn_in_the_row_of_their_worker_and_of_the_lock) {
  const std::string svg = draw({{"exchange", "Caption.", example()}}, {"footer"});
  EXPECT_EQ(count(svg, "class=\"lane\""), 2) << "a worker and the lock; no other thread";
  EXPECT_EQ(count(svg, "<rect class=\"T1\""), 2)
      << "the task, and its section in the lock's row";
  EXPECT_EQ(count(svg, "<rect class=\"inside\""), 4);
  EXPECT_EQ(count(svg, "<rect class=\"idle\""), 1);
  EXPECT_NE(svg.find("lock idle meanwhile for 2.00 ms"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
}

}  // namespace
}  // namespace hotseat::bench
