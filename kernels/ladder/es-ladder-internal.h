/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What ladders share, whatever climbs them: es-ladder.c measures, an engine (the processor's or the cards') knows its
 * machine, and a subject is one ladder of one engine.
 */

#include "es-ladder.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ESK_LADDER_MOST_RUNGS 24

/* One ladder of one engine. `work` is what prepare () made. All are called with the engine entered; codes are
 * ESK_LADDER_OK or negative. */
typedef struct EskSubject {
  const EskRung *rungs;        /* without their source: the engine's text () of "LADDER-ID" */
  unsigned       n_rungs;      /* at most ESK_LADDER_MOST_RUNGS */
  void    (*least)   (const EskLadderSize *size, double *bytes, double *operations);
  /* Host and device memory, filled. What it had taken is given back where it fails. May take long: ends soon after
   * cancel (), as all does. */
  int     (*prepare) (EskLadder *ladder, const EskLadderSize *size, void **work);
  void    (*clear)   (EskLadder *ladder, void *work);
  /* What the rung lays out once (timed by `preparation`, seconds, which it fills itself where there is any) and all of
   * the result but samples and error; or a refusal, esk_ladder_refuse (). The outcome of before is forgotten. */
  int     (*begin)   (EskLadder *ladder, void *work, unsigned rung, EskRungResult *result);
  /* The whole work, once; may return before a card is done. Rungs that may take long do it in pieces and call
   * esk_ladder_pause () between them. Called several times. */
  int     (*run)     (EskLadder *ladder, void *work, unsigned rung);
  /* Brings the outcome of the last run to the host and holds it against the definition: error and tolerance. */
  int     (*finish)  (EskLadder *ladder, void *work, unsigned rung, EskRungResult *result);
  /* Gives back what begin () took; always called after it, also when it failed. */
  void    (*end)     (EskLadder *ladder, void *work, unsigned rung);
  /* The outcome that finish () brought: EskLadderTable.output (). */
  int64_t (*output)  (void *work, double *values, size_t n);
} EskSubject;

typedef struct {
  const char *name;
  int  (*open)  (EskLadder *ladder, char *reason, size_t n);
  void (*close) (EskLadder *ladder);
  int  (*enter) (EskLadder *ladder);           /* before anything else that it is asked */
  int  (*wait)  (EskLadder *ladder);           /* until all that was asked is done */
  const char *(*text) (const char *name);      /* of a rung, "covariance-v0", as make-texts.py cut it out; NULL: none */
  const EskSubject *const *subjects;           /* ESK_N_LADDERS, by kind */
  EskRung (*told)[ESK_LADDER_MOST_RUNGS];      /* ESK_N_LADDERS: room for rungs with their texts */
} EskLadderEngine;

struct _EskLadder {
  const EskLadderEngine *engine;
  unsigned               index;
  const EskHotspots     *production;           /* nullable */
  EskStream             *stream;               /* of production; NULL where that is */
  void                  *own;                  /* the engine's */

  const EskSubject      *subject;              /* NULL: nothing is prepared */
  EskLadderSize          size;
  void                  *work;
  int                    finished;             /* work holds an outcome */

  int                    cancelled;            /* atomic */
  char                   error[256];
  double                 began, limit;         /* of the run under way, seconds */
  EskRungResult         *result;
};

/* The host's clock, seconds. */
double esk_ladder_now       (void);
/* Between two pieces of a run of which `share` (0..1) is asked for so far: waits for the machine, and tells whether to
 * go on: ESK_LADDER_ERROR_CANCELLED, or _REFUSED where the whole would take longer than granted. */
int    esk_ladder_pause     (EskLadder *ladder, double share);
int    esk_ladder_cancelled (EskLadder *ladder);
/* Of work that is made before anything is measured: ESK_LADDER_ERROR_MEMORY where `bytes` of the host's memory would
 * leave too little for what rungs take and for others. */
int    esk_ladder_room      (double bytes);
/* Bytes of the host's memory that may be taken now: a share of what the system could give; infinite where it does not
 * say. */
double esk_ladder_memory_there (void);
/* Fills the result and returns ESK_LADDER_ERROR_REFUSED. needs: English, nullable. */
int    esk_ladder_refuse    (EskRungResult *result, EskRungWhy why, double amount, double limit, const char *needs);
/* A sentence without a full stop for last_error (); returns code. */
int    esk_ladder_fail      (EskLadder *ladder, int code, const char *sentence);
/* What a hot spot returned, as a code of ladders, with what the back end said. */
int    esk_ladder_produced  (EskLadder *ladder, int code);
/* Where the rung of that id is, n_rungs: nowhere. */
unsigned esk_ladder_find    (const EskSubject *subject, const char *id);

/* Samples from one plane to the next where the program keeps planes in a device's memory. */
static inline size_t
esk_ladder_plane (size_t width,
                  size_t height)
{
  return width * ((height + 15) / 16 * 16);
}

/* Samples: the same on every machine. splitmix64 of `seed` and `at` (es-hotspots-ica.h), 64 bits; and of it a number
 * of -1 .. 1. */
static inline uint64_t
esk_ladder_hash (uint64_t seed,
                 uint64_t at)
{
  return esk_sample_hash (seed, at);
}
static inline double
esk_ladder_random (uint64_t seed,
                   uint64_t at)
{
  return (double) (int64_t) esk_ladder_hash (seed, at) * (1.0 / 9223372036854775808.0);
}

/* The table of an engine: a module's entry returns it after it has looked at the ABI. */
int  esk_ladder_open  (const EskLadderEngine *engine, unsigned index, const EskHotspots *production, EskLadder **ladder,
                       char *reason, size_t n);
void esk_ladder_close (EskLadder *ladder);
int  esk_ladder_prepare (EskLadder *ladder, EskLadderKind kind, const EskLadderSize *size);
int  esk_ladder_measure (EskLadder *ladder, unsigned rung, unsigned repeats, double seconds, EskRungResult *result);
int64_t esk_ladder_output (EskLadder *ladder, double *values, size_t n);
void esk_ladder_cancel (EskLadder *ladder);
void esk_ladder_resume (EskLadder *ladder);
const char *esk_ladder_last_error (EskLadder *ladder);
const EskRung *esk_ladder_rungs (const EskLadderEngine *engine, EskLadderKind kind, unsigned *n);
void esk_ladder_least (const EskLadderEngine *engine, EskLadderKind kind, const EskLadderSize *size, double *bytes,
                       double *operations);
/* Says so in reason where the ABI is another one. */
int  esk_ladder_same_abi (unsigned abi, char *reason, size_t n);

#define ESK_LADDER_TRY(call) \
  do { const int ladder_code = (call); if (ladder_code != ESK_LADDER_OK) return ladder_code; } while (0)

#ifdef __cplusplus
}
#endif
