/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A back end for tests on machines without a GPU: "cards" whose memory is the host's, guarded at both ends, whose hot
 * spots are the CPU's, and which fail when they are told to.
 *
 *   ES_FAKE_DEVICES          cards, 2 where not set
 *   ES_FAKE_MEMORY           bytes of each, 268435456 where not set
 *   ES_FAKE_FAIL_ALLOCATION  the n-th memory_new from when the value was set fails; "n+": every one from the n-th on
 *   ES_FAKE_LOSE_AT          at the n-th hot spot, copy or wait from when the value was set its card is lost
 *   ES_FAKE_DELAY_US         every hot spot takes that much longer
 *   ES_FAKE_STAGING          bytes of page-locked memory that there are; as many as are wanted where not set
 *   ES_FAKE_LAZY             1: page-locked memory is read when the stream is waited for or asked for something else
 *   ES_FAKE_LOAD_US          loading the module takes that long, as it does with the libraries of a card
 *   ES_FAKE_SEARCH_US        looking for cards takes that long, as starting a driver does
 *   ES_FAKE_EIGEN_LARGEST    larger eigenproblems are ESK_ERROR_ARGUMENT; ESK_ERROR_MEMORY where it is negative
 *   ES_FAKE_ABI              the ABI that the module claims to have
 *   ES_FAKE_GL               1: every card drives the current GL context
 *   ES_FAKE_WITHOUT          "eigen", "beam", "adaptive", "neighbours", "sums": the module lacks that subject
 */

#include "fake-device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__ ((constructor)) static void
load_slowly (void)
{
  const long load = fake_number ("ES_FAKE_LOAD_US", 0);

  if (load > 0)
    usleep ((useconds_t) load);
}

static EskHotspots hotspots = {
  .abi = ESK_HOTSPOTS_ABI,
  .name = "cuda",
  .stream = &fake_stream_hotspots,
  .device = &fake_device_hotspots,
  .picture = &fake_picture_hotspots,
  .eigen = &fake_eigen_hotspots,
  .cube = &fake_cube_hotspots,
  .ica = &fake_ica_hotspots,
  .beam = &fake_beam_hotspots,
  .adaptive = &fake_adaptive_hotspots,
  .sums = &fake_sums_hotspots,
  .neighbours = &fake_neighbours_hotspots,
  .sparse = &fake_sparse_hotspots,
  .vectors = &fake_vectors_hotspots,
};

/* A back end that does not know one of the subjects. */
static void
leave_out (const char *subject)
{
  if (strcmp (subject, "eigen") == 0)
    hotspots.eigen = NULL;
  else if (strcmp (subject, "beam") == 0)
    hotspots.beam = NULL;
  else if (strcmp (subject, "adaptive") == 0)
    hotspots.adaptive = NULL;
  else if (strcmp (subject, "neighbours") == 0)
    hotspots.neighbours = NULL;
  else if (strcmp (subject, "sums") == 0)
    hotspots.sums = NULL;
  else if (strcmp (subject, "sparse") == 0)
    hotspots.sparse = NULL;
  else if (strcmp (subject, "vectors") == 0)
    hotspots.vectors = NULL;
}

__attribute__ ((visibility ("default"))) const EskHotspots *esk_module_hotspots (unsigned abi, char *why,
                                                                                 size_t why_bytes);

const EskHotspots *
esk_module_hotspots (unsigned abi, char *why, size_t why_bytes)
{
  unsigned own = (unsigned) fake_number ("ES_FAKE_ABI", ESK_HOTSPOTS_ABI);
  const char *without = getenv ("ES_FAKE_WITHOUT");

  if (without != NULL)
    leave_out (without);
  if (abi == own)
    return &hotspots;
  snprintf (why, why_bytes, "it is made for interface %u, the program for %u", own, abi);
  return NULL;
}
