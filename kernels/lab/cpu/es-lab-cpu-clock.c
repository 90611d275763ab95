/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Clocks of the core: what its ticks are told in, and how chains are measured. */

#include "es-lab-cpu-private.h"

#include "es-lab-cpu-hide-private.h"
#include "es-lab-cpu-ticks-private.h"

#include <math.h>

/* Some 5 us: ticks come in steps, of which this has to be many. */
#define ADDITIONS (256 * 64)
/* Of one sample: short enough that most are not interrupted, and enough of them that some certainly are not. */
#define LEAST_PIECES 10
#define MOST_PIECES 200
#define SAMPLE_SECONDS 0.002

double
esk_lab_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* Ticks of the finest clock and seconds of the system's, of one moment. */
static void
read_both (double *ticks,
           double *seconds)
{
  double least = INFINITY;

  *ticks = *seconds = 0.0;
  for (int i = 0; i < 5; i++)
    {
      const uint64_t before = esk_lab_ticks ();
      const double now = esk_lab_seconds ();
      const uint64_t after = esk_lab_ticks ();

      if ((double) (after - before) < least)
        {
          least = (double) (after - before);
          *ticks = 0.5 * ((double) before + (double) after);
          *seconds = now;
        }
    }
}

double
esk_lab_ticks_hertz (EskLab *lab)
{
  double ticks, seconds;

  read_both (&ticks, &seconds);
  /* The longer ago it began, the better. */
  while (seconds - lab->seconds_began < 0.005)
    read_both (&ticks, &seconds);
  return (ticks - lab->ticks_began) / (seconds - lab->seconds_began);
}

/* lab: empty */
/* An addition takes a clock of the core, on every processor there is. */
static uint64_t __attribute__ ((noinline))
time_additions (uint64_t x)
{
  const uint64_t begin = esk_lab_ticks ();
  uint64_t sum = x;

  for (int i = 0; i < ADDITIONS / ESK_LAB_BLOCK; i++)
    {
      ESK_SIXTY_FOUR (sum += x; ESK_HIDE_WHOLE (sum);)
    }
  return esk_lab_ticks () - begin;
}
/* lab end */

static double
least_of_additions (EskLab *lab,
                    int     tries,
                    double  least)
{
  for (int i = 0; i < tries; i++)
    {
      const double ticks = ((double) time_additions ((uint64_t) i + 1) - lab->reading) / ADDITIONS;

      least = ticks < least ? ticks : least;
    }
  return least;
}

double
esk_lab_clock_calibrate (EskLab *lab)
{
  lab->clock = least_of_additions (lab, 20, INFINITY);
  return lab->clock;
}

void
esk_lab_clock_begin (EskLab *lab)
{
  double begin = esk_lab_seconds ();

  read_both (&lab->ticks_began, &lab->seconds_began);
  lab->reading = INFINITY;
  for (int i = 0; i < 1000; i++)
    {
      const uint64_t before = esk_lab_ticks ();
      const double ticks = (double) (esk_lab_ticks () - before);

      lab->reading = ticks < lab->reading ? ticks : lab->reading;
    }
  /* A core at rest takes some milliseconds to reach its clock. */
  while (esk_lab_seconds () < begin + 0.02)
    esk_lab_clock_calibrate (lab);
}

/* What it would be without a clock that changes meanwhile: the least of pieces over the least of additions between
 * them, so that interruptions and other programs, which only ever make either longer, do not count. */
static double
take_sample (EskLab     *lab,
             EskLabPiece piece,
             void       *data,
             double      operations,
             double     *clock)
{
  double least = INFINITY, additions = INFINITY;
  const double begin = esk_lab_seconds ();

  for (int i = 0; i < MOST_PIECES && (i < LEAST_PIECES || esk_lab_seconds () < begin + SAMPLE_SECONDS); i++)
    {
      uint64_t before;
      double ticks;

      if (esk_lab_poll (lab) != ESK_LAB_OK)
        return -1.0;
      additions = least_of_additions (lab, 2, additions);
      before = esk_lab_ticks ();
      piece (data);
      ticks = (double) (esk_lab_ticks () - before) - lab->reading;
      least = ticks < least ? ticks : least;
    }
  *clock = least_of_additions (lab, 2, additions);

  return least / operations / *clock;
}

int
esk_lab_clock_measure (EskLab         *lab,
                       const EskProbe *probe,
                       EskLabPiece     piece,
                       void           *data,
                       double          operations,
                       EskProbeResult *result)
{
  double sum = 0.0, longest = 0.0, hertz;
  uint32_t n = 0;

  for (uint32_t i = 0; i <= probe->repeats; i++)
    {
      /* Of processors whose cores are not alike, a sample is of one. From one to the next it may move on, away from
       * others' work. */
      EskLabCpus before;
      const bool stays = esk_lab_stay (&before);
      double clock = 0.0, sample = take_sample (lab, piece, data, operations, &clock);

      if (stays)
        esk_lab_may_go (&before);
      if (esk_lab_poll (lab) != ESK_LAB_OK)
        return ESK_LAB_ERROR_CANCELLED;
      if (i == 0)
        continue;
      result->samples[n++] = sample;
      sum += clock;
      longest = clock > longest ? clock : longest;
    }

  hertz = esk_lab_ticks_hertz (lab);
  result->n = n;
  result->hertz = hertz / (sum / n);
  result->lowest_hertz = hertz / longest;
  return ESK_LAB_OK;
}

void
esk_lab_clock_note (EskLab         *lab,
                    EskProbeResult *result)
{
  const double hertz = esk_lab_ticks_hertz (lab) / esk_lab_clock_calibrate (lab);

  result->hertz = hertz;
  result->lowest_hertz = result->lowest_hertz > 0.0 && result->lowest_hertz < hertz ? result->lowest_hertz : hertz;
}
