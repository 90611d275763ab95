/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"
#include "base/es-params.h"
#include "device/es-limits.h"
#include "es-result.h"

G_BEGIN_DECLS

typedef struct _EsJob EsJob;

/* What a run will cost; pure arithmetic, computed for the panel at every change of a parameter. */
typedef struct
{
  guint   passes;
  guint64 tiles;               /* of one pass */
  guint64 tile_width, tile_height;
  guint64 read_bytes;          /* all passes */
  guint64 written_bytes;       /* the result's layers; an estimate where their size depends on the data */
  double  flops;
  guint64 memory;              /* peak bytes of buffers, tiles and sums of all lanes */
  guint64 device_memory;       /* the same of the memory of GPUs, of all together; 0 on the CPU */
  double  seconds;             /* on this device, by its measured speed */
  guint   guessed;             /* iterations that the seconds rest on, where nobody knows how many it takes; else 0 */
  double  host_seconds;        /* of these: eigenproblems and what else the host does beside the passes */
} EsPlan;

/* What an operation is: one const object beside its code, one line in the registry. */
struct _EsOperation
{
  const char        *id;               /* "pca" */
  const char        *title;            /* N_("Principal components") */
  const char        *short_title;      /* N_("PCA") */
  /* N_("Along a manifold"): what the operations of a kind of data that follow each other have in common, a heading in
   * lists of them; nullable. */
  const char        *group;
  const char        *summary;          /* N_(), a sentence or two: the help page's first */
  unsigned           version;          /* raised when the meaning of a result changes */
  EsDatasetKind      takes;            /* a set of flags */
  gboolean           of_result;        /* works on another operation's result: es_job_set_source () */
  gboolean           by_ranks;         /* several processes share the work (es-ranks.h); else one of them does it */
  gboolean           on_host;          /* the processor does all of it, whichever device is told */
  gboolean           resumes;          /* goes on from a checkpoint (es_job_set_checkpoint ()) */
  const EsParamSpec *params;           /* closed by ES_PARAM_END */

  EsPlan    (*plan) (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits);
  /* Nullable: the titles of the planes of the result's first stack of images, before anything is computed; where their
   * number depends on the data, of as many as there can be. dataset: as plan ()'s. Transfer full. */
  char    **(*list_planes) (EsDataset *dataset, EsParams *params);
  EsResult *(*run)  (EsJob *job, EsDataset *dataset, EsParams *params, GError **error);
};

/* The plan's seconds, as they are shown, and what they rest on: "11 s if 300 iterations do". Transfer full. */
char     *es_plan_hedge            (const EsPlan *plan, const char *seconds);
/* The eigenscope-batch line that does it; device_id NULL: automatic. Transfer full. */
char     *es_operation_to_command (const EsOperation *operation, EsDataset *dataset, EsParams *params,
                                   const char *device_id);

G_END_DECLS
