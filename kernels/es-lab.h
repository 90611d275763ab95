/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * What the laboratory asks of a machine: a probe is one figure, measured some times over. Experiments are sweeps of
 * probes; they know no CUDA and no instruction set. Plain C: no GLib, no CUDA type.
 *
 * Each back end is a module of its own that is opened when the laboratory needs it: libeigenscope-lab.so measures the
 * processor, libeigenscope-lab-cuda.so cards. What one of them cannot do it says by has (); the same probe asks the
 * same of each.
 *
 * A lab is used by one thread at a time, but for cancel (). Functions return ESK_LAB_OK or a negative code, never print
 * and never exit; whatever way a probe ends, nothing that it took stays: no memory, page-locked or other, no stream, no
 * graph.
 */

#ifdef __cplusplus
extern "C" {
#endif

/* Raised with every change of what follows. */
#define ESK_LAB_ABI 2
/* unsigned abi, char *reason, size_t n -> const EskLabTable *, NULL: why, in reason. */
#define ESK_LAB_ENTRY "esk_lab_module"

enum {
  ESK_LAB_OK = 0,
  ESK_LAB_ERROR_ARGUMENT = -1,
  ESK_LAB_ERROR_SUPPORT = -2,      /* this machine has no such thing */
  ESK_LAB_ERROR_MEMORY = -3,
  ESK_LAB_ERROR_CANCELLED = -4,
  ESK_LAB_ERROR_DEVICE = -5,       /* what the driver or the system said: last_error () */
  ESK_LAB_ERROR_WRONG = -6,        /* the data came out wrong: nothing that it measured counts */
};

/* What is measured, and in which unit a sample of it is. Numbers in files: none is ever taken away or moved. */
typedef enum {
  /* Clocks, of a chain of one thread each of whose operations needs the one before; less the empty loop. */
  ESK_PROBE_EMPTY,             /* what the loop of a chain and reading the clock cost by themselves: about 0 */
  ESK_PROBE_ARITHMETIC,        /* .type .operation: clocks an operation */
  ESK_PROBE_CHASE,             /* .space .bytes .stride: clocks an access; stride 0: one cycle through all elements
                                * in random order (Sattolo), of pointers; else steps of `stride` 4-byte words */
  /* Operations a second, of every thread and independent chains; a multiply-add and a product's are two. */
  ESK_PROBE_THROUGHPUT,        /* .type .operation */
  ESK_PROBE_MATRIX,            /* .type: products of small matrices as the tensor cores (or the processor's dot
                                * products) do them: .variant 0 by a warp, 1 by a group of four, whose operands are in
                                * shared memory */
  /* A warp, or a vector of the processor. Clocks. */
  ESK_PROBE_BRANCH_ORDER,      /* .variant 0: lane l takes branch l of an if-chain, 1: branch 31 - l. lanes[]: the
                                * clock each lane read, less the least; a sample: the mean step between two */
  ESK_PROBE_DIVERGENCE,        /* .ways 1, 2, 4 ... 32 different branches in a warp: clocks of the whole */
  ESK_PROBE_SHARING,           /* .space .ways (lanes at one address: 1, 2 ... 32) .threads .blocks: clocks an access
                                * of a warp */
  ESK_PROBE_ORDER,             /* .space .variant 1: contiguous, in the order of lanes; 2: lanes shuffled in their
                                * row; 3: lanes in their column, rows apart; 4: as 1, its start `stride` bytes past
                                * a row. .bytes .threads .blocks; of one cycle of rows each: clocks an access */
  ESK_PROBE_CONFLICT,          /* .ways words in one bank; .variant 1: rows padded by a word: clocks an access */
  /* Bytes of local memory that a thread of the compiled kernel has. */
  ESK_PROBE_PRIVATE_ARRAY,     /* .variant 0: vector addition, 1: product of matrices (ways x ways), 2: sorting;
                                * .ways: elements */
  /* Bytes a second; read and written bytes both count. */
  ESK_PROBE_COPY,              /* a kernel's copy by elements of .ways bytes (1, 2, 4, 8, 16) of .bytes; best grid */
  ESK_PROBE_READ,              /* .bytes footprint, over and over; .threads (of the processor; 0: all); of a card
                                * .memory managed: of such memory, which is on the card already */
  ESK_PROBE_WRITE,             /* the same */
  ESK_PROBE_MOVE,              /* the same: read and written, by a kernel or loop */
  ESK_PROBE_LIBRARY_COPY,      /* the driver's (or the C library's) own copy of .bytes within the machine */
  ESK_PROBE_HOST_ACCESS,       /* the processor on host memory of .memory: .variant 0 write, 1 read, 2 copy to pageable,
                                * 3 copy to the same kind; .bytes .threads */
  /* Operations a second. */
  ESK_PROBE_ATOMIC,            /* .type (int32, int64, float32, float64) .space (global or shared) .variant 0: each
                                * its own address, 1: a warp one address, 2: all one address */
  /* Seconds. */
  ESK_PROBE_LAUNCH,            /* an empty kernel: .variant 0 and its end awaited each time, 1 one of many in a stream,
                                * 2 one of a graph of many; processor: starting a thread, handing work to one that
                                * waits */
  ESK_PROBE_ALLOCATE,          /* host memory of .memory, .bytes: .variant 0 allocating it, 1 page-locking what is there
                                * and was touched, 2 the first touch, 3 unlocking, 4 freeing, 5 the first touch by a
                                * kernel (managed) */
  ESK_PROBE_LINK,              /* one copy of .bytes between host memory of .memory and the card, by the host's clock
                                * from the call to its end: .variant 0 to the card, 1 from it, 2 both at once. Managed
                                * memory is not copied, it moves: 0 until a kernel has read all of it, or, where it is
                                * asked for beforehand, until it is there; 1 until the processor has touched every
                                * page */
  ESK_PROBE_PEER,              /* one copy of .bytes to card .ways: .variant 0 as the driver does it, 1 as peers */
  ESK_PROBE_BARRIER,           /* all blocks wait for each other, once: .variant 0 a launch each and its end awaited,
                                * 1 a launch each, 2 atomics of our own, 3 the runtime's; processor: threads */
  /* Seconds of the whole, the result checked against the host's. */
  ESK_PROBE_PLAN,              /* an array of .bytes: .ways times to the card, .threads times from it, touched by the
                                * processor in between, held as .memory says: all of it, allocation left out. Managed
                                * memory is one array, which is where it was needed last, and on the card at first where
                                * .ways is 0 */
  ESK_PROBE_DOT,               /* a product of two vectors of .bytes together: .variant 0 copied and our kernel, 1
                                * the same from page-locked memory, 2 read in place (mapped) */
  ESK_PROBE_MANDELBROT,        /* .stride x .stride pixels: .variant 0 cuda, 1 cuda2 (.ways streams), 2 to 5 zerocopy1
                                * to 4. view[]: centre and width; picture: 3 bytes a pixel, BGR */
  ESK_PROBE_OVERLAP,           /* upload, work and download of .bytes of .memory in .ways bands, a stream each;
                                * .variant: rounds of work. spans[]: what each band did when */
  ESK_PROBE_BOTH,              /* the card and the processor at once, each its share of two like works: .variant 0 one
                                * after the other, 1 at once. spans[] */
  ESK_N_PROBES
} EskProbeKind;

typedef enum {
  ESK_SPACE_GLOBAL,                /* of the processor: memory and the caches before it */
  ESK_SPACE_READ_ONLY,             /* by the instruction for what nobody writes */
  ESK_SPACE_TEXTURE,
  ESK_SPACE_CONSTANT,
  ESK_SPACE_SHARED,
  ESK_SPACE_LOCAL,
  ESK_N_SPACES
} EskLabSpace;

typedef enum {
  ESK_TYPE_LAB_UINT32, ESK_TYPE_LAB_INT32, ESK_TYPE_LAB_INT64, ESK_TYPE_LAB_INT8,
  ESK_TYPE_LAB_FLOAT16, ESK_TYPE_LAB_BFLOAT16, ESK_TYPE_LAB_TF32, ESK_TYPE_LAB_FLOAT32, ESK_TYPE_LAB_FLOAT64,
  ESK_TYPE_LAB_FLOAT8,             /* 4 bits of exponent, 3 of mantissa */
  ESK_N_LAB_TYPES
} EskLabType;

typedef enum {
  ESK_OPERATION_ADD, ESK_OPERATION_SUBTRACT, ESK_OPERATION_MULTIPLY, ESK_OPERATION_DIVIDE,
  ESK_OPERATION_MULTIPLY_ADD,      /* fused where the machine has it: EskProbeResult.fused */
  ESK_OPERATION_FAST_DIVIDE,       /* __fdividef; processor: by an approximate reciprocal */
  ESK_OPERATION_SINE, ESK_OPERATION_COSINE, ESK_OPERATION_EXP2, ESK_OPERATION_LOG2, ESK_OPERATION_RECIPROCAL,
  ESK_OPERATION_RECIPROCAL_ROOT,
  ESK_N_OPERATIONS
} EskLabOperation;

typedef enum {
  ESK_MEMORY_PAGEABLE, ESK_MEMORY_REGISTERED, ESK_MEMORY_PINNED, ESK_MEMORY_WRITE_COMBINED, ESK_MEMORY_MAPPED,
  ESK_MEMORY_MANAGED,              /* of both, moved by pages when one of them touches it */
  ESK_MEMORY_LARGE_PAGES,          /* pageable, of large pages where the system gives them */
  ESK_MEMORY_MANAGED_AHEAD,        /* managed, and asked for before it is touched; allocated and worked on as that */
  ESK_N_MEMORIES
} EskLabMemory;

typedef struct EskProbe {
  EskProbeKind    kind;
  EskLabSpace     space;
  EskLabType      type;
  EskLabOperation operation;
  EskLabMemory    memory;
  uint64_t        bytes;
  uint32_t        stride, ways, threads, blocks, variant;
  uint32_t        repeats;         /* 1 .. ESK_LAB_MOST_REPEATS; besides those that warm up */
  double          view[3];
} EskProbe;

#define ESK_LAB_MOST_REPEATS 64
#define ESK_LAB_MOST_SPANS 256

/* What happened from when to when, in seconds from the start of the last repeat. */
typedef struct {
  uint32_t what;                   /* 0 upload, 1 work of the card, 2 download, 3 work of the processor */
  uint32_t row;                    /* the stream, or the thread */
  double   from, to;
} EskLabSpan;

typedef struct {
  uint32_t   n;                    /* samples */
  double     samples[ESK_LAB_MOST_REPEATS];  /* in the unit of the kind, in the order in which they were measured */
  double     hertz;                /* clocks a second while it ran, the clocks of the samples; 0: unknown */
  double     lowest_hertz;         /* the lowest clock of the unit that worked, seen during it; 0: unknown */
  int        fused;                /* -1: no matter; whether a multiply-add was one instruction */
  double     lanes[32];            /* ESK_PROBE_BRANCH_ORDER */
  uint32_t   n_spans;
  EskLabSpan spans[ESK_LAB_MOST_SPANS];
  uint8_t   *picture;              /* given by who asks, or NULL: stride * stride * 3 bytes */
} EskProbeResult;

/* What a machine says of itself. 0 and "": unknown, or it has none. */
typedef struct EskLabMachine {
  char     id[32];                 /* "cuda:0", "cpu" */
  char     name[256];
  char     driver[64];             /* "580.159.04, CUDA 13.0"; processor: the kernel's release */
  char     architecture[64];       /* "9.0"; "x86-64, AVX-512" */
  uint32_t units;                  /* streaming multiprocessors; cores at hand */
  uint32_t threads;                /* resident at most, of all units; hardware threads at hand */
  uint32_t warp;                   /* 32; float32 lanes of a vector */
  uint32_t registers;              /* 32-bit, of a unit */
  double   clock_hertz, memory_clock_hertz;  /* the highest */
  uint32_t memory_bits;
  uint64_t memory, l1, l2, l3;     /* bytes; l1 of a unit, l3 of all */
  uint64_t shared, constant;       /* bytes: of a unit; of all */
  uint32_t link_generation, link_width;
  uint32_t ecc, integrated, display_watchdog;  /* yes or no */
  uint32_t mig;                    /* it is a slice of a card */
  uint32_t exclusive;              /* compute mode: 0 anyone, 1 one process, 2 nobody */
  uint32_t managed;                /* it has managed memory */
  uint32_t managed_pages;          /* which moves by pages when it is touched, not as a whole when a kernel starts */
  uint32_t pageable_access;        /* it reads and writes the host's pageable memory in place */
  uint32_t host_tables;            /* by the page tables of the host, so that nothing has to move */
} EskLabMachine;

/* As it is at this moment. Negative: unknown. */
typedef struct {
  double   clock_hertz, memory_clock_hertz, watts, celsius;
  double   busy;                   /* share, 0..1, of others and us */
  int      others;                 /* programs beside this one that use it for computing; processors that they use */
  int      throttled;              /* it lowers its clocks to stay within its power or temperature */
} EskLabState;

typedef struct _EskLab EskLab;

typedef struct {
  unsigned    abi;                 /* ESK_LAB_ABI */
  const char *name;                /* "cpu", "cuda" */

  unsigned (*count)      (void);
  /* Takes some 0.3 s of a card. reason: why not, a sentence without a full stop. */
  int      (*open)       (unsigned index, EskLab **lab, char *reason, size_t n);
  void     (*close)      (EskLab *lab);                            /* leaves no context, no thread and no memory */
  int      (*describe)   (EskLab *lab, EskLabMachine *machine);
  int      (*state)      (EskLab *lab, EskLabState *state);        /* within a millisecond or so */
  /* Whether the machine and the back end can do this at all; cheap. */
  int      (*has)        (EskLab *lab, const EskProbe *probe);
  /* Ends within 0.2 s of cancel (), and by itself takes seconds at most: long kernels are cut into pieces that no
   * watchdog minds. */
  int      (*measure)    (EskLab *lab, const EskProbe *probe, EskProbeResult *result);
  /* Any thread, at any time: what is measured now, and all that is asked for until resume (), ends with
   * ESK_LAB_ERROR_CANCELLED. */
  void     (*cancel)     (EskLab *lab);
  void     (*resume)     (EskLab *lab);
  const char *(*last_error) (EskLab *lab);                         /* "" where nothing was said; until the next call */
  /* The source of what a kind of probe runs, as it is compiled, to be read by people; NULL: none. Static. */
  const char *(*source)  (const EskProbe *probe);
} EskLabTable;

typedef const EskLabTable *(*EskLabEntry) (unsigned abi, char *reason, size_t n);

#ifdef __cplusplus
}
#endif
