/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device-internal.h"
#include "es-beam-block-private.h"
#include "es-beam-geometry-internal.h"
#include "feed/es-frame-feed-internal.h"
#include "device/es-buffer-internal.h"
#include "recording/es-recording-internal.h"

G_BEGIN_DECLS

typedef struct _EsBeamMember EsBeamMember;

/* Where a block is on its way. */
typedef enum { ES_SLOT_EMPTY, ES_SLOT_READ, ES_SLOT_UPLOADED, ES_SLOT_COMPUTED } EsSlotStage;

/* What one block needs on its way; as many blocks are in flight as there are slots. */
typedef struct
{
  EsBeamMember *member;
  EsSlotStage   stage;
  guint64       frame;
  void         *samples;       /* host memory for them; NULL where the recording's own is used, or a feed brings them */
  gboolean      is_locked;     /* page-locked, of the pool */
  EskFrames     frames;        /* in the memory of the host, but for those that a feed brings */
  EsFeedBlock  *coming;        /* that the feed reads for it, and has not been copied yet; nullable */
  EsBuffer     *on_card;       /* the samples again; NULL on the CPU */
  EskFrames     card_frames;
  guint8       *results;       /* host memory */
  gboolean      results_locked;
  double        input, upload, transform, beams;       /* seconds */
  gboolean      is_before;     /* adaptive beams: heard for the sake of a later block, and no block comes of it */
  gboolean      begins;        /* nothing was heard before */
  EsBeamBlock  *block;         /* computed, without its conventional beams; nullable */
} EsBeamSlot;

/* A device that forms beams: the CPU, or one of the GPUs. */
struct _EsBeamMember
{
  EsDevice    *device;
  const EskHotspots *hotspots;
  EskStream   *stream, *upload_stream;   /* the second of GPUs only */
  EskDft      *dft;
  EskBeams    *near, *far;     /* nullable, not both */
  EsBuffer    *spectra_values, *results;
  EskChannelHealth *counted;   /* by a card until the block before; NULL on the CPU, which begins anew each time */
  EskSpectra   spectra;
  EskAdaptive *adaptive;       /* nullable, and what follows */
  EsBuffer    *adaptive_values;
  guint64      heard;          /* snapshots since it began */
};

struct _EsBeamformer
{
  EsRecording    *recording;
  EsArray        *array;
  EsBeamForm     *form;
  const EsBeamSettings *settings;      /* the form's */
  EsBeamGeometry *geometry;
  EsDevice       *device;
  guint           threads;
  gboolean        on_cpu;
  guint           n_members, n_slots;  /* slot i belongs to member i % n_members */
  EsBeamMember   *members;
  EsBeamSlot     *slots;

  /* Results as they lie in memory: by bin, near bands, health; bytes from the start. */
  gsize           band_at, health_at, results_bytes;
  guint           far_row, n_near;     /* far_row: n_ranges where there is none */
  gsize           sample_bytes;        /* of a block */
  EsFrameReader  *reader;              /* one thread at a time */
  EsFrameFeed    *feed;                /* what brings samples to cards; NULL: `reader` does, and a copy */

  EsElementHealth *health;             /* one an element of the array */
  guint          *elements;            /* of the array: the alive ones */
  double          setup_seconds;
  double          times[3];            /* seconds: input (with the upload), transform, beams */

  /* Reading ahead between calls of es_beamformer_process () */
  GThreadPool    *ahead;               /* NULL until it is needed */
  GMutex          lock;
  GCond           changed;
  EsBeamSlot     *ahead_slot;          /* being read, or read, for ahead_frame */
  guint64         ahead_frame, last_frame;
  gboolean        ahead_running, has_last;

  /* Adaptive beams */
  guint           memory;              /* blocks before one that join in */
  guint64         next_frame;          /* of the block that follows on what has been heard */
  gboolean        has_next;
  EsBeamBlock    *last;                /* of es_beamformer_process (); nullable */
  EsBeamMember   *last_member;
  double          probe_bearing, probe_frequency;      /* NAN: none */
  const int      *give_up;             /* what evaluations look at; never NULL */
  int             cancelled;           /* of runs and comparisons; what give_up is where nobody gave another */
};

/* The steps, on the thread that does them. Frames that are past the end are 0. _begin () is _read () but for what a
 * feed brings: that comes while others wait for it, in _upload (). With a feed _read () has done all of both. */
