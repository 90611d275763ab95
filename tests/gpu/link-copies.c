/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Copies between a card and page-locked memory of the host, and within the card, as NVIDIA's nvbandwidth measures them:
 * with the copy engine, one buffer of 256 MiB, several copies one behind the other in a stream between two events, the
 * median of repeats. Knows nothing of the laboratory, whose figures are held against these (compare_copies.py).
 * usage: link-copies [DEVICE]        prints an object: bytes a second; "both" and "within" count both ways
 */

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES ((size_t) 256 << 20)
#define COPIES 16
#define REPEATS 9

static void
check (cudaError_t code, const char *what)
{
  if (code == cudaSuccess)
    return;
  fprintf (stderr, "link-copies: %s: %s\n", what, cudaGetErrorString (code));
  exit (1);
}

typedef struct
{
  void        *host[2], *device[2];
  cudaStream_t stream[2];
  cudaEvent_t  begin, end, joined;
} Copies;

static void
copy (Copies *self, enum cudaMemcpyKind kind, int way)
{
  void *to = kind == cudaMemcpyDeviceToHost ? self->host[way] : self->device[way];
  void *from = kind == cudaMemcpyHostToDevice     ? self->host[way]
               : kind == cudaMemcpyDeviceToDevice ? self->device[!way] : self->device[way];

  check (cudaMemcpyAsync (to, from, BYTES, kind, self->stream[way]), "copying");
}

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* Bytes a second of the first way, and where `both` of the second beside it. */
static double
measure (Copies *self, enum cudaMemcpyKind kind, int both)
{
  double rates[REPEATS];

  for (int r = -1; r < REPEATS; r++)
    {
      float milliseconds;

      check (cudaDeviceSynchronize (), "waiting");
      check (cudaEventRecord (self->begin, self->stream[0]), "an event");
      if (both)
        check (cudaStreamWaitEvent (self->stream[1], self->begin, 0), "an event");
      for (int i = 0; i < COPIES; i++)
        {
          copy (self, kind, 0);
          if (both)
            copy (self, cudaMemcpyDeviceToHost, 1);
        }
      if (both)
        {
          check (cudaEventRecord (self->joined, self->stream[1]), "an event");
          check (cudaStreamWaitEvent (self->stream[0], self->joined, 0), "an event");
        }
      check (cudaEventRecord (self->end, self->stream[0]), "an event");
      check (cudaEventSynchronize (self->end), "waiting");
      check (cudaEventElapsedTime (&milliseconds, self->begin, self->end), "the time");
      if (r >= 0)
        rates[r] = (double) BYTES * COPIES * (both || kind == cudaMemcpyDeviceToDevice ? 2 : 1) / (1e-3 * milliseconds);
    }
  qsort (rates, REPEATS, sizeof *rates, compare);
  return rates[REPEATS / 2];
}

int
main (int argc, char **argv)
{
  Copies self = { 0 };

  check (cudaSetDevice (argc > 1 ? atoi (argv[1]) : 0), "the device");
  for (int way = 0; way < 2; way++)
    {
      check (cudaHostAlloc (&self.host[way], BYTES, cudaHostAllocDefault), "page-locked memory");
      check (cudaMalloc (&self.device[way], BYTES), "memory of the card");
      check (cudaMemset (self.device[way], way, BYTES), "memory of the card");
      check (cudaStreamCreateWithFlags (&self.stream[way], cudaStreamNonBlocking), "a stream");
    }
  check (cudaEventCreate (&self.begin), "an event");
  check (cudaEventCreate (&self.end), "an event");
  check (cudaEventCreateWithFlags (&self.joined, cudaEventDisableTiming), "an event");
  const double to = measure (&self, cudaMemcpyHostToDevice, 0);
  const double from = measure (&self, cudaMemcpyDeviceToHost, 0);
  const double both = measure (&self, cudaMemcpyHostToDevice, 1);
  const double within = measure (&self, cudaMemcpyDeviceToDevice, 0);
  printf ("{\"bytes\": %zu, \"to\": %.6e, \"from\": %.6e, \"both\": %.6e, \"within\": %.6e}\n", BYTES, to, from, both,
          within);
  for (int way = 0; way < 2; way++)
    {
      cudaFreeHost (self.host[way]);
      cudaFree (self.device[way]);
      cudaStreamDestroy (self.stream[way]);
    }
  return 0;
}
