/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Copies and work at once: in bands of a stream each, and beside the processor's own work (gpu-lab 16). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-team-private.h"

#define THREADS 256
#define MOST_BANDS 64
#define MOST_ROUNDS 65536
/* Multiply-adds of a launch, so that each is over in time. */
#define PIECE (1ull << 35)
/* The works of the two halves: how often each number is multiplied and added to. */
#define USUAL_ROUNDS 256
#define LOOK (1u << 20)        /* numbers between which the host looks whether it was cancelled */
#define FACTOR 0.999f
#define TERM 0.001f

/* lab: overlap */
static __global__ void
lab_work (float    *x,
          uint64_t  n,
          int       rounds,
          float     a,
          float     b)
{
  for (uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x; i < n; i += (uint64_t) gridDim.x * blockDim.x)
    {
      float value = x[i];

#pragma unroll 8
      for (int r = 0; r < rounds; r++)
        value = __fadd_rn (__fmul_rn (value, a), b);
      x[i] = value;
    }
}
/* lab end */

static void
launch (EskLab       *lab,
        cudaStream_t  stream,
        float        *x,
        uint64_t      n,
        uint32_t      rounds)
{
  const uint64_t whole = (n + THREADS - 1) / THREADS, most = (uint64_t) lab->units * 8;
  const uint32_t blocks = (uint32_t) (whole < most ? whole : most);
  const uint32_t piece = PIECE / n > MOST_ROUNDS ? MOST_ROUNDS : PIECE / n > 8 ? (uint32_t) (PIECE / n) : 8;

  while (rounds > 0)
    {
      const uint32_t now = rounds < piece ? rounds : piece;

      lab_work<<<blocks, THREADS, 0, stream>>> (x, n, (int) now, FACTOR, TERM);
      rounds -= now;
    }
}

/* What the host makes of a number. */
static float
work_of (float    value,
         uint32_t rounds)
{
  for (uint32_t r = 0; r < rounds; r++)
    {
      const volatile float product = value * FACTOR;

      value = product + TERM;
    }

  return value;
}

static float
number (uint64_t i)
{
  return (float) (i % 4093) / 4093.0f;
}

static int
fill (EskLab   *lab,
      float    *x,
      uint64_t  n)
{
  for (uint64_t i = 0; i < n; i++)
    {
      if (i % LOOK == 0)
        LAB_TRY (lab_cancelled (lab));
      x[i] = number (i);
    }

  return ESK_LAB_OK;
}

static bool
is_worked (const float *x,
           uint64_t     n,
           uint32_t     rounds)
{
  for (uint64_t c = 0; c < 64; c++)
    {
      const uint64_t i = (n - 1) * c / 63;

      if (x[i] != work_of (number (i), rounds))
        return false;
    }

  return true;
}

static void
add_span (EskProbeResult *result,
          uint32_t        what,
          uint32_t        row,
          double          from,
          double          to)
{
  if (result->n_spans < ESK_LAB_MOST_SPANS)
    result->spans[result->n_spans++] = EskLabSpan { what, row, from, to };
}

/* Of events in the order that they are recorded in; the origin is the first. */
static int
add_event_spans (EskLab         *lab,
                 EskProbeResult *result,
                 cudaEvent_t     origin,
                 cudaEvent_t   (*events)[4],
                 uint32_t        rows)
{
  for (uint32_t row = 0; row < rows; row++)
    {
      float at[4];

      for (int e = 0; e < 4; e++)
        LAB_TRY (lab_check (lab, cudaEventElapsedTime (&at[e], origin, events[row][e]), "cudaEventElapsedTime"));
      for (uint32_t what = 0; what < 3; what++)
        add_span (result, what, row, at[what] * 1e-3, at[what + 1] * 1e-3);
    }

  return ESK_LAB_OK;
}

/* --- Bands ------------------------------------------------------------------------------------------------ */

static int
has_overlap (const EskLab   *lab,
             const EskProbe *probe)
{
  return probe->ways >= 1 && probe->ways <= MOST_BANDS && probe->bytes >= 1024 * (uint64_t) probe->ways
         && probe->bytes <= lab->memory / 4 && probe->variant <= MOST_ROUNDS && !lab_is_managed (probe->memory);
}

