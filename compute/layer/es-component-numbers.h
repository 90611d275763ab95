/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-image-stack.h"

G_BEGIN_DECLS

#define ES_COMPONENT_BINS 256

/*
 * What one plane of a stack looks like in figures, over its finite pixels. What does not exist is NAN: all but `count`
 * of a plane without valid pixels; skewness, kurtosis and coherence of a constant one (its entropy is 0).
 */
typedef struct
{
  guint64 count;               /* finite pixels */
  double  mean;
  double  deviation;           /* of N - 1; NAN for one pixel */
  double  minimum, maximum;
  double  skewness;            /* m3 / m2^(3/2), moments of N */
  double  kurtosis;            /* excess: m4 / m2^2 - 3; 0 for a normal distribution */
  double  entropy;             /* bits, of the histogram: 0..8 */
  /* Lag-1 autocorrelation, the mean of that with the right and that with the lower neighbour: 1 smooth, 0 noise. Pairs
   * of which one is missing do not count. */
  double  coherence;
  guint64 histogram[ES_COMPONENT_BINS];     /* equal bins from minimum to maximum, which is in the last */
} EsComponentNumbers;

/* Two passes over the plane. Blocking, any thread. */
gboolean es_component_numbers_compute (EsImageStack *stack, guint plane, EsComponentNumbers *numbers,
                                       GCancellable *cancellable, GError **error);

/* Those kept with the stack: NULL before they have been computed. Any thread; valid as long as the stack. */
const EsComponentNumbers *es_image_stack_get_numbers (EsImageStack *stack, guint plane);

/*
 * Computes what the stack has not yet, plane by plane from the first, and keeps it with the stack. `told` (nullable) is
 * called in the caller's main context after each plane, which es_image_stack_get_numbers () then has. Newest wins: one
 * plane is worked on at a time, and the stack that was asked for last goes first; those before it go on after it,
 * unless they are cancelled. A stack that is not complete is an error (ES_COMPUTE_ERROR_OPERATION).
 */
typedef void (*EsComponentNumbersTold) (EsImageStack *stack, guint plane, gpointer user_data);
void     es_image_stack_fill_numbers_async  (EsImageStack *stack, EsComponentNumbersTold told, gpointer told_data,
                                             GCancellable *cancellable, GAsyncReadyCallback callback,
                                             gpointer user_data);
gboolean es_image_stack_fill_numbers_finish (EsImageStack *stack, GAsyncResult *result, GError **error);

/*
 * What the operation "reconstruct" makes of a result that has a linear model (es_result_get_model ()):
 *
 *   parameters  result (FILE)       result.json of a saved result; not needed where the job has a source
 *               components (TEXT)   "" = all of the model; "1-5, 8" counted from 1; "0" = none, the mean spectrum alone
 *               output (CHOICE)     measures | cube
 *               residual (BOOL)     whether there is a layer "residual"; yes by default
 *   layers      "error"             stack, 2 planes: "RMSE" (in the unit of the cube's values) and
 *                                   "Spectral angle (°)"; hint sequential
 *               "band-error"        curve over the bands of the cube, role "band-error": series 0 RMSE (left axis),
 *                                   series 1 SNR in dB (right axis); gaps where a band is not in the model
 *               "residual"          computed stack, a plane a band of the model, x - estimate, plane titles = band
 *                                   labels; hint diverging
 *               "reconstruction"    output=cube: stack, a plane a band of the model, in the unit of the cube's values
 *   values      "rmse"              double: square root of the mean square error over pixels and bands
 *               "angle"             double: mean spectral angle, degrees
 *               "snr_db"            double: 10 log10 (mean over bands and pixels of the squared deviation of the values
 *                                   from their bands' means / mean square error)
 *               "largest_rmse"      double: of a pixel
 *               "pixels"            int
 *               "components"        int: how many were used
 *               "component_list"    array of int, from 1
 *               "of_components"     int: how many the model has
 *               "source"            object: "operation", "title", "path" (nullable)
 *               "bands"             array of {"band" (from 1), "wavelength" (nm, where known), "rmse", "snr_db",
 *                                   "bias"}
 */

G_END_DECLS
