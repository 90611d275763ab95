/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-lab-cuda-team-private.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#if defined(__x86_64__) && !defined(__clang__)
#define BY_PROCESSOR __attribute__ ((target_clones ("avx512f", "avx2", "default")))
#else
#define BY_PROCESSOR
#endif

typedef struct {
  void            (*work) (void *data, unsigned thread, unsigned n);
  void             *data;
  unsigned          n;
  pthread_mutex_t   lock;
  pthread_cond_t    changed;
  unsigned          ready;         /* threads that wait to begin */
  int               go;            /* 1: begin, -1: end without having begun */
} Team;

typedef struct {
  Team    *team;
  unsigned thread;
} Member;

static double
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

unsigned
lab_team_size (unsigned asked)
{
  cpu_set_t set;
  unsigned n = asked;

  if (n == 0)
    n = sched_getaffinity (0, sizeof set, &set) == 0 ? (unsigned) CPU_COUNT (&set) : 1;
  if (n < 1)
    n = 1;

  return n < LAB_MOST_THREADS ? n : LAB_MOST_THREADS;
}

static void *
run (void *data)
{
  Member *member = data;
  Team *team = member->team;

  pthread_mutex_lock (&team->lock);
  team->ready++;
  pthread_cond_broadcast (&team->changed);
  while (team->go == 0)
    pthread_cond_wait (&team->changed, &team->lock);
  pthread_mutex_unlock (&team->lock);
  if (team->go > 0)
    team->work (team->data, member->thread, team->n);

  return NULL;
}

double
lab_team (unsigned   n,
          void     (*work) (void *data, unsigned thread, unsigned n),
          void      *data)
{
  pthread_t threads[LAB_MOST_THREADS];
  Member members[LAB_MOST_THREADS];
  Team team = { work, data, n, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0 };
  unsigned started = 1;
  double began;

  for (unsigned t = 0; t < n; t++)
    members[t] = (Member) { &team, t };
  while (started < n && pthread_create (&threads[started], NULL, run, &members[started]) == 0)
    started++;

  pthread_mutex_lock (&team.lock);
  while (team.ready + 1 < started)
    pthread_cond_wait (&team.changed, &team.lock);
  team.go = started == n ? 1 : -1;
  began = now ();
  pthread_cond_broadcast (&team.changed);
  pthread_mutex_unlock (&team.lock);
  if (started == n)
    work (data, 0, n);
  for (unsigned t = 1; t < started; t++)
    pthread_join (threads[t], NULL);

  return started == n ? now () - began : -1.0;
}

BY_PROCESSOR void
lab_host_write (double *to,
                size_t  n,
                double  value)
{
  for (size_t i = 0; i < n; i++)
    to[i] = value;
}

BY_PROCESSOR uint64_t
lab_host_read (const uint64_t *from,
               size_t          n)
{
  uint64_t sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += from[i];
  return sum;
}

BY_PROCESSOR void
lab_host_work (float   *x,
               size_t   n,
               unsigned rounds,
               float    a,
               float    b)
{
  enum { PIECE = 256 };

  for (size_t first = 0; first < n; first += PIECE)
    {
      const size_t last = first + PIECE < n ? first + PIECE : n;

      for (unsigned r = 0; r < rounds; r++)
        for (size_t i = first; i < last; i++)
          x[i] = x[i] * a + b;
    }
}
