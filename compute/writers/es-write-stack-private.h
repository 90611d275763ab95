/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "layer/es-image-stack.h"
#include "saving/es-output-internal.h"
#include "es-writer.h"

G_BEGIN_DECLS

typedef struct
{
  EsImageStack *stack;
  EsStackFormat format;
  EsDataset    *dataset;       /* nullable: whose georeference goes along */
  const char   *description;   /* nullable */
  void        (*progress) (double fraction, gpointer data);
  gpointer      data;
  GCancellable *cancellable;
  gboolean      agreed;        /* the header may be another file's: es_companion_agree () */
  const char   *replaced;      /* nullable: a file of data that the header belongs to, and that goes with it */
  GPtrArray    *strays;        /* es_strays_keep () */
} EsStackJob;

/* Write everything but the last step, the renaming, which outputs does for several layers at once. */
gboolean es_write_stack_envi    (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error);
gboolean es_write_stack_geotiff (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error);
gboolean es_write_stack_hdf5    (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error);
/* The one of these for the job's format. */
gboolean es_write_stack         (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error);
/* Hands the file over that is behind the stack, where it has one beside the target, in the job's format. FALSE: not. */
gboolean es_stack_job_adopt     (const EsStackJob *job, const char *path, EsOutputs *outputs);

/* FALSE: a projection that GDAL cannot read, or a file not hold. */
gboolean es_write_knows_projection (EsCube *cube);
/* The georeference of what a stack was made from, where it has one of the same size. */
gboolean es_stack_job_get_georeference (const EsStackJob *job, const double **transform,
                                        const char **projection);
/* Tells the progress of a plane's rows; TRUE and an error where the job has been cancelled. */
gboolean es_stack_job_step (const EsStackJob *job, guint plane, guint64 rows, GError **error);
/* Rows of a plane that are moved at a time: some 4 MB. */
guint64  es_stack_job_rows (const EsStackJob *job);
/* Gives `write` every sample: rows of one plane after the other, or of all planes where the stack computes those at
 * once. rows_multiple: of the file's blocks. */
typedef gboolean (*EsStackWriteRows) (gpointer data, guint plane, guint64 y, guint64 rows, const float *values,
                                      GError **error);
gboolean es_stack_job_for_rows (const EsStackJob *job, guint64 rows_multiple, EsStackWriteRows write, gpointer data,
                                GError **error);

/* The same of rows of all planes at once: plane k at values + k * rows * width. */
typedef gboolean (*EsStackWriteTogether) (gpointer data, guint64 y, guint64 rows, const float *values, GError **error);
gboolean es_stack_job_for_all_planes (const EsStackJob *job, EsStackWriteTogether write, gpointer data, GError **error);

G_END_DECLS
