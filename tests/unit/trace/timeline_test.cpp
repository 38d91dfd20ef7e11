// hotseat/tests/unit/trace/timeline_test.cpp — from events to slices: what lies inside
// what, and what continues later.
#include <hotseat/trace/timeline.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace hotseat::trace {
namespace {

using type = slice::type;

/// Writes recordings by hand: one tick is one microsecond.
class script {
 public:
  explicit script(std::size_t threads) {
    what_.threads.resize(threads);
    for (std::size_t i = 0; i < threads; ++i) {
      what_.threads[i].name = "worker " + std::to_string(i);
    }
  }
  script& add(std::size_t thread, std::uint64_t at, kind what, const void* whom = nullptr,
              std::uint32_t number = 0) {
    what_.threads[thread].events.push_back(
        {.ticks = 1'000 + at, .whom = whom, .number = number, .what = what});
    return *this;
  }
  [[nodiscard]] timeline read() const { return timeline_of(what_); }

 private:
  recording what_;
};

const int a = 0;  // Frames and locks: only their addresses are used.
const int b = 0;
const int lock = 0;
const int inner_lock = 0;

std::vector<slice> of_type(const timeline& what, type wanted) {
  std::vector<slice> those;
  for (const slice& each : what.slices) {
    if (each.what == wanted) those.push_back(each);
  }
  return those;
}

TEST(Timeline, an_empty_recording_is_an_empty_timeline) {
  EXPECT_TRUE(timeline_of({}).slices.empty());
}

TEST(Timeline, a_section_lies_inside_its_task) {
  const timeline what = script{1}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock, entry_free)
                            .add(0, 3, kind::section_left, &lock)
                            .add(0, 4, kind::task_ends)
                            .read();
  ASSERT_EQ(what.slices.size(), 2);
  EXPECT_EQ(what.slices[0].what, type::task);
  EXPECT_DOUBLE_EQ(what.slices[0].begin, 0);
  EXPECT_DOUBLE_EQ(what.slices[0].end, 4);
  EXPECT_EQ(what.slices[1].what, type::section);
  EXPECT_DOUBLE_EQ(what.slices[1].begin, 1);
  EXPECT_DOUBLE_EQ(what.slices[1].end, 3);
  EXPECT_TRUE(what.hand_overs.empty());
}

TEST(Timeline, a_hand_over_ties_a_section_to_the_one_before) {
  const timeline what = script{2}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock, entry_free)
                            .add(0, 2, kind::section_left, &lock)
                            .add(0, 3, kind::task_follows, &b)
                            .add(0, 4, kind::section_entered, &lock, entry_waited)
                            .add(1, 4, kind::task_follows, &a)
                            .add(0, 5, kind::section_left, &lock)
                            .add(0, 6, kind::task_ends)
                            .add(1, 7, kind::task_ends)
                            .read();
  ASSERT_EQ(what.hand_overs.size(), 1);
  const slice& from = what.slices[what.hand_overs[0].from];
  const slice& to = what.slices[what.hand_overs[0].to];
  EXPECT_DOUBLE_EQ(from.end, 2);
  EXPECT_DOUBLE_EQ(to.begin, 4);
  EXPECT_EQ(from.thread, to.thread);
  const auto tasks = of_type(what, type::task);
  ASSERT_EQ(tasks.size(), 3);
  EXPECT_EQ(tasks[0].number, tasks[2].number) << "the same task, on another worker";
}

// A task that suspends is ready at once, and may run before its former worker notes its
// end.
TEST(Timeline, a_section_moves_when_its_task_says_that_it_suspends) {
  const timeline what = script{2}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock, entry_free)
                            .add(0, 2, kind::task_suspends)
                            .add(1, 3, kind::task_follows, &a)
                            .add(1, 4, kind::section_left, &lock)
                            .add(0, 5, kind::task_ends)
                            .add(1, 6, kind::task_ends)
                            .read();
  const auto sections = of_type(what, type::section);
  ASSERT_EQ(sections.size(), 2);
  EXPECT_DOUBLE_EQ(sections[0].end, 2);
  EXPECT_TRUE(sections[0].is_interrupted);
  EXPECT_EQ(sections[1].thread, 1);
  EXPECT_DOUBLE_EQ(sections[1].begin, 3);
  EXPECT_DOUBLE_EQ(sections[1].end, 4);
}

TEST(Timeline, a_task_that_said_so_and_goes_on_is_inside_again) {
  const timeline what = script{1}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock, entry_free)
                            .add(0, 2, kind::task_suspends)
                            .add(0, 3, kind::section_entered, &inner_lock, entry_free)
                            .add(0, 4, kind::section_left, &inner_lock)
                            .add(0, 5, kind::section_left, &lock)
                            .add(0, 6, kind::task_ends)
                            .read();
  const auto sections = of_type(what, type::section);
  ASSERT_EQ(sections.size(), 3);
  EXPECT_TRUE(sections[1].is_continued);
  EXPECT_DOUBLE_EQ(sections[1].begin, 3);
  EXPECT_DOUBLE_EQ(sections[1].end, 5);
}

TEST(Timeline, a_section_held_across_a_suspension_is_shown_in_both_runs) {
  const timeline what = script{2}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock, entry_free)
                            .add(0, 2, kind::task_ends)
                            .add(1, 5, kind::task_follows, &a)
                            .add(1, 6, kind::section_left, &lock)
                            .add(1, 7, kind::task_ends)
                            .read();
  const auto sections = of_type(what, type::section);
  ASSERT_EQ(sections.size(), 2);
  EXPECT_TRUE(sections[0].is_interrupted);
  EXPECT_TRUE(sections[1].is_continued);
  EXPECT_EQ(sections[1].thread, 1);
  EXPECT_DOUBLE_EQ(sections[1].begin, 5);
  EXPECT_DOUBLE_EQ(sections[1].end, 6);
}

