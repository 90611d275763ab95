/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A module of ladders that computes nothing: its rungs take what was published of a Tesla K20c, and what it makes up of
 * the program's own and of libraries, whatever the size and the device. ES_FAKE_LADDER: words that change it: "none"
 * cannot be opened, "poor" has no memory for the data, "shared" refuses the fourth rung for its shared memory, "slow"
 * the first for its time, "wrong" has a second rung whose result is off, "broken" a second one that the device fails
 * at, "dead" all of them, "today" steps that bring nothing, "behind" a library that is faster than the program,
 * "unsteady" samples that spread, "sizeless" takes work of no size, "odd" has results that are off with 256 threads.
 */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "es-ladder.h"

#define COUNT(list) (sizeof list / sizeof list[0])
#define SOURCE(lines) "void\nrung (const unsigned char *x, float *y)\n{\n" lines "}\n"

typedef struct {
  EskRung  rung;
  double   ms, bytes, operations;
  uint32_t registers, local, launches;
} Rung;

#define STEP(id, below, strategies, source, ms, ...) \
  { { id, ESK_RUNG_STEP, strategies, below, source }, ms, __VA_ARGS__ }
#define OWN(ms, ...) \
  { { "production", ESK_RUNG_PRODUCTION, "", NULL, SOURCE ("  all ();\n") }, ms, __VA_ARGS__ }
#define LIBRARY(ms, ...) { { "library", ESK_RUNG_LIBRARY, "", NULL, NULL }, ms, __VA_ARGS__ }

