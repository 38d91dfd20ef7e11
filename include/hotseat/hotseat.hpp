// hotseat/hotseat.hpp — everything but the integrations; also the table of contents.
#pragma once

// Where tasks run.
#include <hotseat/runtime/thread_pool.hpp>  // thread_pool: work-stealing workers
#include <hotseat/sched/executor.hpp>       // executor: two verbs, to write your own
#include <hotseat/sched/reschedule.hpp>     // reschedule(), resume_on(executor)

// Tasks.
#include <hotseat/task/sync_wait.hpp>   // sync_wait(pool, awaitable): from a plain thread
#include <hotseat/task/task.hpp>        // task<T>
#include <hotseat/task/task_group.hpp>  // task_group: spawn, join
#include <hotseat/task/this_task.hpp>   // this_task::stop_token()
#include <hotseat/task/when_all.hpp>    // when_all(a, b, ...), when_all(std::vector)
#include <hotseat/task/when_any.hpp>    // when_any(a, b, ...): the first result
#include <hotseat/timer/sleep.hpp>      // sleep_for(d), sleep_until(t)

// Locks.
#include <hotseat/sched/handoff.hpp>     // handoff::exchange | dispatch | resume_inline
#include <hotseat/sync/mutex.hpp>        // mutex, basic_mutex<Handoff, State>
#include <hotseat/sync/scoped_lock.hpp>  // scoped_lock
#include <hotseat/task/with_lock.hpp>    // with_lock(m, f): the form to prefer
