// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool of threads for one caller at a time, without locks.
//
// One word, the gate, says it all: whether a job is open, how many workers are
// inside, and the number of the job. The caller writes the job down while the
// gate is closed and nobody is inside, opens the gate, and takes chunks like
// everybody else. A worker comes in only through an open gate. When no chunk is
// left the caller closes the gate and waits for those inside, not for those
// that never came: a worker that wakes up late costs nothing, and a child of
// fork(), which has no workers, still gets its work done by the caller alone.
//
// Every thread has a share of the chunks, the same part of every job, because
// the next kernel mostly reads what the last one wrote in the same place: data
// that moves between the caches of two cores costs more than a simple kernel.
// Who is done with its share helps others with theirs.
//
// Whoever waits does so for some tens of microseconds in a loop, because the
// next kernel usually follows at once, and then asleep on the gate.

#define _GNU_SOURCE
#include "pool.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

// Before version 2.34 glibc kept threads in a library that a host may lack; a
// model must load there all the same.
extern __typeof__(pthread_create) pthread_create __attribute__((weak));
extern __typeof__(pthread_join) pthread_join __attribute__((weak));

// Parts of the gate.
#define GATE_INSIDE 0x7ffu // how many workers are inside
#define GATE_OPEN 0x800u
#define GATE_STOP 0x1000u // workers end
#define GATE_JOB 0x2000u  // the unit of the job's number, which wraps around
#define GATE_JOB_MASK (~(GATE_JOB - 1u))

// 25 to 100 us on processors whose time stamp counts 1 to 4 GHz.
#define SPIN_TICKS 100000u

// Chunks in a share: with more than one, those who are late get less to do.
#define CHUNKS_PER_THREAD 8

// Who sleeps on the gate.
enum { WORKERS = 1, CALLER = 2 };

// The chunks of one thread that nobody has taken: from next to end.
struct share {
  _Alignas(AMBIT_ALIGNMENT) _Atomic int64_t next;
  int64_t end;
  pthread_t thread;
  struct ambit_pool *pool;
};

struct ambit_pool {
  _Alignas(AMBIT_ALIGNMENT) _Atomic uint32_t gate;
  _Atomic uint32_t sleeping_workers;
  _Atomic uint32_t caller_sleeps;
  // The job. Written by the caller while nobody is inside.
  void (*task)(void *arg, int64_t begin, int64_t end);
  void *arg;
  int64_t count, chunk;
  uint32_t float_mode;
  int32_t threads;
  pid_t process;
  struct share shares[]; // the caller's first
};

static void sleep_on(_Atomic uint32_t *word, uint32_t value, uint32_t who) {
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, NULL, NULL, who);
}

static void wake(_Atomic uint32_t *word, int most, uint32_t who) {
  syscall(SYS_futex, word, FUTEX_WAKE_BITSET_PRIVATE, most, NULL, NULL, who);
}

// Rounding and flushing of denormals, without the sticky exception flags.
static uint32_t get_float_mode(void) { return _mm_getcsr() & ~0x3fu; }

static void take_share(struct ambit_pool *pool, struct share *share) {
  for (;;) {
    int64_t index =
        atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
    if (index >= share->end)
      return;
    int64_t begin = index * pool->chunk, left = pool->count - begin;
    pool->task(pool->arg, begin,
               begin + (left < pool->chunk ? left : pool->chunk));
  }
}

// One's own share, then those of the others.
static void take_chunks(struct ambit_pool *pool, int32_t self) {
  for (int32_t i = 0; i < pool->threads; ++i)
    take_share(pool, &pool->shares[(self + i) % pool->threads]);
}

static int is_news(uint32_t gate, uint32_t served) {
  if (gate & GATE_STOP)
    return 1;
  return (gate & GATE_OPEN) && (gate & GATE_JOB_MASK) != served;
}

// Waits for a job other than `served`, or the end.
static uint32_t await_news(struct ambit_pool *pool, uint32_t served) {
  uint64_t start = __rdtsc();
  for (;;) {
    uint32_t gate = atomic_load_explicit(&pool->gate, memory_order_acquire);
    if (is_news(gate, served))
      return gate;
    if (__rdtsc() - start > SPIN_TICKS) {
      // The caller opens the gate, then looks for sleepers; we do it the other
      // way round, so that one of us sees the other.
      atomic_fetch_add(&pool->sleeping_workers, 1);
      gate = atomic_load(&pool->gate);
      if (!is_news(gate, served))
        sleep_on(&pool->gate, gate, WORKERS);
      atomic_fetch_sub(&pool->sleeping_workers, 1);
    }
    _mm_pause();
  }
}

