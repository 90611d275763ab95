/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the files of the processor's laboratory share: the lab itself, its clock, threads, memory and loops. */

#include "es-lab.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ESK_LAB_MOST_CPUS 4096

/* As sched_setaffinity () takes it. */
typedef struct
{
  unsigned long bits[ESK_LAB_MOST_CPUS / (8 * sizeof (unsigned long))];
} EskLabCpus;

/* ---- loops ---- */

typedef union
{
  int64_t  i64;
  uint32_t u32;
  int32_t  i32;
  double   f64;
  float    f32;
  int8_t   i8;
} EskLabValue;

typedef struct
{
  EskLabValue start, a, b;
} EskLabOperands;

/* What r is, the operands, where the last r goes. */
typedef void (*EskLabChain) (size_t blocks, const EskLabValue *start, const EskLabValue *a, const EskLabValue *b,
                             EskLabValue *end);
typedef void (*EskLabRate)  (size_t blocks, const EskLabValue *start, const EskLabValue *a, const EskLabValue *b,
                             void *ends);
/* c += a b of small matrices, `times` times over: ESK_LAB_ROWS x depth and depth x ESK_LAB_COLUMNS (width). int8: a is
 * of uint8, c of int32, and four neighbours along the depth lie together. */
typedef void (*EskLabProduct) (size_t times, size_t depth, const void *a, const void *b, void *c);

#define ESK_LAB_BLOCK 64               /* operations of a chain in a block, and of each accumulator of a rate */
#define ESK_LAB_ACCUMULATORS 12
#define ESK_LAB_ROWS 6

/* The loops as they are for one instruction set. NULL: it has no such instruction, or none of our own. */
typedef struct
{
  const char   *name;                  /* "SSE2", "AVX2", ... */
  unsigned      width;                 /* bytes of a vector */
  int           fused;                 /* a multiply-add of floats is one instruction */
  EskLabChain   chain[ESK_N_LAB_TYPES][ESK_N_OPERATIONS];
  EskLabRate    rate[ESK_N_LAB_TYPES][ESK_N_OPERATIONS];
  unsigned      values[ESK_N_LAB_TYPES][ESK_N_OPERATIONS];  /* that a rate works on at once, and leaves in ends[] */
  EskLabProduct product[ESK_N_LAB_TYPES];
  EskLabProduct dot_product;           /* int8 by an instruction of its own, where is_dot () */
  bool        (*is_dot)    (void);

  /* Of bytes, a multiple of ESK_LAB_GRAIN, `passes` times over. */
  /* Sum of its 8-byte words, of all passes. */
  uint64_t    (*read)      (const void *from, size_t bytes, size_t passes);
  void        (*write)     (void *to, size_t bytes, size_t passes, uint64_t word);
  /* Past the caches; NULL: no such instruction. */
  void        (*stream)    (void *to, size_t bytes, size_t passes, uint64_t word);
  void        (*move)      (void *to, const void *from, size_t bytes, size_t passes);
  void        (*move_past) (void *to, const void *from, size_t bytes, size_t passes);
  double      (*dot)       (const float *x, const float *y, size_t n);
  /* A row of pixels: counts of iterations of c = (left + step x, y), x = 0 .. n - 1. */
  void        (*mandelbrot) (double left, double step, double y, size_t n, uint8_t *counts);
  /* A gathered vector is the index of the next one; NULL: no such instruction. index: width / 4 words, in and out. */
  void        (*gather)    (const int32_t *table, size_t steps, int32_t *index);
} EskLabLoops;

#define ESK_LAB_GRAIN 512
#define ESK_LAB_MOST_PIXELS 16384        /* of a row */

extern const EskLabLoops *const esk_lab_loops_portable;
extern const EskLabLoops *const esk_lab_loops_avx2;      /* NULL: not built */
extern const EskLabLoops *const esk_lab_loops_avx512;

/* The n-th set of loops that this processor runs, the widest first; NULL: no more. */
const EskLabLoops *esk_lab_loops_get (unsigned n);

/* ---- the lab ---- */

struct _EskLab
{
  atomic_int         cancelled;
  char               error[256];
  const EskLabLoops *loops;
  unsigned           threads, cores;     /* at hand: allowed, and within the quota of a control group */
  unsigned          *order;              /* processors, a thread of each core first; threads of them */

  double             ticks_began, seconds_began;
  double             reading;            /* ticks between two readings of the clock with nothing between them */
  double             clock;              /* ticks a core's clock, last seen */

  uint64_t           busy_before, all_before;
  double             own_before;         /* seconds of processor time that this program had used then */
};

/* 0, or the error that says so. */
static inline int
esk_lab_poll (EskLab *lab)
{
  return atomic_load_explicit (&lab->cancelled, memory_order_relaxed) ? ESK_LAB_ERROR_CANCELLED : ESK_LAB_OK;
}

int  esk_lab_fail (EskLab *lab, int code, const char *format, ...) __attribute__ ((format (printf, 3, 4)));

/* ---- the clock ---- */