TEST(Timeline, locks_left_in_the_order_they_were_entered_still_nest) {
  const timeline what = script{1}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock)
                            .add(0, 2, kind::section_entered, &inner_lock)
                            .add(0, 3, kind::section_left, &lock)
                            .add(0, 4, kind::section_left, &inner_lock)
                            .add(0, 5, kind::task_ends)
                            .read();
  const auto sections = of_type(what, type::section);
  ASSERT_EQ(sections.size(), 3);
  EXPECT_DOUBLE_EQ(sections[0].end, 3);
  EXPECT_DOUBLE_EQ(sections[1].end, 3);
  EXPECT_TRUE(sections[2].is_continued);
  EXPECT_DOUBLE_EQ(sections[2].begin, 3);
  EXPECT_DOUBLE_EQ(sections[2].end, 4);
}

TEST(Timeline, a_task_resumed_inside_another_lies_inside_it) {
  const timeline what = script{1}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::task_begins, &b)
                            .add(0, 2, kind::task_ends)
                            .add(0, 3, kind::task_ends)
                            .read();
  ASSERT_EQ(what.slices.size(), 2);
  EXPECT_DOUBLE_EQ(what.slices[0].end, 3);
  EXPECT_DOUBLE_EQ(what.slices[1].end, 2);
}

TEST(Timeline, a_combining_worker_is_not_the_task_that_left) {
  const timeline what = script{1}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::combining)
                            .add(0, 2, kind::section_entered, &lock, entry_delegated)
                            .add(0, 3, kind::section_left, &lock)
                            .add(0, 4, kind::task_ends)
                            .read();
  ASSERT_EQ(what.slices.size(), 3);
  EXPECT_DOUBLE_EQ(what.slices[0].end, 1);
  EXPECT_EQ(what.slices[1].what, type::combining);
  EXPECT_DOUBLE_EQ(what.slices[1].end, 4);
  EXPECT_EQ(what.slices[2].entered, entry_delegated);
}

TEST(Timeline, a_name_stays_with_its_task) {
  const timeline what = script{2}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::task_named, "first")
                            .add(0, 2, kind::task_follows, &b)
                            .add(0, 3, kind::task_ends)
                            .add(1, 4, kind::task_follows, &a)
                            .add(1, 5, kind::task_ends)
                            .read();
  ASSERT_EQ(what.slices.size(), 3);
  EXPECT_STREQ(what.slices[0].name, "first");
  EXPECT_EQ(what.slices[1].name, nullptr);
  EXPECT_STREQ(what.slices[2].name, "first");
}

TEST(Timeline, what_is_open_at_the_end_goes_to_the_last_event) {
  const timeline what = script{1}
                            .add(0, 0, kind::task_follows, &a)
                            .add(0, 1, kind::section_entered, &lock)
                            .add(0, 9, kind::stolen, nullptr, 3)
                            .read();
  ASSERT_EQ(what.slices.size(), 2);
  for (const slice& each : what.slices) {
    EXPECT_DOUBLE_EQ(each.end, 9);
    EXPECT_TRUE(each.is_interrupted);
  }
  ASSERT_EQ(what.steals.size(), 1);
  EXPECT_EQ(what.steals[0].stolen, 3);
}

TEST(Timeline, workers_come_in_the_order_of_their_numbers) {
  const timeline what = script{12}.read();
  ASSERT_EQ(what.threads.size(), 12);
  EXPECT_EQ(what.threads[2].name, "worker 2");
  EXPECT_EQ(what.threads[11].name, "worker 11");
}

/// Two slices of a thread are disjoint, or one lies inside the other.
void expect_nested(const timeline& what) {
  for (std::size_t i = 0; i < what.slices.size(); ++i) {
    const slice& outer = what.slices[i];
    EXPECT_LE(outer.begin, outer.end);
    for (std::size_t k = i + 1; k < what.slices.size(); ++k) {
      const slice& later = what.slices[k];
      if (later.thread != outer.thread) continue;
      EXPECT_GE(later.begin, outer.begin);
      EXPECT_TRUE(later.begin >= outer.end || later.end <= outer.end)
          << i << ": " << outer.begin << " to " << outer.end << ", " << k << ": "
          << later.begin << " to " << later.end;
    }
  }
}

TEST(Timeline, slices_nest_whatever_was_recorded) {
  const int frames[4] = {};
  const int locks[3] = {};
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random{seed};
    script all{3};
    for (std::uint64_t at = 0; at < 60; ++at) {
      const auto what = static_cast<kind>(random() % 12);
      const void* whom = nullptr;
      if (what == kind::task_begins || what == kind::task_follows)
        whom = &frames[random() % 4];
      if (what == kind::section_entered || what == kind::section_left)
        whom = &locks[random() % 3];
      if (what == kind::mark_begins || what == kind::mark_ends ||
          what == kind::task_named) {
        whom = "text";
      }
      all.add(random() % 3, at, what, whom, static_cast<std::uint32_t>(random() % 3));
    }
    const timeline result = all.read();
    EXPECT_EQ(result.events, 60);
    expect_nested(result);
  }
}

}  // namespace
}  // namespace hotseat::trace