gboolean     _es_beamformer_begin   (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, GError **error);
gboolean     _es_beamformer_read    (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, GError **error);
/* FALSE without an error: _es_frame_feed_give_up () came between. */
gboolean     _es_beamformer_upload  (EsBeamformer *self, EsBeamSlot *slot, GError **error);
gboolean     _es_beamformer_compute (EsBeamformer *self, EsBeamSlot *slot, GError **error);
/* Takes the results of the slot; accounts its health and its times. */
EsBeamBlock *_es_beamformer_finish  (EsBeamformer *self, EsBeamSlot *slot);

/* Waits, and says what went wrong. */
gboolean     _es_beamformer_check   (EsBeamMember *member, EskStream *stream, int code, const char *what,
                                     GError **error);

/* es-beamformer-run.c: es_beamformer_run () that hears so many blocks before the first one. */
gboolean     _es_beamformer_run_after (EsBeamformer *self, guint64 first, guint64 step, guint64 n, guint64 before,
                                       EsBeamTake take, gpointer data, GCancellable *cancellable, GError **error);

/* es-beamformer-adaptive.c */
gsize        _es_beamformer_adaptive_bytes  (const EsBeamSettings *settings);        /* of adaptive_values */
gboolean     _es_beamformer_set_up_adaptive (EsBeamformer *self, EsBeamMember *member, GError **error);
/* The spectra of the slot's member join in. */
gboolean     _es_beamformer_add     (EsBeamformer *self, EsBeamSlot *slot, GError **error);
/* Of how many blocks before the one at `frame` it remembers something, as it begins anew. */
guint        _es_beamformer_count_before    (EsBeamformer *self, guint64 frame);
/* Hears so many blocks before `frame`, where it begins anew, or where it is. */
gboolean     _es_beamformer_hear    (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, guint n_before,
                                     gboolean anew, GError **error);
/* All that is missing before the block at `frame`; begins: whether that block is then the first. */
gboolean     _es_beamformer_hear_before     (EsBeamformer *self, EsBeamSlot *slot, guint64 frame, gboolean *begins,
                                             GError **error);
double       _es_beamformer_get_loading     (EsBeamformer *self, const EsBeamMember *member);
/* Powers of what has been heard, in the memory of the member. A code of the kernels. */
int          _es_beamformer_run_adaptive    (EsBeamformer *self, EsBeamMember *member, EsAdaptiveMethod method,
                                             double loading, guint sources, double *eigenvalues,
                                             EskAdaptiveReport *report);
/* by_bin (n_angles x n_bins of the far row) and field (n_ranges x n_angles) are nullable. */
gboolean     _es_beamformer_copy_adaptive   (EsBeamformer *self, EsBeamMember *member, EsBeamKind kind, float *by_bin,
                                             float *field, GError **error);
char        *_es_beamformer_describe_singular (EsBeamformer *self, const EskAdaptiveReport *report, double loading);
/* All that a block has of adaptive beams, of what has been heard. */
gboolean     _es_beamformer_adapt   (EsBeamformer *self, EsBeamMember *member, EsBeamBlock *block, GError **error);
/* es-beamformer-probe.c: after it, or of a block whose report has the loading. */
gboolean     _es_beamformer_probe   (EsBeamformer *self, EsBeamMember *member, EsBeamBlock *block, gboolean eigenvalues,
                                     GError **error);

/* es-beamformer-size.c */
/* How many devices work: with memory of blocks only one of several GPUs. */
guint        _es_beamformer_count_members (EsDevice *device, const EsBeamSettings *settings);
/* Bytes of the results of a block of so many living elements, and where band and health begin. */
guint64      _es_beamformer_measure_results (const EsBeamSettings *settings, guint n_alive, gsize *band_at,
                                             gsize *health_at);
/* Bytes of all of it, however much will be played; 0: nobody knows. */
guint64      _es_beamformer_measure_recording (EsRecording *recording);
/* As many slots a device as fit. ES_COMPUTE_ERROR_MEMORY where not even one does. */
gboolean     _es_beamformer_choose_slots (EsBeamformer *self, const EsLimits *limits, const EsUploadChoice *choice,
                                          guint *n_slots, GError **error);
/* Why a method would take too much memory, a sentence; NULL: it would not. Transfer full. */
char        *_es_beamformer_foresee_memory (EsBeamformer *self, EsAdaptiveMethod method);
/* es-beamformer-setup.c */
gboolean     _es_beamformer_set_up   (EsBeamformer *self, const EsLimits *limits, GError **error);
void         _es_beamformer_tear_down (EsBeamformer *self);

G_END_DECLS