void   esk_lab_clock_begin     (EskLab *lab);
double esk_lab_seconds         (void);
double esk_lab_ticks_hertz     (EskLab *lab);
/* Ticks a clock of the core that runs this, by a chain of additions, each of which takes one. */
double esk_lab_clock_calibrate (EskLab *lab);

typedef void (*EskLabPiece) (void *data);
/* Clocks an operation, probe->repeats samples of pieces of `operations` each. */
int    esk_lab_clock_measure   (EskLab *lab, const EskProbe *probe, EskLabPiece piece, void *data, double operations,
                                EskProbeResult *result);
/* Tells the clock of a probe whose samples are of other units. */
void   esk_lab_clock_note      (EskLab *lab, EskProbeResult *result);

/* ---- threads ---- */

typedef struct _EskLabTeam EskLabTeam;
typedef void (*EskLabWork) (void *data, unsigned thread);

/* threads, the caller's among them, each on a processor of its own; 0: all. */
int      esk_lab_team_new     (EskLab *lab, unsigned threads, EskLabTeam **team);
unsigned esk_lab_team_size    (const EskLabTeam *team);
/* Seconds from when the first began to when the last was done. All begin together. */
double   esk_lab_team_run     (EskLabTeam *team, EskLabWork work, void *data);
void     esk_lab_team_free    (EskLabTeam *team);
/* The calling thread stays where it is from now on; before: where it could be. */
bool     esk_lab_stay         (EskLabCpus *before);
void     esk_lab_may_go       (const EskLabCpus *before);
/* For waiting: a pause of the processor, and now and then of the thread, as there may be fewer processors than waiting
 * threads. */
void     esk_lab_pause        (unsigned *spins);
unsigned esk_lab_threads_of   (const EskLab *lab, const EskProbe *probe);

/* ---- the machine ---- */

void     esk_lab_machine_begin    (EskLab *lab);
int      esk_lab_machine_describe (EskLab *lab, EskLabMachine *machine);
int      esk_lab_machine_state    (EskLab *lab, EskLabState *state);
/* Bytes that can be had without that anything else must go, by the system and by every control group around us. */
uint64_t esk_lab_memory_free      (void);
uint64_t esk_lab_memory_total     (void);
/* Threads' worth of processor time that control groups allow; 0: any. */
unsigned esk_lab_quota            (void);

/* ---- memory ---- */

typedef struct
{
  void        *data;
  size_t       bytes;
  void        *mapping;
  size_t       mapped;
  EskLabMemory memory;
} EskLabRange;

bool esk_lab_memory_has (EskLabMemory memory, uint64_t bytes);
/* Nothing is touched but what is locked. An error says how much there was. */
int  esk_lab_range_new  (EskLab *lab, EskLabMemory memory, uint64_t bytes, EskLabRange *range);
void esk_lab_range_free (EskLabRange *range);
int  esk_lab_room       (EskLab *lab, uint64_t bytes);

/* ---- operations ---- */

bool           esk_lab_is_whole (EskLabType type);
/* Such that r neither overflows, nor becomes so small that another path is taken, however long a chain is. */
EskLabOperands esk_lab_operands (EskLabType type, EskLabOperation operation);
/* Whether `value` is what n operations one after the other come to. */
bool           esk_lab_is_right (const EskLabLoops *loops, const EskProbe *probe, const EskLabOperands *operands,
                                 size_t n, EskLabValue value);

/* ---- probes ---- */

int  esk_lab_measure_arithmetic (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_throughput (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_matrix     (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_chase      (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_divergence (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_vectors    (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_bandwidth  (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_atomic     (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_launch     (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_barrier    (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_allocate   (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
int  esk_lab_measure_works      (EskLab *lab, const EskProbe *probe, EskProbeResult *result);

/* Best of a few runs of a team's work, as a rate: `amount` a round; rounds are set so that a run takes a millisecond or
 * more. Each thread does *rounds of what it does. */
int  esk_lab_team_rate (EskLab *lab, EskLabTeam *team, const EskProbe *probe, EskLabWork work, void *data,
                        size_t *rounds, double amount, EskProbeResult *result);

/* Does something once; false: it could not be done. */
typedef bool (*EskLabOnce) (void *data);
/* Seconds of one, the least of the means of some short runs. */
int  esk_lab_measure_once (EskLab *lab, const EskProbe *probe, EskLabOnce once, void *data, EskProbeResult *result);

/* element: 1, 2, 4, 8 or 16 bytes. */
void esk_lab_copy_elements (uint32_t element, void *to, const void *from, size_t bytes);

/* For tests, too. */
/* One cycle through the n elements of `size` bytes at data, in random order: each holds the address of the next. */
int  esk_lab_chase_link   (EskLab *lab, void *data, size_t n, size_t size);
/* Steps of `stride` words through n 4-byte words, which hold the offset in bytes of the next. */
void esk_lab_chase_stride (uint32_t *data, size_t n, size_t stride);

static inline uint64_t
esk_lab_random (uint64_t *state)
{
  uint64_t x = *state;

  x ^= x << 13;
  x ^= x >> 7;
  x ^= x << 17;
  *state = x;
  return x * 0x2545f4914f6cdd1dull;
}
