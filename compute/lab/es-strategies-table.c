/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* gpu-lab.md, section 11: the strategies, in the order there, and on which figures each rests; what has changed of
 * them, section 17. */

#include "es-strategies-private.h"

#include <glib/gi18n-lib.h>

#define GPU ES_STRATEGY_ON_GPU
#define CPU ES_STRATEGY_ON_CPU
#define BOTH (GPU | CPU)
#define TIME ES_GAINS_TIME
#define RATE ES_GAINS_RATE

#define LATENCY(name, x) { "lab-latency", "latency", name, x }
#define ADDITION { "lab-arithmetic", "latency", "float32 add", ES_ALONE }
#define OPERATIONS(name) { "lab-arithmetic", "rate", name, ES_ALONE }
#define SHARING(name, lanes) { "lab-sharing", "sharing", name, lanes }
#define THREADS(name, n) { "lab-sharing", "threads", name, n }
#define BLOCKS(name, n) { "lab-sharing", "blocks", name, n }
#define ORDER(name) { "lab-order", "patterns", name, ES_ALONE }
#define LARGEST(name) { "lab-private", "largest", name, ES_ALONE }
#define COPY(name) { "lab-bandwidth", "copy", name, ES_ALONE }
#define LAUNCH(name) { "lab-launch", "launch", name, ES_ALONE }
#define BARRIER(name) { "lab-launch", "barrier", name, ES_ALONE }
#define ATOMIC(name) { "lab-atomics", "rate", name, ES_ALONE }
#define HOST(group, name) { "lab-host-memory", group, name, ES_AT_LAST }
#define LINK(name) { "lab-link", "to", name, ES_AT_LAST }

/* One array of a thread in registers or in local memory, whose nearest cache answers at the smallest footprint. */
#define LOCAL LATENCY ("Local memory", ES_AT_FIRST)

static const char convergent[] = N_("Since Volta, one block of memory is shared memory, first-level cache and texture "
                                    "cache.");
static const char sectors[] = N_("Memory comes in sectors of 32 bytes since Volta: what counts is how many of them a "
                                 "warp touches.");

