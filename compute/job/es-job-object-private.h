/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "saving/es-inputs-internal.h"
#include "es-job-internal.h"
#include "es-time-left-internal.h"

G_BEGIN_DECLS

/* For the job's own files. */
struct _EsJob
{
  GObject            parent_instance;

  /* Fixed once made */
  const EsOperation *operation;
  EsDataset         *dataset;
  EsParams          *params;
  gboolean           automatic;
  char              *output_dir;
  EsInputs          *inputs;           /* files of the parameters */
  EsResult          *previous;
  EsResult          *source;           /* of an operation of results; nullable */
  EsSelection       *selection;        /* what takes part of a cube; nullable, the worker's once it runs */
  EsResult          *replaces;         /* whose place the result takes; nullable, the main context's */
  char              *title;
  GCancellable      *cancellable;
  gulong             cancel_handler;
  int                cancelled;        /* atomic: the same for the hot spots */
  GMainContext      *context;

  /* The worker's */
  EsLimits           limits;
  char              *reason;           /* of the automatic choice */
  double             choice_ms;        /* which starts and measures devices the first time */
  gboolean           prepared;         /* the device was ready; what went wrong, did so in the operation */
  EsDataset         *part;             /* what takes part, once it is looked for; the data set itself where all does */
  GError            *part_error;
  EsCheckpoint      *checkpoint;       /* nullable: nobody goes on from it */
  gboolean           cut;              /* the GPU's memory has been cut to a quarter */
  GPtrArray         *warnings;         /* of repetitions */
  EsUploadChoice     upload;           /* no threads: nothing was read for cards */
  char              *sums;             /* what added those of several processes: "MPI"; nullable */
  double             sums_joined_ms;

  /* Under the lock: written by the worker, read by everyone */
  GMutex             lock;
  GCond              has_ended;        /* active no longer */
  EsDevice          *device;           /* NULL: not chosen yet; devices live for ever */
  EsJobState         state;
  EsImageStack      *preview;
  EsCurve           *curve;            /* that grows */
  char              *stage_name;
  const char        *stage_title;
  double             stage_weight, weight_done, weight_total, fraction;
  gint64             stage_started, started, ended;
  EsTimeLeft         time_left;
  double             stage_moved_ms;   /* of this stage, accounted to others */
  double             disk_before;      /* es_disk_bytes () as it began */
  GArray            *stages;           /* EsStageTime */
  double             waited_ms;        /* for other processes, before this stage; of all jobs */
  EsResult          *result;
  GError            *error;
  gboolean           notify_queued;

  /* What the main context was told last */
  EsJobState         told_state;
  const char        *told_stage;
  double             told_progress;
  EsImageStack      *told_preview;
  EsCurve           *told_curve;
};

/* Its turn has come. FALSE where it was cancelled before. */
gboolean es_job_begin               (EsJob *self);
/* Its device is gone, and that is what went wrong: another one could repeat it. */
gboolean es_job_lost_device         (EsJob *self, const GError *error);
/* What the run is of, told to its checkpoint, where it has one; what that holds is there then: es-job-facts.c. */
gboolean es_job_begin_checkpoint    (EsJob *self, GError **error);
/* Published: the state, and the result or the error. */
void     es_job_end                 (EsJob *self, EsJobState state, EsResult *result, const GError *error);
/* Of several processes: where each ran, and what its steps took, in all of them. Ends the step under way. */
gboolean es_job_tell_processes      (EsJob *self, EsResult *result, GError **error);
/* With the lock held. */
void     es_job_account_locked      (EsJob *self, const char *name, const char *title, double ms);
void     es_job_end_stage_locked    (EsJob *self);
/* What of the samples came from a disk. */
void     es_job_tell_disk_locked    (EsJob *self);
/* The step of reading tells how samples came to the card, and why so. */
void     es_job_describe_input_locked (EsJob *self);
/* One idle under way at most, however often the worker reports. */
void     es_job_queue_notify_locked (EsJob *self);
/* 0..1, with the lock held. */
double   es_job_get_progress_locked (EsJob *self);

G_END_DECLS
