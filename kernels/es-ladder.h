/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "es-hotspots.h"
#include "es-lab.h"

/*
 * Ladders: one piece of work, computed by one variant after the other, each a rung with one more idea than the rung
 * below it, up to the hot spot that the program uses and what the vendor's library does of the same. Plain C: no GLib,
 * no CUDA type.
 *
 * Each back end is a module of its own that only the laboratory opens: libeigenscope-ladder.so climbs on the processor,
 * libeigenscope-ladder-cuda.so on cards. Every rung works on the same samples, made of a hash, and what it brings is
 * held against the definition in float64 each time it is measured.
 *
 * A ladder is used by one thread at a time, but for cancel (). Functions return ESK_LADDER_OK or a negative code, never
 * print and never exit.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Raised with every change of what follows. */
#define ESK_LADDER_ABI 2
/* unsigned abi, char *reason, size_t n -> const EskLadderTable *, NULL: why, in reason. */
#define ESK_LADDER_ENTRY "esk_ladder_module"

enum {
  ESK_LADDER_OK = 0,
  ESK_LADDER_ERROR_ARGUMENT = -1,
  ESK_LADDER_ERROR_REFUSED = -2,     /* this rung cannot do that here: EskRungResult.why */
  ESK_LADDER_ERROR_MEMORY = -3,      /* even the data themselves have no room */
  ESK_LADDER_ERROR_CANCELLED = -4,
  ESK_LADDER_ERROR_DEVICE = -5       /* what the driver, the system or a library said: last_error () */
};

/* The work. Numbers in files: none is ever taken away or moved. Sizes that are not named do not count. */
typedef enum {
  /* The sums of a covariance matrix and of the means: width x height pixels of `bands` bands, uint8 planes. */
  ESK_LADDER_COVARIANCE,
  /* rows x bands basis times the same pixels less their mean; float32 planes come out. hyperspectral.md 3.2, 4.2 */
  ESK_LADDER_TRANSFORM,
  /* One step of FastICA (tanh, all `rows` vectors) over width x height whitened float32 samples of `rows` planes.
   * hyperspectral.md 4.3 */
  ESK_LADDER_ICA,
  /* Noise residual of width x height pixels of `bands` uint8 planes, by a 3 x 3 neighbourhood. 4.4 */
  ESK_LADDER_NOISE,
  /* `elements` real transforms of `samples` float32, of which the first `bins` are wanted. sonar.md 3, table 6.1 */
  ESK_LADDER_FOURIER,
  /* Powers of conventional beams: elements, angles, ranges, bins of a band, summed over it. sonar.md 4, table 6.3 */
  ESK_LADDER_BEAMS,
  /* Eigenvalues and vectors of a Hermitian matrix of `elements`, of `samples` snapshots (0: one, as published), by
   * two-sided Jacobi rotations. sonar.md 7, tables 6.11, 6.12 */
  ESK_LADDER_JACOBI,
  /* The azimuth spectrum of MVDR of one bin by eigenvectors: elements, angles. sonar.md 6.2, tables 6.13, 6.14 */
  ESK_LADDER_AZIMUTH,
  ESK_N_LADDERS
} EskLadderKind;

typedef struct {
  uint32_t width, height, bands, rows;
  uint32_t elements, angles, ranges, bins, samples;
  uint32_t threads;            /* a processor: at most so many, 0: all. A card: of a block, where a rung leaves it open,
                                * 0: what the rung takes by itself */
} EskLadderSize;

typedef enum {
  ESK_RUNG_STEP,               /* a step of the ladder */
  ESK_RUNG_PRODUCTION,         /* the hot spot that the program uses, through its table */
  ESK_RUNG_LIBRARY             /* the vendor's, or a well-kept library's */
} EskRungKind;

typedef struct {
  const char *id;              /* "v0", "v4-1", "ii-3", "blocked", "production", "library": what files call it */
  EskRungKind kind;
  const char *strategies;      /* all that it applies, of gpu-lab.md section 11 and ES_STRATEGIES: "G_3 S_5"; "" */
  const char *below;           /* the id of the rung that it changes; NULL: the first, or nothing that compares */
  const char *source;          /* what was compiled of it, to be read and compared; NULL: a library's */
  unsigned    definition;      /* what it computes where that is not the same for all rungs of its ladder: outcomes of
                                * one number agree. Of noise 0 is the mean, 1 the median. 0 */
} EskRung;