static const Rung covariance[] = {
  STEP ("v0", NULL, "", SOURCE ("  sum (x, y);\n"), 8262.08, 1e12, 67e9, 20, 0, 1),
  STEP ("v1", "v0", "G_3", SOURCE ("  sum (transposed (x), y);\n"), 774.98, 1e12, 67e9, 22, 0, 1),
  STEP ("v2", "v1", "G_3 S_5", SOURCE ("  share (x);\n  sum (transposed (x), y);\n"), 750.53, 5e11, 67e9, 24, 0, 1),
  STEP ("v3", "v2", "G_3 S_4 S_5 S_6", SOURCE ("  tile (x);\n  sum (transposed (x), y);\n"), 432.08, 2e10, 67e9, 32,
        0, 1),
  STEP ("v4", "v3", "G_3 S_1 S_4 S_5 S_6", SOURCE ("  tile (transposed (x));\n  sum (x, y);\n"), 269.42, 2e10, 67e9, 32,
        0, 1),
  STEP ("v4-1", "v3", "G_3 S_1 S_4 S_5 S_6", SOURCE ("  tile (padded (x, 1));\n  sum (x, y);\n"), 431.86, 2e10, 67e9,
        32, 0, 1),
  STEP ("v4-4", "v3", "G_3 S_1 S_4 S_5 S_6", SOURCE ("  tile (padded (x, 4));\n  sum (x, y);\n"), 429.54, 2e10, 67e9,
        32, 0, 1),
  OWN (30, 1e9, 34e9, 64, 0, 1), LIBRARY (60, 4e9, 67e9, 0, 0, 1),
};
static const Rung transform[] = {
  STEP ("v0", NULL, "", SOURCE ("  multiply (x, y);\n"), 137.38, 3e10, 8e9, 20, 0, 1),
  STEP ("v1", "v0", "C_6", SOURCE ("  multiply (x, constant (y));\n"), 88.84, 15e9, 8e9, 20, 0, 1),
  STEP ("v2", "v1", "C_6 S_5", SOURCE ("  share (x);\n  multiply (x, constant (y));\n"), 67.99, 1e9, 8e9, 20, 0, 1),
  OWN (20, 1e9, 8e9, 64, 0, 1), LIBRARY (25, 4e9, 8e9, 0, 0, 1),
};
static const Rung ica[] = {
  STEP ("v0", NULL, "", SOURCE ("  step (x, y);\n"), 4.54, 1e9, 1e9, 20, 0, 162),
  STEP ("v1", "v0", "R_5", SOURCE ("  float s;\n  step (x, y);\n"), 3.86, 7e8, 1e9, 20, 0, 162),
  STEP ("v2", "v1", "R_5 S_5", SOURCE ("  share ();\n  step (x, y);\n"), 3.05, 5e8, 1e9, 20, 0, 162),
  STEP ("v3", "v2", "R_5 S_5 G_3", SOURCE ("  share ();\n  step (x, transposed (y));\n"), 2.92, 5e8, 1e9, 20, 0, 162),
  STEP ("v4", "v3", "R_5 S_5 G_3 M", SOURCE ("  all (x, y);\n"), 2.53, 3e8, 1e9, 20, 0, 3),
  STEP ("v5", "v4", "R_5 S_5 G_3 M Z", SOURCE ("  all (x, mapped (y));\n"), 2.47, 3e8, 1e9, 20, 0, 3),
  OWN (1, 1e8, 1e9, 64, 0, 1), LIBRARY (2, 4e8, 1e9, 0, 0, 3),
};
static const Rung noise[] = {
  STEP ("v0", NULL, "", SOURCE ("  sort (x);\n"), 123.38, 1e10, 1e10, 20, 36, 1),
  STEP ("v1", "v0", "R_3", SOURCE ("  mean (x);\n"), 25.96, 5e9, 1e9, 12, 0, 1),
  STEP ("v2", "v1", "R_3 S_5", SOURCE ("  share ();\n  mean (x);\n"), 22.00, 2e9, 1e9, 12, 0, 1),
  STEP ("v3", "v2", "R_3 S_4 S_5 S_6", SOURCE ("  tile ();\n  mean (x);\n"), 20.88, 1e9, 1e9, 12, 0, 1),
  OWN (5, 6e8, 1e9, 32, 0, 1),
};
static const Rung fourier[] = {
  STEP ("v0", NULL, "", SOURCE ("  define (x, y);\n"), 500, 1e10, 4e9, 20, 0, 1),
  STEP ("v1", "v0", "", NULL, 17.71, 1e8, 3e8, 0, 0, 512),
  { { "v2", ESK_RUNG_LIBRARY, "L", "v1", NULL }, 6.36, 1e8, 3e8, 0, 0, 1 },
  OWN (5, 1e8, 3e8, 32, 0, 1),
};
static const Rung beams[] = {
  STEP ("v0", NULL, "S_5", SOURCE ("  turn (x, y);\n"), 186.05, 1e10, 1e10, 20, 0, 8),
  STEP ("v1", "v0", "S_5 R_5", SOURCE ("  turn (x, y, arguments);\n"), 170.72, 1e10, 1e10, 20, 0, 8),
  STEP ("v2", "v1", "S_5 R_5 G_3", SOURCE ("  turn (transposed (x), y, arguments);\n"), 120.45, 1e10, 1e10, 20, 0, 8),
  STEP ("v3", "v2", "S_5 R_5 G_3", SOURCE ("  turn (transposed (x), transposed (y), arguments);\n"), 61.88, 5e9, 1e10,
        20, 0, 8),
  OWN (10, 1e9, 4e9, 32, 0, 1),
};
static const Rung jacobi[] = {
  STEP ("v0", NULL, "", SOURCE ("  rotate (x, y);\n"), 31.30, 2e9, 2e10, 20, 0, 3069),
  STEP ("v1", "v0", "R_5", SOURCE ("  float s, c;\n  rotate (x, y);\n"), 29.93, 2e9, 2e10, 20, 0, 3069),
  STEP ("v2", "v1", "R_5 G_3", SOURCE ("  float s, c;\n  rotate (x, transposed (y));\n"), 27.40, 2e9, 2e10, 20, 0,
        3069),
  OWN (9, 1e9, 2e10, 32, 0, 1023), LIBRARY (15, 1e9, 1e10, 0, 0, 1),
};
static const Rung azimuth[] = {
  STEP ("v0", NULL, "", SOURCE ("  power (x, y);\n"), 51.92, 1e9, 1e9, 20, 0, 1),
  STEP ("v1", "v0", "G_3", SOURCE ("  power (transposed (x), y);\n"), 7.33, 1e9, 1e9, 20, 0, 1),
  STEP ("v2", "v1", "G_3 S_5", SOURCE ("  share ();\n  power (transposed (x), y);\n"), 7.07, 1e9, 1e9, 20, 0, 1),
  STEP ("v3", "v2", "G_3 S_5 S_6", SOURCE ("  share (y);\n  power (transposed (x), y);\n"), 5.35, 5e8, 1e9, 20, 0, 1),
  OWN (1, 5e7, 1e9, 32, 0, 1), LIBRARY (2, 5e7, 1e9, 0, 0, 2),
};

