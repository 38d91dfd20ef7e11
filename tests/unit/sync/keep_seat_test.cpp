// hotseat/tests/unit/sync/keep_seat_test.cpp — letting others out while the caller goes on
// here.
#include <gtest/gtest.h>

#include <hotseat/core/waiter_queue.hpp>
#include <hotseat/sched/handoff.hpp>
#include <hotseat/sync/detail/keep_seat.hpp>
#include <string>
#include <support/frugal_executor.hpp>
#include <support/gate_kinds.hpp>
#include <support/manual_executor.hpp>
#include <support/probes.hpp>
#include <type_traits>
#include <vector>

namespace hotseat::detail {
namespace {

using testing::owned;

owned stand_and_note(waiter_queue& line, std::string& log, char name) {
  co_await testing::stand_in(line);
  log += name;
}

template <class Handoff>
class KeepSeat : public ::testing::Test {
 protected:
  /// Two wait in `line`; a worker lets them out and notes when it goes on.
  void let_two_out() {
    owned a = stand_and_note(line, log, 'a');
    owned b = stand_and_note(line, log, 'b');
    a.start_on(ex);
    b.start_on(ex);
    ex.run_all();
    ex.portions.clear();
    {
      const testing::worker_scope scope{ex};
      keep_seat<Handoff>(line);
      log += '.';
      EXPECT_FALSE(this_thread().run_next) << "nobody takes the seat";
    }
    ex.run_all();
    EXPECT_TRUE(a.done() && b.done());
  }
  testing::frugal_executor ex;
  waiter_queue line;
  std::string log;
};
TYPED_TEST_SUITE(KeepSeat, testing::handoffs);

TYPED_TEST(KeepSeat, the_others_are_scheduled_in_one_batch_unless_they_are_run_inline) {
  this->let_two_out();
  if (std::is_same_v<TypeParam, handoff::resume_inline>) {
    EXPECT_EQ(this->log, "ab.");
  } else {
    EXPECT_EQ(this->log, ".ab");
    EXPECT_EQ(this->ex.portions, (std::vector<int>{2}));
  }
}

TYPED_TEST(KeepSeat, there_may_be_nobody) {
  waiter_queue nobody;
  keep_seat<TypeParam>(nobody);
  EXPECT_TRUE(this->ex.portions.empty());
}

}  // namespace
}  // namespace hotseat::detail