const EsStrategy es_strategies[] = {
  { "R_1", N_("Keep small arrays of a thread in registers: sizes and indices known when it is compiled."), NULL, GPU,
    TIME, LOCAL, ADDITION },
  { "R_2", N_("Simplify nested loops over an array of a thread: they leave the registers sooner than one loop."), NULL,
    GPU, ES_GAINS_ELEMENTS, LARGEST ("Product of matrices"), LARGEST ("Vector addition") },
  { "R_3", N_("Replace sorting within a thread by something that needs no indexing."),
    N_("Sizes that are known when it is compiled are sorted in registers today."), GPU, RATE, LARGEST ("Sorting"),
    LARGEST ("Vector addition") },
  { "R_4", N_("Compile for the newest capability: its matrix products of warp groups run on no other."),
    N_("In 2013 the newest target kept larger arrays in registers."), GPU, RATE,
    OPERATIONS ("matrix product float16"), OPERATIONS ("matrix product float16, warp groups") },
  { "R_5", N_("Keep in registers what would be read from shared memory again."),
    N_("Arguments that all threads share come from the constant bank by themselves."), GPU, TIME,
    LATENCY ("Shared memory", ES_AT_FIRST), ADDITION },
  { "S_1", N_("Avoid bank conflicts of shared memory."), NULL, GPU, TIME,
    { "lab-banks", "conflict", "Rows of 32 words", 32 }, { "lab-banks", "conflict", "Rows of 32 words", 1 } },
  { "S_1", N_("Pad rows of shared memory by a word where columns are read."), NULL, GPU, TIME,
    { "lab-banks", "conflict", "Rows of 32 words", 32 }, { "lab-banks", "conflict", "Rows of 33 words", 32 } },
  { "S_2", N_("In shared memory, different addresses and one address are equally good."), NULL, GPU, ES_IGNORES,
    SHARING ("Shared memory", 1), SHARING ("Shared memory", 32) },
  { "S_3", N_("In shared memory, ignore order and contiguity."), NULL, GPU, ES_IGNORES,
    ORDER ("Shared memory, in order"), ORDER ("Shared memory, rows apart") },
  { "S_4", N_("Use more threads a block: shared memory answers each sooner."),
    N_("On a K20c latency fell beyond 128 threads, which nobody could explain."), GPU, TIME,
    THREADS ("Shared memory", 32), THREADS ("Shared memory", 256) },
  { "S_5", N_("Use shared memory in place of global memory for what is read again."),
    N_("Global loads are in the first-level cache by default, which a K20c's were not."), GPU, TIME,
    LATENCY ("Global memory", 8192), LATENCY ("Shared memory", 8192) },
  { "S_6", N_("Reuse what was loaded as often as possible: the memory behind the caches is far."), NULL, GPU, TIME,
    LATENCY ("Global memory", ES_AT_LAST), LATENCY ("Shared memory", 8192) },
  { "S_7", N_("Refill a small buffer of shared memory in a loop rather than take a large one: more warps stay "
              "resident."), NULL, GPU, TIME, { .experiment = "ladder-azimuth" }, { .experiment = "ladder-azimuth" } },
  { "C_1", N_("Put constants that are read one after the other next to each other."), NULL, GPU, TIME,
    { "lab-stride", "stride", "Constant memory", ES_AT_LAST },
    { "lab-stride", "stride", "Constant memory", ES_AT_FIRST } },
  { "C_2", N_("Read constants by one address a warp."), NULL, GPU, TIME, SHARING ("Constant memory", 1),
    SHARING ("Constant memory", 32) },
  { "C_3", N_("Never read constant memory by different addresses in a warp: read it from global memory then."), NULL,
    GPU, TIME, SHARING ("Constant memory", 1), SHARING ("Global memory", 1) },
  { "C_4", N_("Balance the threads of a block that reads constants: many make each wait."), NULL, GPU, TIME,
    THREADS ("Constant memory", 1024), THREADS ("Constant memory", 32) },
  { "C_5", N_("Where constants are read, ignore the number of blocks."), NULL, GPU, ES_IGNORES,
    BLOCKS ("Constant memory", 1), BLOCKS ("Constant memory", ES_AT_LAST) },
  { "C_6", N_("Use constant memory in place of global memory for what all lanes want."),
    N_("Constant memory took half of global memory's time; global loads are cached as near today."), GPU, TIME,
    LATENCY ("Global memory", ES_AT_FIRST), LATENCY ("Constant memory", ES_AT_FIRST) },
  { "G_1", N_("From global memory, different addresses and one address a warp are equally good."), NULL, GPU,
    ES_IGNORES, SHARING ("Global memory", 1), SHARING ("Global memory", 32) },
  { "G_2", N_("Combine types below four bytes when global memory is copied."), NULL, GPU, RATE, COPY ("1 byte"),
    COPY ("4 bytes") },
  { "G_2", N_("Load sixteen bytes a lane where it can be done."), NULL, GPU, RATE, COPY ("4 bytes"),
    COPY ("16 bytes") },
  { "G_3", N_("In global memory, the order of lanes within a row is irrelevant."), NULL, GPU, ES_IGNORES,
    ORDER ("Global memory, in order"), ORDER ("Global memory, lanes shuffled") },
  { "G_3", N_("Lay data out such that a warp reads what is contiguous."), sectors, GPU, TIME,
    ORDER ("Global memory, rows apart"), ORDER ("Global memory, in order") },
  { "G_4", N_("Where accesses are not contiguous, ignore the number of blocks."),
    N_("It was published so, though its own measurements rose up to 96 blocks."), GPU, ES_IGNORES,
    { "lab-order", "blocks", "Global memory, rows apart", 1 },
    { "lab-order", "blocks", "Global memory, rows apart", ES_AT_LAST } },
  { "T_1", N_("Through textures, different addresses and one address a warp are equally good."), convergent, GPU,
    ES_IGNORES, SHARING ("Texture", 1), SHARING ("Texture", 32) },
  { "T_2", N_("Through textures, the order of lanes is irrelevant."), NULL, GPU, ES_IGNORES,
    ORDER ("Texture, in order"), ORDER ("Texture, lanes shuffled") },
  { "T_2", N_("Through textures, too, keep contiguous what a warp reads."), sectors, GPU, TIME,
    ORDER ("Texture, rows apart"), ORDER ("Texture, in order") },
  { "T_3", N_("Through textures, ignore how many threads a block has."), NULL, GPU, ES_IGNORES, THREADS ("Texture", 32),
    THREADS ("Texture", 1024) },
  { "T_4", N_("Where neighbours cannot be contiguous, read through textures in place of global memory."), convergent,
    GPU, TIME, ORDER ("Global memory, rows apart"), ORDER ("Texture, rows apart") },
  { "H_1", N_("Copy from page-locked memory what is large."), NULL, GPU, RATE, LINK ("Pageable"),
    LINK ("Page-locked") },
  { "H_2", N_("Page-lock memory that is there rather than allocate it page-locked."), NULL, GPU, TIME,
    HOST ("allocate", "Page-locked"), HOST ("lock", "Registered") },
  { "H_3", N_("Page-lock memory of large pages: there are fewer of them."), NULL, GPU, TIME,
    HOST ("lock", "Registered"), HOST ("lock", "Large pages") },
  { "Z_1", N_("Let kernels read in place, over the link, what they read once."), NULL, GPU, TIME,
    { "lab-zero-copy", "dot", "Copied from page-locked memory", ES_AT_LAST },
    { "lab-zero-copy", "dot", "Read in place", ES_AT_LAST } },
  { "Z_2", N_("Write over the link in whole words of four bytes, never in structures of three."), NULL, GPU, TIME,
    { "lab-mandelbrot", "times", "zerocopy3", ES_AT_LAST }, { "lab-mandelbrot", "times", "zerocopy4", ES_AT_LAST } },
  { "O_1", N_("Cut what is copied, worked on and copied back into bands with a stream each."), NULL, GPU, TIME,
    { "lab-overlap", "overlap", "In bands", 1 }, { "lab-overlap", "overlap", "In bands", ES_AT_BEST } },
  { "O_2", N_("Let the processor work while the card does: launching does not wait."), NULL, GPU, TIME,
    { "lab-overlap", "both", "One after the other", ES_ALONE }, { "lab-overlap", "both", "At once", ES_ALONE } },
  { "L_1", N_("Launch one kernel after the other, and wait once at the end."), NULL, GPU, TIME,
    LAUNCH ("Launched and its end awaited"), LAUNCH ("One of many in a stream") },
  { "L_2", N_("Merge small kernels, or launch them as a graph."), NULL, GPU, TIME, LAUNCH ("One of many in a stream"),
    LAUNCH ("One of many in a graph") },
  { "L_3", N_("Let all blocks wait for each other within a kernel rather than begin another one."), NULL, GPU, TIME,
    BARRIER ("A launch each"), BARRIER ("The runtime's barrier") },
  { "A_1", N_("Add up within a block, in shared memory, before all add to one number."), NULL, GPU, RATE,
    ATOMIC ("float32 global all"), ATOMIC ("float32 shared all") },
  { "A_2", N_("Give each thread a sum of its own: one number for all is a queue."), NULL, BOTH, RATE,
    ATOMIC ("float32 global all"), ATOMIC ("float32 global own") },
  { "B_1", N_("Avoid branches in which neighbours go different ways."),
    N_("Since Volta lanes need not go on together; what diverges still takes turns."), BOTH, TIME,
    { "lab-branches", "divergence", "clocks", 32 }, { "lab-branches", "divergence", "clocks", 1 } },
  { "M_1", N_("Multiply matrices in the matrix units, float32 rounded to tf32 or split."),
    N_("There were none before Volta."), GPU, RATE, OPERATIONS ("float32 multiply-add"),
    OPERATIONS ("matrix product tf32, warp groups") },
  { "M_2", N_("Multiply 8-bit samples in the matrix units or by dot products."), NULL, BOTH, RATE,
    OPERATIONS ("int32 multiply-add"), OPERATIONS ("matrix product int8") },
  { "V_1", N_("Compute by vectors, and in several chains that do not wait for each other."), NULL, CPU,
    ES_GAINS_VECTORS, { "lab-arithmetic", "latency", "float32 multiply-add", ES_ALONE },
    OPERATIONS ("float32 multiply-add") },
  { "V_2", N_("Read memory by all threads: one does not fill its channels."), NULL, CPU, RATE,
    { "lab-bandwidth", "threads", "Read", ES_AT_FIRST }, { "lab-bandwidth", "threads", "Read", ES_AT_LAST } },
  { "V_3", N_("Work on blocks that stay in the nearest cache until they are done."), NULL, CPU, RATE,
    { "lab-bandwidth", "footprint", "Read", ES_AT_LAST }, { "lab-bandwidth", "footprint", "Read", ES_AT_FIRST } },
  { "V_4", N_("Read memory in the order in which it lies."), NULL, CPU, TIME,
    { "lab-order", "footprint", "Global memory, rows apart", ES_AT_LAST },
    { "lab-order", "footprint", "Global memory, in order", ES_AT_LAST } },
  { "V_5", N_("Take large pages for what is gone through in no order."), NULL, CPU, TIME,
    LATENCY ("Global memory", ES_AT_LAST), LATENCY ("Global memory, large pages", ES_AT_LAST) },
  { "V_6", N_("Take large pages for new memory: it is touched page by page."), NULL, BOTH, TIME,
    HOST ("touch", "Pageable"), HOST ("touch", "Large pages") },
  { "V_7", N_("Where it suffices, compute in float32: vectors hold twice as many."), NULL, BOTH, RATE,
    OPERATIONS ("float64 multiply-add"), OPERATIONS ("float32 multiply-add") },
  { "V_8", N_("Let vectors begin where they like: alignment does not matter."), NULL, CPU, ES_IGNORES,
    { "lab-order", "offset", "Global memory", ES_AT_FIRST }, { "lab-order", "offset", "Global memory", ES_AT_LAST } },
  { "V_9", N_("Let threads that wait for short work look for it rather than sleep."), NULL, CPU, TIME,
    LAUNCH ("Work is handed to a thread that sleeps"), LAUNCH ("Work is handed to a thread that looks") },
  { "V_10", N_("Keep threads rather than start them anew."), NULL, CPU, TIME, BARRIER ("Threads started and awaited"),
    BARRIER ("The system's barrier") },
};

const guint es_n_strategies = G_N_ELEMENTS (es_strategies);
