/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the files of the laboratory's CUDA back end share. C++ as nvcc compiles it, in the manner of the C around it: no
 * exceptions, no STL containers, no global constructors.
 *
 * A lab has a context of its own, beside the one that hot spots work in: closing it leaves theirs alone, and a kernel
 * that fails here spoils nothing there. Everything that a probe takes is noted and given back when it ends, whatever
 * way: a probe returns at once where something fails.
 */

#include <cuda_runtime.h>

#include "es-lab.h"
#include "es-lab-cuda-driver-private.h"
#include "es-lab-cuda-nvml-private.h"

/* What a probe may hold at a time. */
#define LAB_MOST_TAKEN 512

typedef enum {
  LAB_TAKEN_DEVICE,
  LAB_TAKEN_HOST,              /* cudaHostAlloc () */
  LAB_TAKEN_MANAGED,
  LAB_TAKEN_MAPPING,           /* mmap () */
  LAB_TAKEN_REGISTRATION,      /* cudaHostRegister () of a mapping */
  LAB_TAKEN_STREAM,
  LAB_TAKEN_EVENT,
  LAB_TAKEN_GRAPH,
  LAB_TAKEN_GRAPH_READY,
  LAB_TAKEN_TEXTURE,
} LabTakenKind;

typedef struct {
  LabTakenKind  kind;
  void         *thing;
  uint64_t      number;        /* bytes of a mapping; a texture */
} LabTaken;

struct _EskLab {
  int          ordinal;        /* CUDA's own number */
  int          device;         /* the driver's CUdevice */
  void        *context;        /* CUcontext, of our own */
  cudaStream_t stream;
  int          major, minor, units, unit_threads;
  uint64_t     memory, l2, shared_optin;
  int          can_cooperate, can_map, watchdog;
  int          managed, managed_pages, pageable_access, host_tables;   /* as EskLabMachine has them */
  char         name[256];
  char         bus[32];        /* "0000:1b:00.0" */
  LabNvml      nvml;
  int          hidden;         /* programs that NVML counts and that are this one under another number */

  int          cancelled;      /* atomic */
  char         error[256];

  LabTaken     taken[LAB_MOST_TAKEN];
  unsigned     n_taken;

  double       looked;         /* when the clock was last asked of NVML, seconds of lab_now () */
  double       lowest_hertz;   /* of the probe under way */
  double       worked;         /* when the last probe ended */

  uint64_t     both_bytes;     /* ESK_PROBE_BOTH: the last share that was found, and of what */
  uint32_t     both_rounds, both_threads;
  uint64_t     both_elements;
};

