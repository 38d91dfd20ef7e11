// bench/mutex/contenders/one_tbb.cpp — tasks of oneTBB and tbb::mutex.
#include <mutex/contenders.hpp>

#ifdef HOTSEAT_BENCH_HAS_TBB

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/parallel_for_each.h>
#include <oneapi/tbb/task_arena.h>

namespace hotseat::bench {

namespace {

mutex_outcome run(const mutex_settings& settings) {
  const tbb::global_control threads{tbb::global_control::max_allowed_parallelism,
                                    settings.workers};
  tbb::task_arena arena{static_cast<int>(settings.workers)};
  mutex_run<tbb::mutex> all{settings, settings.tasks};
  return all.measure([&] {
    arena.execute([&] {
      tbb::parallel_for_each(all.participants(),
                             [&all](participant& self) { all.loop_with_guards(self); });
    });
  });
}

}  // namespace

mutex_contender one_tbb() { return {"oneTBB", "", run, "", "", ""}; }

}  // namespace hotseat::bench

#else

namespace hotseat::bench {
mutex_contender one_tbb() {
  return {"oneTBB", "built without oneTBB (libtbb-dev)", {}, "", "", ""};
}
}  // namespace hotseat::bench

#endif