static int
measure_overlap (EskLab         *lab,
                 const EskProbe *probe,
                 EskProbeResult *result)
{
  const uint64_t n = probe->bytes / 4;
  cudaStream_t streams[MOST_BANDS];
  cudaEvent_t events[MOST_BANDS][4], origin;
  float *from, *to, *card;
  int code;

  if ((from = (float *) lab_host_memory (lab, probe->memory, n * 4, &code)) == NULL
      || (to = (float *) lab_host_memory (lab, probe->memory, n * 4, &code)) == NULL
      || (card = (float *) lab_device_memory (lab, n * 4, &code)) == NULL || (origin = lab_event (lab, &code)) == NULL)
    return code;
  for (uint32_t band = 0; band < probe->ways; band++)
    {
      if ((streams[band] = lab_stream (lab, &code)) == NULL)
        return code;
      for (int e = 0; e < 4; e++)
        if ((events[band][e] = lab_event (lab, &code)) == NULL)
          return code;
    }
  LAB_TRY (fill (lab, from, n));

  code = lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      double began;

      LAB_TRY (lab_check (lab, cudaDeviceSynchronize (), "cudaDeviceSynchronize"));
      LAB_TRY (lab_check (lab, cudaEventRecord (origin, streams[0]), "cudaEventRecord"));
      began = lab_now ();
      for (uint32_t band = 0; band < probe->ways; band++)
        {
          const uint64_t first = n * band / probe->ways, last = n * (band + 1) / probe->ways;
          const uint64_t bytes = (last - first) * 4;
          cudaStream_t stream = streams[band];

          LAB_TRY (lab_check (lab, cudaEventRecord (events[band][0], stream), "cudaEventRecord"));
          LAB_TRY (lab_check (lab, cudaMemcpyAsync (card + first, from + first, bytes, cudaMemcpyHostToDevice, stream),
                              "cudaMemcpyAsync"));
          LAB_TRY (lab_check (lab, cudaEventRecord (events[band][1], stream), "cudaEventRecord"));
          launch (lab, stream, card + first, last - first, probe->variant);
          LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
          LAB_TRY (lab_check (lab, cudaEventRecord (events[band][2], stream), "cudaEventRecord"));
          LAB_TRY (lab_check (lab, cudaMemcpyAsync (to + first, card + first, bytes, cudaMemcpyDeviceToHost, stream),
                              "cudaMemcpyAsync"));
          LAB_TRY (lab_check (lab, cudaEventRecord (events[band][3], stream), "cudaEventRecord"));
        }
      for (uint32_t band = 0; band < probe->ways; band++)
        {
          LAB_TRY (lab_check (lab, cudaStreamSynchronize (streams[band]), "cudaStreamSynchronize"));
          LAB_TRY (lab_cancelled (lab));
        }
      *sample = lab_now () - began;
      return ESK_LAB_OK;
    });
  LAB_TRY (code);
  if (!is_worked (to, n, probe->variant))
    return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What came back in bands came out wrong");

  return add_event_spans (lab, result, origin, events, probe->ways);
}

/* --- The card and the processor --------------------------------------------------------------------------- */

typedef struct {
  float   *x;
  uint64_t n;
  uint32_t rounds;
  double   from, to;             /* of the host's clock */
} Half;

static void
host_part (void     *data,
           unsigned  thread,
           unsigned  n)
{
  Half *half = (Half *) data;
  const uint64_t first = half->n * thread / n, last = half->n * (thread + 1) / n;

  lab_host_work (half->x + first, last - first, half->rounds, FACTOR, TERM);
}

typedef struct {
  cudaEvent_t origin, events[1][4];
  float      *host, *card;
  uint64_t    n;
  uint32_t    rounds;
} CardHalf;

static int
start_card (EskLab   *lab,
            CardHalf *half)
{
  LAB_TRY (lab_check (lab, cudaEventRecord (half->origin, lab->stream), "cudaEventRecord"));
  LAB_TRY (lab_check (lab, cudaEventRecord (half->events[0][0], lab->stream), "cudaEventRecord"));
  LAB_TRY (lab_check (lab, cudaMemcpyAsync (half->card, half->host, half->n * 4, cudaMemcpyHostToDevice, lab->stream),
                      "cudaMemcpyAsync"));
  LAB_TRY (lab_check (lab, cudaEventRecord (half->events[0][1], lab->stream), "cudaEventRecord"));
  launch (lab, lab->stream, half->card, half->n, half->rounds);
  LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
  LAB_TRY (lab_check (lab, cudaEventRecord (half->events[0][2], lab->stream), "cudaEventRecord"));
  LAB_TRY (lab_check (lab, cudaMemcpyAsync (half->host, half->card, half->n * 4, cudaMemcpyDeviceToHost, lab->stream),
                      "cudaMemcpyAsync"));

  return lab_check (lab, cudaEventRecord (half->events[0][3], lab->stream), "cudaEventRecord");
}

