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
         && probe->ways <= MOST_TIMES && probe->threads <= MOST_TIMES
         && (!lab_is_managed (probe->memory) || lab_has_managed (lab, probe->memory, probe->bytes))
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

/* What the card finds of an array of ones after a round of the processor's: lab_managed_sum (). */
static unsigned long long
expected_sum (uint64_t bytes,
              unsigned round)
{
  const uint64_t page = (uint64_t) sysconf (_SC_PAGESIZE), whole = bytes / 16 * 16;
  unsigned long long sum = whole / 4 * 0x01010101ull + (bytes - whole);

  for (uint64_t at = 0; at + 4 <= bytes; at += page)
    {
      const uint32_t word = (uint32_t) (at / page) * 2654435761u + round;

      if (at + 4 <= whole)
        sum += word - 0x01010101ull;
      else
        for (int b = 0; b < 4; b++)
          sum += (word >> 8 * b & 255) - 1ull;
    }

  return sum;
}

/*
 * Managed memory: one array, which is where it was needed last, and at first where it is written first. Before the
 * processor writes it anew it comes back, and before the card has something new to bring it goes there. A driver keeps
 * in mind which pages went to and fro, and holds these up: each time it is another array.
 */
static int
measure_managed (EskLab         *lab,
                 const EskProbe *probe,
                 EskProbeResult *result)
{
  int code;
  unsigned long long *sum = (unsigned long long *) lab_device_memory (lab, sizeof *sum, &code), summed;

  if (sum == NULL)
    return code;

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      unsigned char *array = (unsigned char *) lab_host_memory (lab, probe->memory, probe->bytes, &code);
      unsigned ups = 0, downs = 0, round = 1;
      bool on_card = probe->ways == 0;
      double began;

      if (array == NULL)
        return code;
      if (on_card)
        LAB_TRY (lab_managed_fill (lab, array, probe->bytes, 1));
      began = lab_now ();
      while (ups < probe->ways || downs < probe->threads)
        {
          LAB_TRY (lab_cancelled (lab));
          if (ups < probe->ways)
            {
              if (on_card)
                LAB_TRY (lab_managed_to_host (lab, probe->memory, array, probe->bytes));
              touch (array, probe->bytes, ++round);
              LAB_TRY (lab_managed_to_card (lab, probe->memory, array, probe->bytes, sum));
              on_card = true;
              ups++;
            }
          if (downs < probe->threads)
            {
              if (!on_card)
                LAB_TRY (lab_managed_to_card (lab, probe->memory, array, probe->bytes, sum));
              LAB_TRY (lab_managed_to_host (lab, probe->memory, array, probe->bytes));
              on_card = false;
              downs++;
            }
        }
      *sample = lab_now () - began;

      if (probe->ways > 0)
        {
          LAB_TRY (lab_managed_sum (lab, array, probe->bytes, sum, &summed));
          if (summed != expected_sum (probe->bytes, round))
            return lab_refuse (lab, ESK_LAB_ERROR_WRONG, "What the plan left on the card came out wrong");
        }
      return lab_check (lab, lab_give_back (lab, array, LAB_TAKEN_MANAGED), "cudaFree");
    });
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

  if (lab_is_managed (probe->memory))
    return measure_managed (lab, probe, result);
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
