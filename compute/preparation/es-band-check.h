/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"

G_BEGIN_DECLS

/* What is wrong with a band. Of dead ones nothing can be computed; the others are for a person to judge. */
typedef enum
{
  ES_BAND_FINE,
  ES_BAND_EMPTY,               /* dead: every sample is no-data */
  ES_BAND_NOT_FINITE,          /* dead: every sample is no-data or no finite number */
  ES_BAND_CONSTANT,            /* dead: every sample is the same number */
  ES_BAND_GAPPED,              /* it lacks pixels that the other bands have: they are lost to all where it takes part */
  ES_BAND_NOISY,               /* much of its variance is noise */
} EsBandFault;

typedef struct
{
  EsBandFault fault;
  guint64     valid;           /* samples of those that were looked at */
  double      minimum, maximum, mean, deviation;     /* as stored */
  /*
   * The variance of its noise as a share of its variance, 0..1, and its correlation with the nearest band of the two
   * beside it. Noise is what the differences of neighbouring pixels keep when those of the bands beside it (two on
   * either side, by wavelength) have been fitted to them and taken away, halved (spatial and spectral decorrelation:
   * Roger and Arnold, 1996): a scene's own texture is in all of them. NAN where there is nothing to compute it of.
   */
  double      noise_share, correlation;
} EsBandFinding;

/* Of a noisy band the least share: a signal to noise ratio of 9 in power. */
#define ES_BAND_NOISE_SHARE 0.1

/* What was found of every band of a cube. Immutable, counted. */
#define ES_TYPE_BAND_CHECK (es_band_check_get_type ())
typedef struct _EsBandCheck EsBandCheck;
GType es_band_check_get_type (void);

EsBandCheck *es_band_check_ref   (EsBandCheck *self);
void         es_band_check_unref (EsBandCheck *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBandCheck, es_band_check_unref)

/* Looks at the pixels that take part (selection nullable: all), in every band, good or not; in evenly spread rows where
 * the cube is larger than 2 GiB. Blocking: seconds. Transfer full. */
EsBandCheck *es_band_check_run        (EsCube *cube, EsSelection *selection, GCancellable *cancellable, GError **error);
/* The same away from the main thread. */
void         es_band_check_run_async  (EsCube *cube, EsSelection *selection, GCancellable *cancellable,
                                       GAsyncReadyCallback callback, gpointer data);
EsBandCheck *es_band_check_run_finish (GAsyncResult *result, GError **error);

const EsBandFinding *es_band_check_get_findings (EsBandCheck *self, guint *n);      /* one a band */
guint64      es_band_check_get_pixels (EsBandCheck *self);         /* looked at */
/* Bands with such a fault: "131-136"; "" where there is none. Transfer full. */
char        *es_band_check_list       (EsBandCheck *self, EsBandFault fault);
/* "constant: every sample is 0", "noise is 71 % of its variance ...", translated; NULL of a fine one. Transfer full. */
char        *es_band_finding_tell     (const EsBandFinding *self);

G_END_DECLS
