/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One copy over the link, of every size and kind of host memory, and from card to card (gpu-lab 13). */

#include "es-lab-cuda-private.h"

#include <stdio.h>
#include <string.h>

/* How much of the ends is held against what was sent: reading write-combined memory takes long. */
#define VERIFIED 4096ull

static bool
is_locked (EskLabMemory memory)
{
  return memory == ESK_MEMORY_REGISTERED || memory == ESK_MEMORY_PINNED || memory == ESK_MEMORY_WRITE_COMBINED
         || memory == ESK_MEMORY_MAPPED;
}

static int
has_link (const EskLab   *lab,
          const EskProbe *probe)
{
  if (probe->bytes < 1 || probe->bytes > lab->memory / 4 || probe->variant > 2)
    return 0;
  if (lab_is_managed (probe->memory))
    return probe->variant < 2 && lab_has_managed (lab, probe->memory, probe->bytes);

  /* Of pageable memory the driver copies one after the other. */
  return probe->variant != 2 || is_locked (probe->memory);
}

static void
mark (unsigned char *host,
      uint64_t       bytes,
      unsigned       seed)
{
  for (uint64_t i = 0; i < bytes; i++)
    if (i < VERIFIED || i + VERIFIED >= bytes)
      host[i] = (unsigned char) (i * 31 + seed);
    else
      i = bytes - VERIFIED - 1;
}

static bool
is_marked (const unsigned char *host,
           uint64_t             bytes,
           unsigned             seed)
{
  for (uint64_t i = 0; i < bytes; i++)
    if (i >= VERIFIED && i + VERIFIED < bytes)
      i = bytes - VERIFIED - 1;
    else if (host[i] != (unsigned char) (i * 31 + seed))
      return false;

  return true;
}

static int
measure_link (EskLab         *lab,
              const EskProbe *probe,
              EskProbeResult *result)
{
  const bool locked = is_locked (probe->memory), both = probe->variant == 2;
  unsigned char *host, *back = NULL;
  void *card, *card_back = NULL;
  cudaStream_t second = NULL;
  int code;

  if (lab_is_managed (probe->memory))
    return lab_measure_managed (lab, probe, result);
  host = (unsigned char *) lab_host_memory (lab, probe->memory, probe->bytes, &code);
  if (host == NULL || (card = lab_device_memory (lab, probe->bytes, &code)) == NULL)
    return code;
  if (both && ((back = (unsigned char *) lab_host_memory (lab, probe->memory, probe->bytes, &code)) == NULL
               || (card_back = lab_device_memory (lab, probe->bytes, &code)) == NULL
               || (second = lab_stream (lab, &code)) == NULL))
    return code;

  /* There and back again, before anything is measured. */
  mark (host, probe->bytes, 7);
  LAB_TRY (lab_upload (lab, card, host, probe->bytes));
  mark (host, probe->bytes, 8);
  LAB_TRY (lab_fetch (lab, host, card, probe->bytes));
  if (!is_marked (host, probe->bytes, 7))
    return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What went over the link and back came out wrong");
  if (both)
    LAB_TRY (lab_check (lab, cudaMemset (card_back, 0, probe->bytes), "cudaMemset"));
  LAB_TRY (lab_check (lab, cudaDeviceSynchronize (), "cudaDeviceSynchronize"));

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      const double began = lab_now ();

      if (!both && !locked)
        LAB_TRY (lab_check (lab, probe->variant == 0 ? cudaMemcpy (card, host, probe->bytes, cudaMemcpyHostToDevice)
                                 : cudaMemcpy (host, card, probe->bytes, cudaMemcpyDeviceToHost), "cudaMemcpy"));
      else if (probe->variant == 1)
        LAB_TRY (lab_check (lab, cudaMemcpyAsync (host, card, probe->bytes, cudaMemcpyDeviceToHost, lab->stream),
                            "cudaMemcpyAsync"));
      else
        LAB_TRY (lab_check (lab, cudaMemcpyAsync (card, host, probe->bytes, cudaMemcpyHostToDevice, lab->stream),
                            "cudaMemcpyAsync"));
      if (both)
        LAB_TRY (lab_check (lab, cudaMemcpyAsync (back, card_back, probe->bytes, cudaMemcpyDeviceToHost, second),
                            "cudaMemcpyAsync"));
      /* Small pageable uploads return before they are over; both streams end here. */
      if (both)
        LAB_TRY (lab_check (lab, cudaStreamSynchronize (second), "cudaStreamSynchronize"));
      LAB_TRY (lab_check (lab, locked ? cudaStreamSynchronize (lab->stream) : cudaStreamSynchronize (cudaStreamLegacy),
                          "cudaStreamSynchronize"));
      *sample = lab_now () - began;
      return ESK_LAB_OK;
    });
}

