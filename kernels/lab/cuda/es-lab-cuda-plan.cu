/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a plan for an array comes to: so many times to the card and from it, in one kind of host memory (gpu-lab 14). */

#include "es-lab-cuda-private.h"

#include <string.h>
#include <unistd.h>

#define MOST_TIMES 64

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return probe->bytes >= 4 && probe->bytes <= lab->memory / 4 && probe->ways + probe->threads >= 1
         && probe->ways <= MOST_TIMES && probe->threads <= MOST_TIMES && probe->memory != ESK_MEMORY_MANAGED
         && (probe->memory != ESK_MEMORY_MAPPED || lab->can_map);
}

/* The processor's turn: a word of every page, told by the round. */
static void
touch (unsigned char *host,
       uint64_t       bytes,
       unsigned       round)
{
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);

  for (uint64_t at = 0; at + 4 <= bytes; at += page)
    {
      const uint32_t word = (uint32_t) (at / page) * 2654435761u + round;

      memcpy (host + at, &word, sizeof word);
    }
}

static bool
is_touched (const unsigned char *host,
            uint64_t             bytes,
            unsigned             round)
{
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE);

  for (uint64_t at = 0; at + 4 <= bytes; at += page)
    {
      const uint32_t expected = (uint32_t) (at / page) * 2654435761u + round;

      if (memcmp (host + at, &expected, sizeof expected) != 0)
        return false;
    }

  return true;
}

static int
copy (EskLab        *lab,
      bool           locked,
      void          *to,
      const void    *from,
      uint64_t       bytes,
      cudaMemcpyKind kind)
{
  if (!locked)
    return lab_check (lab, cudaMemcpy (to, from, bytes, kind), "cudaMemcpy");
  LAB_TRY (lab_check (lab, cudaMemcpyAsync (to, from, bytes, kind, lab->stream), "cudaMemcpyAsync"));

  return lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize");
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const bool pageable = probe->memory == ESK_MEMORY_PAGEABLE || probe->memory == ESK_MEMORY_LARGE_PAGES;
  const bool registered = probe->memory == ESK_MEMORY_REGISTERED;
  unsigned char *host;
  void *card;
  int code;

  /* Registered memory is locked and unlocked as part of the plan. */
  host = (unsigned char *) lab_host_memory (lab, registered ? ESK_MEMORY_PAGEABLE : probe->memory, probe->bytes, &code);
  if (host == NULL || (card = lab_device_memory (lab, probe->bytes, &code)) == NULL)
    return code;

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      unsigned ups = 0, downs = 0, round = 1;
      double began = lab_now ();

      if (registered)
        {
          LAB_TRY (lab_check (lab, cudaHostRegister (host, probe->bytes, cudaHostRegisterDefault), "cudaHostRegister"));
          if (lab_note (lab, LAB_TAKEN_REGISTRATION, host, probe->bytes, &code) == NULL)
            return code;
        }
      /* In turns while there are some of both. */
      while (ups < probe->ways || downs < probe->threads)
        {
          LAB_TRY (lab_cancelled (lab));
          if (ups < probe->ways)
            {
              touch (host, probe->bytes, ++round);
              LAB_TRY (copy (lab, !pageable, card, host, probe->bytes, cudaMemcpyHostToDevice));
              ups++;
            }
          if (downs < probe->threads)
            {
              LAB_TRY (copy (lab, !pageable, host, card, probe->bytes, cudaMemcpyDeviceToHost));
              downs++;
            }
        }
      if (registered)
        LAB_TRY (lab_check (lab, lab_give_back (lab, host, LAB_TAKEN_REGISTRATION), "cudaHostUnregister"));
      LAB_TRY (lab_check (lab, cudaDeviceSynchronize (), "cudaDeviceSynchronize"));
      *sample = lab_now () - began;

      /* What is on the card is what the processor wrote last. */
      if (probe->ways > 0)
        {
          LAB_TRY (copy (lab, false, host, card, probe->bytes, cudaMemcpyDeviceToHost));
          if (!is_touched (host, probe->bytes, round))
            return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What the plan left on the card came out wrong");
        }
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_plan = { has, measure, NULL, true };
