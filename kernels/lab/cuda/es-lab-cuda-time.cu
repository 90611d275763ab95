/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Clocks: the host's, the card's, and what the card's runs at. */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#include <time.h>

/* Asking NVML takes as long as a short probe. */
#define LOOK_EVERY 0.02
/* The longest that one kernel spins, milliseconds. */
#define MOST_SPIN 20.0

double
lab_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

void
lab_look (EskLab *lab)
{
  const double now = lab_now ();
  double hertz;

  if (now - lab->looked < LOOK_EVERY)
    return;
  hertz = lab_nvml_clock (&lab->nvml);
  lab->looked = lab_now ();
  if (hertz > 0.0 && (lab->lowest_hertz == 0.0 || hertz < lab->lowest_hertz))
    lab->lowest_hertz = hertz;
}

int
lab_wait (EskLab *lab)
{
  lab_look (lab);
  return lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize");
}

int
lab_fetch (EskLab     *lab,
           void       *to,
           const void *from,
           uint64_t    bytes)
{
  LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
  LAB_TRY (lab_wait (lab));
  LAB_TRY (lab_check (lab, cudaMemcpyAsync (to, from, bytes, cudaMemcpyDeviceToHost, lab->stream), "cudaMemcpyAsync"));

  return lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize");
}

int
lab_upload (EskLab     *lab,
            void       *to,
            const void *from,
            uint64_t    bytes)
{
  LAB_TRY (lab_check (lab, cudaMemcpyAsync (to, from, bytes, cudaMemcpyHostToDevice, lab->stream), "cudaMemcpyAsync"));

  return lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize");
}

/* times: clocks, nanoseconds. Spins on the card's own time, which ticks every microsecond or so: from a tick to a
 * tick. */
static __global__ void
spin (long long  span,
      long long *times)
{
  long long begin = lab_nanoseconds (), now, from, clock;

  do
    now = lab_nanoseconds ();
  while (now == begin);
  from = lab_clock ();
  begin = now;
  do
    {
      now = lab_nanoseconds ();
      clock = lab_clock ();
    }
  while (now < begin + span);

  times[0] = clock - from;
  times[1] = now - begin;
}

double
lab_hertz (EskLab *lab,
           double  milliseconds)
{
  long long times[2] = { 0, 0 };
  double hertz = 0.0;
  int code;
  void *memory = lab_device_memory (lab, sizeof times, &code);

  if (memory == NULL)
    return 0.0;
  while (milliseconds > 0.0 && lab_cancelled (lab) == ESK_LAB_OK)
    {
      const double now = milliseconds < MOST_SPIN ? milliseconds : MOST_SPIN;

      spin<<<1, 1, 0, lab->stream>>> ((long long) (now * 1e6), (long long *) memory);
      if (lab_fetch (lab, times, memory, sizeof times) != ESK_LAB_OK || times[1] <= 0)
        break;
      hertz = times[0] / (times[1] * 1e-9);
      milliseconds -= now;
    }
  lab_give_back (lab, memory, LAB_TAKEN_DEVICE);

  return hertz;
}
