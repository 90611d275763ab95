/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Streams: what every call of a back end is made on, and how it says what went wrong. Every back end has this table.
 */

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  ESK_OK = 0,
  ESK_ERROR_ARGUMENT = -1,     /* sizes or pointers that cannot be right */
  ESK_ERROR_MEMORY = -2,       /* host or device memory exhausted */
  ESK_ERROR_DEVICE = -3,       /* the device failed; see EskStreamHotspots.last_error */
  ESK_ERROR_NO_CONVERGENCE = -4,
  ESK_ERROR_LOST = -5,         /* the device is gone for the rest of this process (unplugged, reset, faulted) */
  ESK_ERROR_SINGULAR = -6,     /* a matrix has no inverse; a loading would give it one */
  ESK_ERROR_CANCELLED = -7     /* the caller did not want it any more */
};

/* Of a flag that any thread may set (atomically) to something else than 0; NULL: nobody will. */
static inline bool
esk_is_cancelled (const int *cancelled)
{
  return cancelled != NULL && __atomic_load_n (cancelled, __ATOMIC_RELAXED) != 0;
}

typedef struct _EskStream EskStream;   /* the back end's own: scratch memory and, on a GPU, a stream */

typedef struct {
  EskStream * (*stream_new)  (int device);
  void        (*stream_free) (EskStream *stream);
  /* The reason of the last ESK_ERROR_DEVICE on this stream; owned by the stream. */
  const char *(*last_error)  (EskStream *stream);

  /* How many threads those hot spots of this stream may use that can use several; 1 at first. No result depends on it.
   * NULL: there is nothing to choose. */
  int         (*set_threads) (EskStream *stream, int threads);

  /* From now on hot spots of cubes that work through a tile on this stream, and those of beams that transform or form
   * a block, look at the flag (esk_is_cancelled ()) every few milliseconds of work, or between two beams or transforms,
   * and return ESK_ERROR_CANCELLED once it is set; what they have written is then undefined. The flag is the caller's
   * and outlives the calls; NULL: nobody will. A NULL entry: all that is too short to ask. */
  void        (*set_cancelled) (EskStream *stream, const int *cancelled);
} EskStreamHotspots;

#ifdef __cplusplus
}
#endif
