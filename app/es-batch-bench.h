/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-batch.h"

G_BEGIN_DECLS

#define ES_BENCH_MOST_ARGUMENTS 6

typedef enum
{
  ES_BENCH_INT16,
  ES_BENCH_FULL_RANGE,             /* uint16, the whole of it: the same scene, stretched */
  ES_BENCH_FLOAT32,
} EsBenchSamples;

/* One job of eigenscope-batch, as a whole process. */
typedef struct
{
  const char    *name;
  guint          width, height, bands;
  const char    *interleave;
  const char    *memory;           /* --memory, or NULL */
  const char    *operation;
  const char    *arguments[ES_BENCH_MOST_ARGUMENTS];
  guint          elements, seconds; /* a recording of 8 kHz int16 instead of a cube */
  EsBenchSamples samples;
} EsBench;

const EsBench *es_bench_list (guint *n);
/* NULL: there is none of that name. */
const EsBench *es_bench_find (const char *name);

/* Its sample in a folder. Transfer full. */
char     *es_bench_sample      (const EsBench *bench, const char *directory);
/* Makes it where it is not there yet, by `self`, the program itself. */
gboolean  es_bench_make_sample (const EsBench *bench, const char *self, const char *path, gboolean quiet);
/* What runs it: NULL-terminated; strings are of the arguments and of the table. Transfer container. */
char    **es_bench_command     (const EsBench *bench, const char *self, const char *path, const char *output);

/* Runs a program without output; wall time in ms and peak resident size in MB as the kernel counts them. */
gboolean  es_bench_time_process (char **argv, double *ms, double *peak_mb);

G_END_DECLS