/* Why a rung was refused. */
typedef enum {
  ESK_WHY_NONE,
  ESK_WHY_FEATURE,             /* the card or processor lacks what it needs: `needs` says what */
  ESK_WHY_SHARED,              /* `amount` bytes of shared memory a block, of which there are `limit` */
  ESK_WHY_CONSTANT,            /* `amount` bytes of constant memory, of which there are `limit` */
  ESK_WHY_THREADS,             /* `amount` threads a block, of which `limit` are possible */
  ESK_WHY_MEMORY,              /* `amount` bytes of memory, of which `limit` are free */
  ESK_WHY_TIME,                /* it would take `amount` seconds, and `limit` are granted */
  ESK_WHY_SIZE,                /* the work is too small or of a shape it cannot do: `needs` says which */
  ESK_WHY_LIBRARY              /* `needs` cannot be loaded */
} EskRungWhy;

typedef struct {
  EskRungWhy  why;
  double      amount, limit;
  char        needs[96];       /* English: "compute capability 8.0", "AVX2", "libcublas.so.13" */

  uint32_t    n;               /* samples */
  double      samples[ESK_LAB_MOST_REPEATS];  /* seconds of the whole work, in the order in which they were measured */
  double      preparation;     /* seconds of what has to be there first, once for the data: a transposed copy that it
                                * lays out, eigenvectors that another rung does without. Not in samples */
  double      setup;           /* seconds of what is made once for a size: plans, tables. Not in samples either */
  double      more_memory;     /* bytes it takes besides what comes in and goes out */
  double      bytes;           /* that its loads and stores ask of memory (of a card: global), together; 0: unknown */
  double      operations;      /* arithmetic it does, a multiply-add is two; 0: unknown */
  EskLabType  type;            /* of most of it */
  int         matrix;          /* by tensor cores or dot products */
  uint32_t    launches;        /* kernels, or regions of threads */
  uint32_t    registers, shared, local;       /* of a thread; bytes of a block; bytes of a thread. Cards: its kernel
                                               * that takes longest; 0 where the code is not ours */
  uint32_t    threads, blocks; /* of that kernel; of a processor: threads, 0 */
  double      occupancy;       /* resident warps of it, share of what a multiprocessor holds; 0: unknown */
  double      error;           /* largest difference from the definition, by its largest value */
  double      tolerance;       /* what that may be; beyond: the rung is wrong, and its times count for nothing */
} EskRungResult;

typedef struct _EskLadder EskLadder;

typedef struct {
  unsigned    abi;             /* ESK_LADDER_ABI */
  const char *name;            /* "cpu", "cuda" */

  /* Of one ladder, in the order of climbing; static. Asks nothing of any device. */
  const EskRung *(*rungs)   (EskLadderKind kind, unsigned *n);
  /* What nobody can do without: bytes in and out once, and operations of the definition (symmetry used). */
  void        (*least)      (EskLadderKind kind, const EskLadderSize *size, double *bytes, double *operations);
  /* production: the tables of the device's back end, NULL where it cannot be used; they outlive the ladder. reason: why
   * not, a sentence without a full stop. */
  int         (*open)       (unsigned index, const EskHotspots *production, EskLadder **ladder, char *reason, size_t n);
  void        (*close)      (EskLadder *ladder);                   /* leaves no thread and no memory */
  /* Makes the samples, on the device too; those of before are gone. Until then there is nothing to measure. */
  int         (*prepare)    (EskLadder *ladder, EskLadderKind kind, const EskLadderSize *size);
  /* Rung `rung` of what was prepared; repeats 1 .. ESK_LAB_MOST_REPEATS besides one that warms up; fewer where that
   * would take longer than `seconds`, and refused (ESK_WHY_TIME) where a single one would. No kernel runs longer than
   * 0.2 s at a time. Ends within 0.2 s of cancel (). */
  int         (*measure)    (EskLadder *ladder, unsigned rung, unsigned repeats, double seconds, EskRungResult *result);
  /* What the rung measured last brought, in float64, in the order of the ladder's definition (es-ladder-data.h): as
   * many as n. Returns how many there are, or a negative code. For tests. */
  int64_t     (*output)     (EskLadder *ladder, double *values, size_t n);
  /* Any thread, at any time: what is measured now, and all that is asked for until resume (), ends with
   * ESK_LADDER_ERROR_CANCELLED. */
  void        (*cancel)     (EskLadder *ladder);
  void        (*resume)     (EskLadder *ladder);
  const char *(*last_error) (EskLadder *ladder);                   /* "" where nothing was said; until the next call */
} EskLadderTable;

typedef const EskLadderTable *(*EskLadderEntry) (unsigned abi, char *reason, size_t n);

#ifdef __cplusplus
}
#endif
