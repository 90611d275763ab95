/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Managed memory: one array for the processor and the card, which moves to where it is touched, by pages that are found
 * missing, or beforehand when it is asked for (gpu-lab 14). */

#include "es-lab-cuda-private.h"

#include <unistd.h>

/* Of managed memory no more than this share of the card's is asked for: more hangs some drivers. */
#define SHARE 4
#define THREADS 256
#define BLOCKS 8               /* of a multiprocessor */
/* What is moved before somebody looks whether it was cancelled: some hundredths of a second. */
#define PIECE (256ull << 20)

bool
lab_is_managed (EskLabMemory memory)
{
  return memory == ESK_MEMORY_MANAGED || memory == ESK_MEMORY_MANAGED_AHEAD;
}

bool
lab_has_managed (const EskLab *lab,
                 EskLabMemory  memory,
                 uint64_t      bytes)
{
  return lab->managed && bytes <= lab->memory / SHARE && (memory != ESK_MEMORY_MANAGED_AHEAD || lab->managed_pages);
}

void *
lab_managed_memory (EskLab   *lab,
                    uint64_t  bytes,
                    int      *code)
{
  void *memory = NULL;

  *code = lab_check (lab, cudaMallocManaged (&memory, bytes > 0 ? bytes : 1), "cudaMallocManaged");
  if (*code == ESK_LAB_OK)
    return lab_note (lab, LAB_TAKEN_MANAGED, memory, bytes, code);
  /* The card has it, but what is between it and this program does not. */
  if (*code != ESK_LAB_ERROR_MEMORY)
    *code = ESK_LAB_ERROR_SUPPORT;

  return NULL;
}

/* --- Moving it -------------------------------------------------------------------------------------------- */

/* Reads all of it, and adds up its bytes as words, and what is left of them one by one. */
static __global__ void
lab_managed_read (const unsigned char *array,
                  uint64_t             bytes,
                  unsigned long long  *sum)
{
  const uint4 *vectors = (const uint4 *) array;
  const uint64_t n = bytes / sizeof *vectors, step = (uint64_t) gridDim.x * blockDim.x;
  const uint64_t first = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x;
  unsigned long long own = 0;

  for (uint64_t i = first; i < n; i += step)
    {
      const uint4 v = vectors[i];

      own += (unsigned long long) v.x + v.y + v.z + v.w;
    }
  if (first == 0)
    for (uint64_t i = n * sizeof *vectors; i < bytes; i++)
      own += array[i];
  for (int lanes = 16; lanes > 0; lanes /= 2)
    own += __shfl_down_sync (0xffffffffu, own, lanes);
  if (threadIdx.x % 32 == 0)
    atomicAdd (sum, own);
}

static __global__ void
lab_managed_write (unsigned char *array,
                   uint64_t       bytes,
                   unsigned char  value)
{
  const unsigned word = 0x01010101u * value;
  uint4 *vectors = (uint4 *) array;
  const uint64_t n = bytes / sizeof *vectors, step = (uint64_t) gridDim.x * blockDim.x;
  const uint64_t first = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x;

  for (uint64_t i = first; i < n; i += step)
    vectors[i] = make_uint4 (word, word, word, word);
  if (first == 0)
    for (uint64_t i = n * sizeof *vectors; i < bytes; i++)
      array[i] = value;
}

static unsigned
blocks_for (const EskLab *lab,
            uint64_t      bytes)
{
  const uint64_t needed = bytes / (THREADS * sizeof (uint4)) + 1, most = (uint64_t) BLOCKS * lab->units;

  return (unsigned) (needed < most ? needed : most);
}

static uint64_t
piece_at (uint64_t at,
          uint64_t bytes)
{
  return bytes - at < PIECE ? bytes - at : PIECE;
}

static int
ask_piece (EskLab   *lab,
           void     *array,
           uint64_t  bytes,
           bool      to_card)
{
#if CUDART_VERSION >= 13000
  struct cudaMemLocation where = {};

  where.type = to_card ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  where.id = to_card ? lab->ordinal : 0;
  LAB_TRY (lab_check (lab, cudaMemPrefetchAsync (array, bytes, where, 0, lab->stream), "cudaMemPrefetchAsync"));
#else
  LAB_TRY (lab_check (lab, cudaMemPrefetchAsync (array, bytes, to_card ? lab->ordinal : cudaCpuDeviceId, lab->stream),
                      "cudaMemPrefetchAsync"));
#endif

  return lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize");
}

/* Asks for all of it to be moved, and waits until it is. */
static int
ask (EskLab   *lab,
     void     *array,
     uint64_t  bytes,
     bool      to_card)
{
  for (uint64_t at = 0; at < bytes; at += PIECE)
    {
      LAB_TRY (lab_cancelled (lab));
      LAB_TRY (ask_piece (lab, (char *) array + at, piece_at (at, bytes), to_card));
    }

  return ESK_LAB_OK;
}