static void leave(struct ambit_pool *pool) {
  uint32_t before = atomic_fetch_sub(&pool->gate, 1);
  if ((before & (GATE_INSIDE | GATE_OPEN)) == 1 &&
      atomic_load(&pool->caller_sleeps))
    wake(&pool->gate, 1, CALLER);
}

static void *work(void *data) {
  struct share *share = data;
  struct ambit_pool *pool = share->pool;
  int32_t self = (int32_t)(share - pool->shares);
  uint32_t served = 0;
  prctl(PR_SET_NAME, "ambit");
  for (;;) {
    uint32_t gate = await_news(pool, served);
    if (gate & GATE_STOP)
      return NULL;
    if (!atomic_compare_exchange_strong(&pool->gate, &gate, gate + 1))
      continue;
    served = gate & GATE_JOB_MASK;
    // The bits of a result must not depend on who computes it.
    if (get_float_mode() != pool->float_mode)
      _mm_setcsr(pool->float_mode);
    take_chunks(pool, self);
    leave(pool);
  }
}

static void await_leaving(struct ambit_pool *pool) {
  uint64_t start = __rdtsc();
  while (atomic_load_explicit(&pool->gate, memory_order_acquire) &
         GATE_INSIDE) {
    if (__rdtsc() - start > SPIN_TICKS) {
      atomic_store(&pool->caller_sleeps, 1);
      uint32_t gate = atomic_load(&pool->gate);
      if (gate & GATE_INSIDE)
        sleep_on(&pool->gate, gate, CALLER);
      atomic_store(&pool->caller_sleeps, 0);
    }
    _mm_pause();
  }
}

void ambit_pool_run(struct ambit_exec *exec, int64_t count, int64_t grain,
                    void (*task)(void *arg, int64_t begin, int64_t end),
                    void *arg) {
  struct ambit_pool *pool = exec->pool;
  int64_t threads = pool->threads, pieces = threads * CHUNKS_PER_THREAD;
  int64_t chunk = count / pieces + (count % pieces != 0);
  chunk = chunk < grain ? grain : chunk;
  if (chunk >= count) {
    if (count > 0)
      task(arg, 0, count);
    return;
  }
  pool->task = task;
  pool->arg = arg;
  pool->count = count;
  pool->chunk = chunk;
  pool->float_mode = get_float_mode();
  int64_t chunks = count / chunk + (count % chunk != 0), begin = 0;
  for (int64_t i = 0; i < threads; ++i) {
    atomic_store_explicit(&pool->shares[i].next, begin, memory_order_relaxed);
    begin += (chunks - begin) / (threads - i);
    pool->shares[i].end = begin;
  }
  uint32_t job = atomic_load(&pool->gate) & GATE_JOB_MASK;
  atomic_store(&pool->gate, (job + GATE_JOB) | GATE_OPEN);
  if (atomic_load(&pool->sleeping_workers))
    wake(&pool->gate, chunks > INT_MAX ? INT_MAX : (int)chunks - 1, WORKERS);
  take_chunks(pool, 0);
  atomic_fetch_and(&pool->gate, ~GATE_OPEN);
  await_leaving(pool);
}

size_t ambit_pool_bytes(int32_t threads) {
  return sizeof(struct ambit_pool) + (size_t)threads * sizeof(struct share);
}

struct ambit_pool *ambit_pool_start(void *memory, int32_t threads,
                                    int32_t *why) {
  struct ambit_pool *pool = memory;
  memset(pool, 0, sizeof *pool);
  pool->threads = 1;
  pool->process = getpid();
  // Signals that others send are for the host's own threads; workers inherit
  // the mask. Those that a fault of the thread itself raises stay.
  sigset_t blocked, before;
  const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  sigfillset(&blocked);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
    sigdelset(&blocked, faults[i]);
  sigprocmask(SIG_SETMASK, &blocked, &before);
  *why = pthread_create && pthread_join ? 0 : ENOSYS;
  for (int32_t i = 1; i < threads && !*why; ++i) {
    pool->shares[i].pool = pool;
    *why =
        pthread_create(&pool->shares[i].thread, NULL, work, &pool->shares[i]);
    pool->threads += !*why;
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (!*why)
    return pool;
  ambit_pool_stop(pool);
  return NULL;
}

void ambit_pool_stop(struct ambit_pool *pool) {
  // In a child of fork() there is nobody to wait for.
  if (pool->process != getpid())
    return;
  atomic_store(&pool->gate, GATE_STOP);
  wake(&pool->gate, INT_MAX, WORKERS);
  for (int32_t i = 1; i < pool->threads; ++i)
    pthread_join(pool->shares[i].thread, NULL);
}