#define LADDER(list) { list, COUNT (list) }
static const struct { const Rung *rungs; unsigned n; } ladders[ESK_N_LADDERS] = {
  [ESK_LADDER_COVARIANCE] = LADDER (covariance), [ESK_LADDER_TRANSFORM] = LADDER (transform),
  [ESK_LADDER_ICA] = LADDER (ica), [ESK_LADDER_NOISE] = LADDER (noise), [ESK_LADDER_FOURIER] = LADDER (fourier),
  [ESK_LADDER_BEAMS] = LADDER (beams), [ESK_LADDER_JACOBI] = LADDER (jacobi), [ESK_LADDER_AZIMUTH] = LADDER (azimuth),
};

#define MOST_RUNGS 16
static EskRung listed[ESK_N_LADDERS][MOST_RUNGS];

struct _EskLadder {
  volatile int  cancelled;
  EskLadderKind kind;
  EskLadderSize size;
  unsigned      measured;
  const char   *said;
};

/* Called in the midst of each measurement by the thread that measures, where it is set. */
extern void (*fake_ladder_on_measure) (void) __attribute__ ((visibility ("default")));
void (*fake_ladder_on_measure) (void);
/* How many ladders are open. */
extern int fake_ladder_open __attribute__ ((visibility ("default")));
int fake_ladder_open;

static bool
told (const char *word)
{
  const char *words = getenv ("ES_FAKE_LADDER");

  return words != NULL && strstr (words, word) != NULL;
}

static const EskRung *
ladder_rungs (EskLadderKind kind, unsigned *n)
{
  *n = ladders[kind].n;
  for (unsigned i = 0; i < *n; i++)
    listed[kind][i] = ladders[kind].rungs[i].rung;
  return listed[kind];
}

static void
ladder_least (EskLadderKind kind, const EskLadderSize *size, double *bytes, double *operations)
{
  (void) size;
  *bytes = ladders[kind].rungs[ladders[kind].n - 1].bytes / 2;
  *operations = ladders[kind].rungs[0].operations / 2;
}

