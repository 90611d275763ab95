/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The hot spots of a module as steps that are measured, and what they work on. */

#include "perf-hotspots.h"

/* Random samples that the planes are cut from, and the host's tile for load (). */
#define STAGING_BYTES ((size_t) 256 << 20)

/* For the copy and the sums that show the memory's rate: far more than caches hold. */
#define COPY_SIDE ((size_t) 16384)
#define COPY_BYTES (2 * COPY_SIDE * COPY_SIDE * sizeof (float))

typedef struct {
  const EskHotspots *table;
  const PerfScene   *scene;
  EskStream         *stream;
  char              *staging;
  size_t             n_pixels;
  double             memory_rate;          /* bytes per second, read or written; 0: not known */
  double             upload_rate;
  bool               first;                /* of the lines of JSON */
  int                code;                 /* the first that failed */
} Bench;

/* A hot spot on what it works on. */
typedef int (*Step) (Bench *bench, void *data);

typedef struct {
  EskTile       planes;
  EskSelection  selection;
  uint8_t      *valid;
  EskCovariance covariance;
  EskMatrix     basis;
  double       *mean, *minimum, *maximum, *sum;
  int64_t       count;
  float        *out;
  EskTile       tile;                      /* on the host */
} Work;

/* Residuals of a kind, and room for them. */
typedef struct {
  Work         *work;
  EskNoiseKind  kind;
  EskTile       out;
} Residuals;

/* A model of some components, and planes of their errors. */
typedef struct {
  Work      *work;
  EskMatrix  forward, backward;
} Errors;

typedef struct {
  size_t  n;
  double *matrix, *values, *vectors;
  double *data, *mixing;       /* of a pair: its noise is matrix */
} Eigen;

/* Each is given a Work, but for residuals (Residuals), errors (Errors), eigen (Eigen), and those given memory of the
 * device: copy and read (COPY_BYTES), upload and download (STAGING_BYTES). */
int step_covariance           (Bench *bench, void *data);
int step_collected_covariance (Bench *bench, void *data);
int step_project              (Bench *bench, void *data);
int step_residuals            (Bench *bench, void *data);
int step_errors               (Bench *bench, void *data);
int step_ranges               (Bench *bench, void *data);
int step_sums                 (Bench *bench, void *data);
int step_statistics           (Bench *bench, void *data);
int step_halve                (Bench *bench, void *data);
int step_copy                 (Bench *bench, void *data);
int step_read                 (Bench *bench, void *data);
int step_upload               (Bench *bench, void *data);
int step_download             (Bench *bench, void *data);
int step_load                 (Bench *bench, void *data);
int step_eigen                (Bench *bench, void *data);
int step_eigen_pair           (Bench *bench, void *data);
int step_eigen_leading        (Bench *bench, void *data);