static int
has_both (const EskLab   *lab,
          const EskProbe *probe)
{
  return probe->variant <= 1 && probe->bytes >= 1 << 16 && probe->bytes <= lab->memory / 8
         && probe->stride <= MOST_ROUNDS && probe->threads <= LAB_MOST_THREADS;
}

/* How many numbers the processor works through while the card does its share: found once for a size, so that one after
 * the other and at once are the same works. */
static int
find_share (EskLab   *lab,
            CardHalf *card,
            Half     *half,
            unsigned  threads)
{
  double began, seconds;

  LAB_TRY (start_card (lab, card));
  LAB_TRY (lab_wait (lab));
  began = lab_now ();
  LAB_TRY (start_card (lab, card));
  LAB_TRY (lab_wait (lab));
  seconds = lab_now () - began;

  for (half->n = 4096; ; half->n *= 2)
    {
      double spent = 0.0;

      for (int k = 0; k < 2; k++)
        spent = lab_team (threads, host_part, half);
      if (spent < 0.0)
        return lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "The system gave no more threads");
      LAB_TRY (lab_cancelled (lab));
      if (spent >= seconds / 4.0 || half->n * 2 > card->n)
        {
          const double share = spent > 0.0 ? half->n * (seconds / spent) : (double) half->n;

          half->n = share < 1024.0 ? 1024 : share < (double) card->n ? (uint64_t) share : card->n;
          break;
        }
    }

  return ESK_LAB_OK;
}

static int
measure_both (EskLab         *lab,
              const EskProbe *probe,
              EskProbeResult *result)
{
  const unsigned threads = lab_team_size (probe->threads);
  const uint32_t rounds = probe->stride > 0 ? probe->stride : USUAL_ROUNDS;
  CardHalf card = {};
  Half half = {};
  double card_began = 0.0;
  int code;

  card.n = probe->bytes / 4;
  card.rounds = half.rounds = rounds;
  if ((card.host = (float *) lab_host_memory (lab, ESK_MEMORY_PINNED, card.n * 4, &code)) == NULL
      || (half.x = (float *) lab_host_memory (lab, ESK_MEMORY_PAGEABLE, card.n * 4, &code)) == NULL
      || (card.card = (float *) lab_device_memory (lab, card.n * 4, &code)) == NULL
      || (card.origin = lab_event (lab, &code)) == NULL)
    return code;
  for (int e = 0; e < 4; e++)
    if ((card.events[0][e] = lab_event (lab, &code)) == NULL)
      return code;

  LAB_TRY (fill (lab, card.host, card.n));
  LAB_TRY (fill (lab, half.x, card.n));
  if (lab->both_bytes != probe->bytes || lab->both_rounds != rounds || lab->both_threads != threads)
    {
      LAB_TRY (find_share (lab, &card, &half, threads));
      lab->both_bytes = probe->bytes;
      lab->both_rounds = rounds;
      lab->both_threads = threads;
      lab->both_elements = half.n;
    }
  half.n = lab->both_elements;

  code = lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      LAB_TRY (fill (lab, card.host, card.n));
      LAB_TRY (fill (lab, half.x, half.n));
      LAB_TRY (lab_check (lab, cudaDeviceSynchronize (), "cudaDeviceSynchronize"));
      card_began = lab_now ();
      LAB_TRY (start_card (lab, &card));
      if (probe->variant == 0)
        LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
      half.from = lab_now ();
      if (lab_team (threads, host_part, &half) < 0.0)
        return lab_refuse (lab, ESK_LAB_ERROR_MEMORY, "The system gave no more threads");
      half.to = lab_now ();
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
      *sample = lab_now () - card_began;
      return ESK_LAB_OK;
    });
  LAB_TRY (code);
  if (!is_worked (card.host, card.n, rounds) || !is_worked (half.x, half.n, rounds))
    return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "The work of the card or of the processor came out wrong");

  LAB_TRY (add_event_spans (lab, result, card.origin, card.events, 1));
  add_span (result, 3, 1, half.from - card_began, half.to - card_began);

  return ESK_LAB_OK;
}

const LabKind lab_kind_overlap = { has_overlap, measure_overlap, "overlap", true };
const LabKind lab_kind_both = { has_both, measure_both, "overlap", true };