/* --- From card to card ------------------------------------------------------------------------------------ */

static int
has_peer (const EskLab   *lab,
          const EskProbe *probe)
{
  int n = 0, can = 0;

  if (cudaGetDeviceCount (&n) != cudaSuccess || probe->ways >= (uint32_t) n || (int) probe->ways == lab->ordinal
      || probe->variant > 1 || probe->bytes < 1 || probe->bytes > lab->memory / 4)
    {
      cudaGetLastError ();
      return 0;
    }
  if (probe->variant == 0)
    return 1;
  if (cudaDeviceCanAccessPeer (&can, lab->ordinal, (int) probe->ways) != cudaSuccess)
    cudaGetLastError ();

  return can;
}

/* The other card's context, and memory in it; 0: not yet. */
typedef struct {
  void              *context;
  unsigned long long memory;
} Other;

static int
check_driver (EskLab     *lab,
              int         code,
              const char *what)
{
  char sentence[160];

  if (code == 0)
    return ESK_LAB_OK;
  snprintf (sentence, sizeof sentence, "%s: %s", what, lab_driver_error (code));

  return lab_refuse (lab, ESK_LAB_ERROR_DEVICE, sentence);
}

static int
measure_copies (EskLab          *lab,
                const LabDriver *driver,
                const EskProbe  *probe,
                EskProbeResult  *result,
                Other           *other)
{
  unsigned char ends[2] = { 0, 0 };
  int device, code;
  char *card;

  LAB_TRY (check_driver (lab, driver->device_get (&device, (int) probe->ways), "cuDeviceGet"));
  LAB_TRY (check_driver (lab, driver->context_create (&other->context, 0, device), "cuCtxCreate"));
  LAB_TRY (check_driver (lab, driver->memory_allocate (&other->memory, probe->bytes), "cuMemAlloc"));
  if (probe->variant == 1)
    LAB_TRY (check_driver (lab, driver->peer_enable (lab->context, 0), "cuCtxEnablePeerAccess"));
  LAB_TRY (check_driver (lab, driver->context_set (lab->context), "cuCtxSetCurrent"));
  if (probe->variant == 1)
    LAB_TRY (check_driver (lab, driver->peer_enable (other->context, 0), "cuCtxEnablePeerAccess"));
  card = (char *) lab_device_memory (lab, probe->bytes, &code);
  if (card == NULL)
    return code;
  LAB_TRY (lab_check (lab, cudaMemsetAsync (card, 5, probe->bytes, lab->stream), "cudaMemset"));
  LAB_TRY (lab_wait (lab));

  code = lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      const double began = lab_now ();

      LAB_TRY (check_driver (lab, driver->copy_peer (other->memory, other->context, (unsigned long long) card,
                                                     lab->context, probe->bytes, lab->stream), "cuMemcpyPeerAsync"));
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
      *sample = lab_now () - began;
      return ESK_LAB_OK;
    });
  LAB_TRY (code);

  /* Back again: the ends are what they were. */
  LAB_TRY (lab_check (lab, cudaMemsetAsync (card, 0, probe->bytes, lab->stream), "cudaMemset"));
  LAB_TRY (check_driver (lab, driver->copy_peer ((unsigned long long) card, lab->context, other->memory, other->context,
                                                 probe->bytes, lab->stream), "cuMemcpyPeerAsync"));
  LAB_TRY (lab_fetch (lab, &ends[0], card, 1));
  LAB_TRY (lab_fetch (lab, &ends[1], card + probe->bytes - 1, 1));

  return ends[0] == 5 && ends[1] == 5 ? ESK_LAB_OK
         : lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What went to the other card and back came out wrong");
}

static int
measure_peer (EskLab         *lab,
              const EskProbe *probe,
              EskProbeResult *result)
{
  const LabDriver *driver = lab_driver (NULL, 0);
  Other other = { NULL, 0 };
  const int code = measure_copies (lab, driver, probe, result, &other);

  /* Our access to the other context goes with it. */
  if (other.memory != 0)
    {
      driver->context_set (other.context);
      driver->memory_free (other.memory);
    }
  if (other.context != NULL)
    driver->context_destroy (other.context);
  driver->context_set (lab->context);

  return code;
}

const LabKind lab_kind_link = { has_link, measure_link, NULL, true };
const LabKind lab_kind_peer = { has_peer, measure_peer, NULL, true };
