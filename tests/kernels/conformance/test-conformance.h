/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * What the parts of the conformance test share: the card under test, its memory between sentinels, and planes that lie
 * both on the host and on the card.
 */

#include <glib.h>

#include "es-hotspots.h"

typedef struct
{
  const EskHotspots *table, *cpu;
  int                device;
  gboolean           fake;     /* cards of host memory: the CPU's hot spots behind a device's interface */
  gboolean           quick;    /* small sizes only: for tools that make everything slow */
  EskStream         *stream, *cpu_stream;
} Conformance;

extern Conformance conformance;

/* What is being tried, for the messages; printf-like. */
void     conformance_case   (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Fails the test with the case and a message; the first few of a test are printed. */
void     conformance_fail   (const char *format, ...) G_GNUC_PRINTF (1, 2);
#define EXPECT(condition, ...)             \
  G_STMT_START                             \
    {                                      \
      if (G_UNLIKELY (!(condition)))       \
        conformance_fail (__VA_ARGS__);    \
    }                                      \
  G_STMT_END
/* Tells of a code that is not the expected one; TRUE where it is. */
gboolean conformance_expect (const char *what, int code, int expected);
/* The worst of an error over the cases of a test, told at its end. */
void     conformance_worst  (double error);
void     conformance_add    (const char *path, GTestFunc function);

/* The registrations of the parts. */
void     conformance_add_load      (void);
void     conformance_add_bands     (void);
void     conformance_add_sums      (void);
void     conformance_add_precise   (void);
void     conformance_add_project   (void);
void     conformance_add_leading   (void);
void     conformance_add_picture   (void);
void     conformance_add_run       (void);
void     conformance_add_noise     (void);
void     conformance_add_error     (void);
void     conformance_add_ica       (void);
void     conformance_add_moments   (void);
void     conformance_add_spectra   (void);
void     conformance_add_beams     (void);
void     conformance_add_lanes     (void);
void     conformance_add_adaptive  (void);
void     conformance_add_eigen     (void);
void     conformance_add_eigen_sparse (void);
void     conformance_add_pair      (void);
void     conformance_add_neighbours (void);
void     conformance_add_sparse    (void);
void     conformance_add_vectors   (void);

/* --- memory of the card --------------------------------------------------------------------------------------- */

#define POISON 0xa5

/* size bytes on the card, poisoned, between sentinels; data is `misaligned` bytes behind a multiple of 256. */
typedef struct
{
  guint8 *memory, *data;
  gsize   size, misaligned;
} CardBuffer;

gboolean card_new   (CardBuffer *buffer, gsize size, gsize misaligned);
void     card_put   (CardBuffer *buffer, const void *bytes);
/* All of it, after waiting for the stream; fails where a sentinel has changed. Free with g_free (). */
void    *card_get   (CardBuffer *buffer);
/* Looks at the sentinels once more. */
void     card_free  (CardBuffer *buffer);

/* --- random numbers ------------------------------------------------------------------------------------------- */

static inline guint64
random_next (guint64 *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state * 0x2545f4914f6cdd1dull;
}

static inline double
random_unit (guint64 *state)
{
  return (double) (random_next (state) >> 11) * 0x1p-53;
}

/* --- planes on both sides ------------------------------------------------------------------------------------- */

typedef enum
{
  SHAPE_ALIGNED,               /* rows without gaps, bands at multiples of 128 samples */
  SHAPE_TIGHT,                 /* no gap anywhere: bands start where they start */
  SHAPE_PADDED,                /* rows with gaps, and a start that is only the sample's multiple */
  N_SHAPES
} Shape;

typedef enum
{
  FILL_SPECTRA,                /* smooth spectra and noise, a good part of the type's range */
  FILL_NOISE,                  /* the whole range (floats: -1000..1000) */
  FILL_LOWEST,
  FILL_HIGHEST,
  FILL_OFFSET                  /* mean 200, variance 36; wide types also far from zero */
} Fill;

#define MASK_NONE 100          /* no mask at all; otherwise as test_make_mask () */

typedef struct
{
  EskTile       host, card;    /* the same strides, planes in native byte order */
  size_t        n_pixels, n_valid;
  guint8       *buffer;
  gsize         bytes;
  CardBuffer    samples, mask;
  guint8       *valid;         /* packed; NULL: no mask */
  const guint8 *card_valid;    /* NULL: no mask; rows are host.row_stride apart */
  uint32_t     *bands;
  double       *minimum, *maximum;
  EskSelection  selection;
} Planes;

Planes *planes_new      (EskType type, size_t width, size_t height, size_t bands, Shape shape, Fill fill, guint mask,
                         guint64 seed);
void    planes_free     (Planes *planes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Planes, planes_free)
/* Makes the selection one of 8-bit numbers; some bands have an empty range, some one that cuts. */
void    planes_quantise (Planes *planes, guint64 seed);
/* Writes a sample on the host; planes_upload () brings all to the card. */
void    planes_set      (Planes *planes, size_t pixel, size_t band, double value);
void    planes_upload   (Planes *planes);
/* A sample as a number, the selection's minimum and maximum applied; pixel = row * width + column. */
double  planes_value    (const Planes *planes, size_t pixel, size_t band);

/* Sizes that the hot spots are tried with. */
typedef struct
{
  size_t width, height, bands;
} ConformanceSize;

/* The list, at most `samples` samples each; returns how many. */
const ConformanceSize *conformance_sizes (size_t *n);
