/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What a device can do: its tables of hot spots, one a subject.
 *
 * Plain C: no GLib, no CUDA type. A subject is a header es-hotspots-x.h with its table, a file in each back end that
 * fills it by name, and a pointer below; no subject knows another. What a back end cannot do, an entry or a whole
 * table, is NULL: it is then done by the CPU (ESK_HAS () asks). Launchers work on the stream they are given, guard
 * every edge, return ESK_OK or a negative code, never print and never exit. One stream is used by one thread at a time;
 * different streams are independent.
 *
 * A back end may have memory of its own (`device` is not NULL: a GPU). Its hot spots then work on "planes" that load ()
 * made: EskTile.data, `valid` and `out` point into the device's memory, and selection->bands and ->no_data are not
 * looked at again, for planes hold the selected bands only and `valid` knows what is missing. Launchers may return
 * before the work is done; wait () waits for it and tells how it went. What they read from the host (basis, mean,
 * selection) is copied before they return; what they write to the host (ranges, sums, statistics) is there when they
 * return.
 */

#include "es-hotspots-adaptive.h"
#include "es-hotspots-beam.h"
#include "es-hotspots-cube.h"
#include "es-hotspots-device.h"
#include "es-hotspots-eigen.h"
#include "es-hotspots-ica.h"
#include "es-hotspots-neighbours.h"
#include "es-hotspots-picture.h"
#include "es-hotspots-sparse.h"
#include "es-hotspots-stream.h"
#include "es-hotspots-sums.h"
#include "es-hotspots-vectors.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Raised with every change of any of the tables. */
#define ESK_HOTSPOTS_ABI 13

typedef struct {
  unsigned                   abi;      /* ESK_HOTSPOTS_ABI */
  const char                *name;     /* "cpu", "cuda" */

  const EskStreamHotspots   *stream;   /* never NULL */
  const EskDeviceHotspots   *device;   /* NULL: the CPU, whose memory is the host's; otherwise without NULLs */
  /* Of a device with memory of its own: picture (but for OpenGL), cube and ica are there as a whole. */
  const EskPictureHotspots  *picture;
  const EskEigenHotspots    *eigen;
  const EskCubeHotspots     *cube;
  const EskIcaHotspots      *ica;
  const EskBeamHotspots     *beam;
  const EskAdaptiveHotspots *adaptive;
  const EskSumsHotspots     *sums;     /* of several processes */
  const EskSparseHotspots   *sparse;
  const EskNeighboursHotspots *neighbours;
  const EskVectorsHotspots  *vectors;
} EskHotspots;

/* Whether the back end has that entry of that subject: ESK_HAS (hotspots, beam, beam_output). */
#define ESK_HAS(hotspots, subject, entry) ((hotspots)->subject != NULL && (hotspots)->subject->entry != NULL)

/* What a back end without the entry has nothing to do for: all of these are ESK_OK there. */

/* Until everything asked of the stream is done. */
static inline int
esk_hotspots_wait (const EskHotspots *hotspots,
                   EskStream         *stream)
{
  return ESK_HAS (hotspots, device, wait) ? hotspots->device->wait (stream) : ESK_OK;
}

static inline int
esk_hotspots_collect (const EskHotspots *hotspots,
                      EskStream         *stream,
                      EskCovariance     *covariance)
{
  return ESK_HAS (hotspots, cube, covariance_collect) ? hotspots->cube->covariance_collect (stream, covariance)
                                                      : ESK_OK;
}

static inline int
esk_hotspots_set_threads (const EskHotspots *hotspots,
                          EskStream         *stream,
                          int                threads)
{
  return ESK_HAS (hotspots, stream, set_threads) ? hotspots->stream->set_threads (stream, threads) : ESK_OK;
}

static inline void
esk_hotspots_set_cancelled (const EskHotspots *hotspots,
                            EskStream         *stream,
                            const int         *cancelled)
{
  if (ESK_HAS (hotspots, stream, set_cancelled))
    hotspots->stream->set_cancelled (stream, cancelled);
}

/*
 * What a loadable back end exports under this name: its table, or NULL and why it cannot work here (a sentence without
 * a full stop) where the ABI is another one or the machine lacks something. Opens no device.
 */
#define ESK_MODULE_ENTRY "esk_module_hotspots"
typedef const EskHotspots *(*EskModuleEntry) (unsigned abi, char *why, size_t why_bytes);

/* The CPU's: always there, the reference; all subjects but device, picture, sums and eigen (esk_eigen_lapack ()). */
const EskHotspots *esk_cpu_hotspots (void);

#ifdef __cplusplus
}
#endif
