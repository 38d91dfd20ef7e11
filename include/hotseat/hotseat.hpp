// hotseat/hotseat.hpp — everything but the integrations; also the table of contents.
#pragma once

// Where tasks run.
#include <hotseat/runtime/event_source.hpp>  // event_source: where workers wait for I/O
#include <hotseat/runtime/thread_pool.hpp>   // thread_pool: work-stealing workers
#include <hotseat/sched/executor.hpp>        // executor: implement schedule()
#include <hotseat/sched/reschedule.hpp>      // reschedule(), resume_on(executor)
#include <hotseat/sched/timer_queue.hpp>     // timer_queue: the clock of an executor
#include <hotseat/sched/worker_scope.hpp>    // worker_scope: a thread that runs tasks

// Tasks.
#include <hotseat/task/shared_task.hpp>    // shared_task<T>: any number of awaiters
#include <hotseat/task/sleep.hpp>          // sleep_for(d), sleep_until(t)
#include <hotseat/task/stop_token_of.hpp>  // stop_token_of(handle), in awaitables
#include <hotseat/task/sync_wait.hpp>   // sync_wait(pool, awaitable): from a plain thread
#include <hotseat/task/task.hpp>        // task<T>
#include <hotseat/task/task_group.hpp>  // task_group: spawn, join
#include <hotseat/task/this_task.hpp>   // this_task::stop_token()
#include <hotseat/task/when_all.hpp>    // when_all(a, b, ...), when_all(std::vector)
#include <hotseat/task/when_all_settled.hpp>  // the same: each result or exception
#include <hotseat/task/when_any.hpp>          // when_any(a, b, ...): the first result

// Fibers: link hotseat::fiber.
#include <hotseat/fiber/await.hpp>                     // await(awaitable), in a fiber
#include <hotseat/fiber/fiber.hpp>                     // fiber: a task with a stack
#include <hotseat/fiber/fiber_condition_variable.hpp>  // with a std::unique_lock
#include <hotseat/fiber/fiber_local.hpp>               // fiber_local<T>
#include <hotseat/fiber/fiber_mutex.hpp>               // for std::lock_guard
#include <hotseat/fiber/fiber_shared_mutex.hpp>        // for std::shared_lock
#include <hotseat/fiber/this_fiber.hpp>                // this_fiber::name(), stop_token()

// Locks.
#include <hotseat/sched/handoff.hpp>  // handoff::exchange | dispatch | resume_inline
#include <hotseat/sync/condition_variable.hpp>  // condition_variable: wait, notify
#include <hotseat/sync/lock_state.hpp>          // lock_state::lock_free | spin_locked
#include <hotseat/sync/mutex.hpp>               // mutex, basic_mutex<Handoff, State>
#include <hotseat/sync/scoped_permits.hpp>      // scoped_permits: of a semaphore
#include <hotseat/sync/semaphore.hpp>           // semaphore: acquire(n), release(n)
#include <hotseat/sync/shared_mutex.hpp>        // shared_mutex: many readers or one writer
#include <hotseat/sync/unique_lock.hpp>         // unique_lock, shared_lock
#include <hotseat/task/synchronized.hpp>        // synchronized<T>: a value and its mutex
#include <hotseat/task/with_lock.hpp>           // with_lock(m, f): the form to prefer

// Tracing.
#include <hotseat/trace/trace.hpp>  // trace::section, trace::name_task; HOTSEAT_TRACE=file

// Synchronizing.
#include <hotseat/sync/auto_reset_event.hpp>  // auto_reset_event: releases one waiter
#include <hotseat/sync/barrier.hpp>           // barrier: phase by phase
#include <hotseat/sync/event.hpp>             // event: set, reset, wait
#include <hotseat/sync/latch.hpp>             // latch: count_down, wait
#include <hotseat/sync/wait_group.hpp>        // wait_group: add, done, wait
#include <hotseat/task/call_once.hpp>         // once_flag, call_once(flag, f)

// Passing values.
#include <hotseat/sync/channel.hpp>   // channel<T>: send, receive, close
#include <hotseat/sync/one_shot.hpp>  // one_shot<T>: the result of a callback