static int
read_all (EskLab             *lab,
          const void         *array,
          uint64_t            bytes,
          unsigned long long *sum)
{
  for (uint64_t at = 0; at < bytes; at += PIECE)
    {
      const uint64_t piece = piece_at (at, bytes);

      LAB_TRY (lab_cancelled (lab));
      lab_managed_read<<<blocks_for (lab, piece), THREADS, 0, lab->stream>>> ((const unsigned char *) array + at, piece,
                                                                              sum);
      LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
    }

  return ESK_LAB_OK;
}

int
lab_managed_to_card (EskLab             *lab,
                     EskLabMemory        memory,
                     void               *array,
                     uint64_t            bytes,
                     unsigned long long *sum)
{
  return memory == ESK_MEMORY_MANAGED_AHEAD ? ask (lab, array, bytes, true) : read_all (lab, array, bytes, sum);
}

int
lab_managed_to_host (EskLab       *lab,
                     EskLabMemory  memory,
                     void         *array,
                     uint64_t      bytes)
{
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);
  const volatile unsigned char *at = (const volatile unsigned char *) array;

  if (memory == ESK_MEMORY_MANAGED_AHEAD)
    LAB_TRY (ask (lab, array, bytes, false));
  for (uint64_t b = 0; b < bytes; b += page)
    {
      if (b % PIECE == 0)
        LAB_TRY (lab_cancelled (lab));
      (void) at[b];
    }

  return ESK_LAB_OK;
}

static int
write_all (EskLab        *lab,
           void          *array,
           uint64_t       bytes,
           unsigned char  value)
{
  for (uint64_t at = 0; at < bytes; at += PIECE)
    {
      const uint64_t piece = piece_at (at, bytes);

      LAB_TRY (lab_cancelled (lab));
      lab_managed_write<<<blocks_for (lab, piece), THREADS, 0, lab->stream>>> ((unsigned char *) array + at, piece,
                                                                               value);
      LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
    }

  return ESK_LAB_OK;
}

int
lab_managed_touch (EskLab   *lab,
                   void     *array,
                   uint64_t  bytes)
{
  return write_all (lab, array, bytes, 1);
}

int
lab_managed_fill (EskLab        *lab,
                  void          *array,
                  uint64_t       bytes,
                  unsigned char  value)
{
  if (lab->managed_pages)
    LAB_TRY (ask (lab, array, bytes, true));

  return write_all (lab, array, bytes, value);
}

int
lab_managed_sum (EskLab             *lab,
                 const void         *array,
                 uint64_t            bytes,
                 unsigned long long *sum,
                 unsigned long long *value)
{
  LAB_TRY (lab_check (lab, cudaMemsetAsync (sum, 0, sizeof *sum, lab->stream), "cudaMemset"));
  LAB_TRY (read_all (lab, array, bytes, sum));

  return lab_fetch (lab, value, sum, sizeof *value);
}

/* --- One way ---------------------------------------------------------------------------------------------- */

/* Bytes that are all `value`, as the kernel adds them up. */
static unsigned long long
sum_of (uint64_t      bytes,
        unsigned char value)
{
  return bytes / sizeof (uint4) * 4 * (0x01010101ull * value) + bytes % sizeof (uint4) * value;
}

/* Where it is before is no part of what is measured, nor how it came there. */
static int
prepare (EskLab         *lab,
         const EskProbe *probe,
         void           *array,
         unsigned char   value)
{
  if (probe->variant == 1)
    return lab_managed_fill (lab, array, probe->bytes, value);
  LAB_TRY (lab_managed_to_host (lab, lab->managed_pages ? ESK_MEMORY_MANAGED_AHEAD : ESK_MEMORY_MANAGED, array,
                                probe->bytes));

  return lab_fill (lab, array, value, probe->bytes);
}

int
lab_measure_managed (EskLab         *lab,
                     const EskProbe *probe,
                     EskProbeResult *result)
{
  unsigned char value = 1;
  unsigned long long *sum, summed;
  int code;
  unsigned char *array = (unsigned char *) lab_host_memory (lab, probe->memory, probe->bytes, &code);

  if (array == NULL || (sum = (unsigned long long *) lab_device_memory (lab, sizeof *sum, &code)) == NULL)
    return code;

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      double began;

      value = value % 250 + 1;
      LAB_TRY (prepare (lab, probe, array, value));
      began = lab_now ();
      if (probe->variant == 0)
        LAB_TRY (lab_managed_to_card (lab, probe->memory, array, probe->bytes, sum));
      else
        LAB_TRY (lab_managed_to_host (lab, probe->memory, array, probe->bytes));
      *sample = lab_now () - began;

      /* What one of them wrote is what the other one finds. */
      if (probe->variant == 0)
        LAB_TRY (lab_managed_sum (lab, array, probe->bytes, sum, &summed));
      if (probe->variant == 0 ? summed != sum_of (probe->bytes, value)
                              : array[0] != value || array[probe->bytes / 2] != value
                                || array[probe->bytes - 1] != value)
        return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What moved over the link came out wrong");
      return ESK_LAB_OK;
    });
}