static int
ladder_open (unsigned index, const EskHotspots *production, EskLadder **ladder, char *reason, size_t n)
{
  (void) production;
  if (told ("none") || index > 0)
    {
      snprintf (reason, n, "there is no ladder");
      return ESK_LADDER_ERROR_DEVICE;
    }
  *ladder = calloc (1, sizeof **ladder);
  if (*ladder == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  (*ladder)->said = "";
  fake_ladder_open++;
  return ESK_LADDER_OK;
}

static void
ladder_close (EskLadder *ladder)
{
  fake_ladder_open--;
  free (ladder);
}

static int
ladder_prepare (EskLadder *ladder, EskLadderKind kind, const EskLadderSize *size)
{
  if (ladder->cancelled)
    return ESK_LADDER_ERROR_CANCELLED;
  if (told ("poor"))
    return ESK_LADDER_ERROR_MEMORY;
  if (told ("sizeless"))
    {
      ladder->said = "nothing was expected";
      return ESK_LADDER_ERROR_ARGUMENT;
    }
  ladder->kind = kind;
  ladder->size = *size;
  return ESK_LADDER_OK;
}

static int
fail (EskLadder *ladder, const char *said)
{
  ladder->said = said;
  return ESK_LADDER_ERROR_DEVICE;
}

static int
refuse (EskRungResult *result, EskRungWhy why, double amount, double limit)
{
  result->why = why;
  result->amount = amount;
  result->limit = limit;
  return ESK_LADDER_ERROR_REFUSED;
}

static double
seconds_of (const EskLadder *ladder, const Rung *rung)
{
  double ms = rung->ms;

  if (told ("today") && rung->rung.kind == ESK_RUNG_STEP)
    ms = ladders[ladder->kind].rungs[0].ms;
  if (told ("behind") && rung->rung.kind == ESK_RUNG_PRODUCTION)
    ms *= 10;
  /* By the threads of a block, away from what is best. */
  if (ladder->size.threads > 0)
    ms *= 1 + 0.1 * fabs (log2 (ladder->size.threads / 128.0));
  return 1e-3 * ms;
}

static int
ladder_measure (EskLadder *ladder, unsigned i, unsigned repeats, double seconds, EskRungResult *result)
{
  const Rung *rung = &ladders[ladder->kind].rungs[i];
  const double takes = seconds_of (ladder, rung);

  (void) seconds;
  *result = (EskRungResult) { 0 };
  ladder->said = "";
  if (fake_ladder_on_measure != NULL)
    fake_ladder_on_measure ();
  if (ladder->cancelled)
    return ESK_LADDER_ERROR_CANCELLED;
  if (told ("dead") || (told ("broken") && i == 1))
    return fail (ladder, "an illegal address");
  if (told ("shared") && i == 3)
    return refuse (result, ESK_WHY_SHARED, 131072, 101376);
  if (told ("slow") && i == 0)
    return refuse (result, ESK_WHY_TIME, 8.26, 2);
  for (result->n = 0; result->n < repeats; result->n++)
    result->samples[result->n] = takes * (told ("unsteady") ? 1 + 0.01 * (result->n % 5) : 1);
  result->preparation = rung->rung.kind == ESK_RUNG_STEP ? 0.001 : 0;
  result->bytes = rung->bytes;
  result->operations = rung->operations;
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = rung->launches;
  result->registers = rung->registers;
  result->local = rung->local;
  result->threads = ladder->size.threads > 0 ? ladder->size.threads : 128;
  result->blocks = 224;
  result->occupancy = 0.5;
  result->tolerance = 1e-5;
  result->error = (told ("wrong") && i == 1) || (told ("odd") && ladder->size.threads == 256) ? 0.5 : 1e-7;
  ladder->measured = i;
  return ESK_LADDER_OK;
}

static int64_t
ladder_output (EskLadder *ladder, double *values, size_t n)
{
  if (n > 0)
    values[0] = ladder->measured;
  return 1;
}

static void
ladder_cancel (EskLadder *ladder)
{
  ladder->cancelled = 1;
}

static void
ladder_resume (EskLadder *ladder)
{
  ladder->cancelled = 0;
}

static const char *
ladder_last_error (EskLadder *ladder)
{
  return ladder->said;
}

static const EskLadderTable table = {
  .abi = ESK_LADDER_ABI, .name = "fake", .rungs = ladder_rungs, .least = ladder_least, .open = ladder_open,
  .close = ladder_close, .prepare = ladder_prepare, .measure = ladder_measure, .output = ladder_output,
  .cancel = ladder_cancel, .resume = ladder_resume, .last_error = ladder_last_error,
};

const EskLadderTable *esk_ladder_module (unsigned abi, char *reason, size_t n)
  __attribute__ ((visibility ("default")));

const EskLadderTable *
esk_ladder_module (unsigned abi, char *reason, size_t n)
{
  if (abi == ESK_LADDER_ABI)
    return &table;
  snprintf (reason, n, "it is of another version");
  return NULL;
}
