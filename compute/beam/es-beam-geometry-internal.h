/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-settings.h"
#include "calibration/es-calibration.h"
#include "es-hotspots.h"

G_BEGIN_DECLS

/*
 * The geometry of sonar.md 1 and 2 as the hot spots want it. Alive elements only, in the array's order; positions from
 * the array's origin.
 */
typedef struct
{
  guint     n;                 /* alive elements */
  guint32  *channels;          /* n */
  float    *gains;             /* n: the element's gain x shading x `scale` x its channel's calibration */
  double   *positions;         /* n x 3 */
  float    *weights;           /* n: of the shading alone */
  double    sum, sum_of_squares;   /* of the shading weights */
} EsBeamGeometry;

/* scale: of the recording's samples (a fraction of full scale). Shading runs along a line's axis; other arrays have
 * none (a note of es_array_check ()). */
EsBeamGeometry *es_beam_geometry_new  (EsArray *array, EsShading shading, double scale);
/* The same with gains to micropascals, each of its own channel; calibration: nullable. ES_COMPUTE_ERROR_PARAMETER: an
 * alive element hears a channel that is not calibrated. */
EsBeamGeometry *es_beam_geometry_new_calibrated (EsArray *array, EsShading shading, double scale,
                                                 EsCalibration *calibration, GError **error);
void            es_beam_geometry_free (EsBeamGeometry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsBeamGeometry, es_beam_geometry_free)

/* One focus an angle of one row, n_angles of them: far u = (cos, sin) in the plane of the array; near, a line: the
 * point at perpendicular distance h (L = h cos / sin; along the axis, where it is infinitely far, a plane wave) or
 * slant range r. */
void     es_beam_foci_of_row (EsArray *array, const EsBeamSettings *settings, guint row, EskFocus *foci);
/* Towards an azimuth and an elevation (degrees), of any array. */
EskFocus es_beam_focus_far   (double azimuth, double elevation);
/* A point in the array's frame (m), from the array's origin. */
EskFocus es_beam_focus_point (EsArray *array, double x, double y, double z);

G_END_DECLS