/* A kind of probe, its back end: `has` may be NULL where every card and every probe will do. */
typedef struct {
  int         (*has)     (const EskLab *lab, const EskProbe *probe);
  int         (*measure) (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
  const char  *subject;        /* of the source that people read: `lab: SUBJECT` in the .cu files */
  int          clocked;        /* it works on the card, whose clock is measured before and after */
} LabKind;

extern const LabKind lab_kind_empty, lab_kind_arithmetic, lab_kind_chase, lab_kind_throughput, lab_kind_matrix;
extern const LabKind lab_kind_branch_order, lab_kind_divergence, lab_kind_sharing, lab_kind_order, lab_kind_conflict;
extern const LabKind lab_kind_private_array, lab_kind_copy, lab_kind_read, lab_kind_write, lab_kind_move;
extern const LabKind lab_kind_library_copy, lab_kind_host_access, lab_kind_atomic, lab_kind_launch, lab_kind_allocate;
extern const LabKind lab_kind_link, lab_kind_peer, lab_kind_barrier, lab_kind_plan, lab_kind_dot, lab_kind_mandelbrot;
extern const LabKind lab_kind_overlap, lab_kind_both;

/* --- es-lab-cuda-device.cu ------------------------------------------------------------------------------ */

unsigned lab_count    (void);
int      lab_open     (unsigned index, EskLab **lab, char *reason, size_t n);
void     lab_close    (EskLab *lab);
/* Makes the lab's context the calling thread's; `before`: the one that was, for lab_leave (). */
int      lab_enter    (EskLab *lab, void **before);
void     lab_leave    (void *before);

/* --- es-lab-cuda-machine.cu ----------------------------------------------------------------------------- */

int      lab_describe (EskLab *lab, EskLabMachine *machine);
int      lab_state    (EskLab *lab, EskLabState *state);

/* --- es-lab-cuda-take.cu: what belongs to the probe under way ------------------------------------------- */

/* ESK_LAB_OK, or what a call of CUDA came to: `what` and the reason for last_error (). */
int          lab_check          (EskLab *lab, cudaError_t status, const char *what);
/* A sentence of ours for last_error (); returns code. */
int          lab_refuse         (EskLab *lab, int code, const char *sentence);
/* ESK_LAB_ERROR_CANCELLED once cancel () was called. */
int          lab_cancelled      (EskLab *lab);

/* At least `bytes` of the card's, aligned to 256; NULL: `*code` says why. */
void        *lab_device_memory  (EskLab *lab, uint64_t bytes, int *code);
/* Host memory of a kind, every page of it touched; NULL: `*code` says why. */
void        *lab_host_memory    (EskLab *lab, EskLabMemory memory, uint64_t bytes, int *code);
/* memset (), in pieces between which it looks whether it was cancelled. */
int          lab_fill           (EskLab *lab, void *memory, int value, uint64_t bytes);
/* Pageable memory that nobody has touched, `large`: of large pages where the system gives them. */
void        *lab_mapping        (EskLab *lab, uint64_t bytes, bool large, int *code);
/* Whether half of what the host has left would hold it. */
bool         lab_host_has       (uint64_t bytes);
cudaStream_t lab_stream         (EskLab *lab, int *code);
cudaEvent_t  lab_event          (EskLab *lab, int *code);
/* Notes a thing; where there is no room it is given back at once and NULL returned. */
void        *lab_note           (EskLab *lab, LabTakenKind kind, void *thing, uint64_t number, int *code);
/* Gives one thing back before its time: what the probe measures is that. */
cudaError_t  lab_give_back      (EskLab *lab, void *thing, LabTakenKind kind);
/* Everything, the newest first, after the card has come to rest. */
void         lab_give_all_back  (EskLab *lab);

/* --- es-lab-cuda-managed.cu ----------------------------------------------------------------------------- */

bool  lab_is_managed      (EskLabMemory memory);
/* Whether the card has so much of such a kind of it. */
bool  lab_has_managed     (const EskLab *lab, EskLabMemory memory, uint64_t bytes);
/* Untouched; NULL: `*code` says why. */
void *lab_managed_memory  (EskLab *lab, uint64_t bytes, int *code);
/* Until a kernel has read all of it, or, where it is asked for beforehand, until it is there. sum: eight bytes of the
 * card's, to which a kernel adds what it read. */
int   lab_managed_to_card (EskLab *lab, EskLabMemory memory, void *array, uint64_t bytes, unsigned long long *sum);
/* Until the processor has touched every page. */
int   lab_managed_to_host (EskLab *lab, EskLabMemory memory, void *array, uint64_t bytes);
/* A kernel writes all of it, where it is: missing pages come, or are made. */
int   lab_managed_touch   (EskLab *lab, void *array, uint64_t bytes);
/* Written by the card, where it is from then on. */
int   lab_managed_fill    (EskLab *lab, void *array, uint64_t bytes, unsigned char value);
/* What the card finds in it: the sum of its 32-bit words in whole vectors of 16 bytes, and of the bytes after them. */
int   lab_managed_sum     (EskLab *lab, const void *array, uint64_t bytes, unsigned long long *sum,
                           unsigned long long *value);
/* ESK_PROBE_LINK of such memory. */
int   lab_measure_managed (EskLab *lab, const EskProbe *probe, EskProbeResult *result);

/* --- es-lab-cuda-time.cu -------------------------------------------------------------------------------- */

/* The host's clock, seconds. */
double lab_now       (void);
/* Waits for the lab's stream, having looked at the card's clock while it works. */
int    lab_wait      (EskLab *lab);
/* Copies from the card in the order of the lab's stream, and waits. */
int    lab_fetch     (EskLab *lab, void *to, const void *from, uint64_t bytes);
/* To the card; the host's may change when it returns. */
int    lab_upload    (EskLab *lab, void *to, const void *from, uint64_t bytes);
/* The card's own clock against its own time: clocks a second, 0: unknown. Spins `milliseconds`. */
double lab_hertz     (EskLab *lab, double milliseconds);
/* Asks NVML for the clock where it was not asked for a while. */
void   lab_look      (EskLab *lab);

#define LAB_TRY(call) do { int lab_code = (call); if (lab_code != ESK_LAB_OK) return lab_code; } while (0)

/*
 * once (double *sample) -> code, probe->repeats times and once more before, which warms up and does not count.
 */
template <typename Once>
static int
lab_repeat (EskLab         *lab,
            const EskProbe *probe,
            EskProbeResult *result,
            Once            once)
{
  for (uint32_t k = 0; k <= probe->repeats; k++)
    {
      double sample = 0.0;

      LAB_TRY (lab_cancelled (lab));
      LAB_TRY (once (&sample));
      if (k > 0)
        result->samples[result->n++] = sample;
    }

  return lab_cancelled (lab);
}

/*
 * Seconds of what launch () puts on the lab's stream, by the card's events. launch () -> code.
 */
template <typename Launch>
static int
lab_timed (EskLab      *lab,
           cudaEvent_t  events[2],
           double      *seconds,
           Launch       launch)
{
  float milliseconds = 0.0f;

  LAB_TRY (lab_check (lab, cudaEventRecord (events[0], lab->stream), "cudaEventRecord"));
  LAB_TRY (launch ());
  LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
  LAB_TRY (lab_check (lab, cudaEventRecord (events[1], lab->stream), "cudaEventRecord"));
  LAB_TRY (lab_wait (lab));
  LAB_TRY (lab_check (lab, cudaEventElapsedTime (&milliseconds, events[0], events[1]), "cudaEventElapsedTime"));
  *seconds = milliseconds * 1e-3;

  return ESK_LAB_OK;
}

/* Two events for it. */
int    lab_two_events (EskLab *lab, cudaEvent_t events[2]);
