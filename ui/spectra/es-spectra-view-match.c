/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The spectrum under the pointer: read by a worker, which also finds what of the library it is like. */

#include "es-spectra-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-task.h"
#include "cube/es-cube-taken.h"
#include "spectra/es-resampler.h"

typedef struct
{
  EsCube            *cube;
  EsSpectralMatcher *matcher;          /* nullable */
  guint              x, y;
  EsMatchKind        kind;
} Request;

typedef struct
{
  EsSpectrum     *spectrum;
  EsSpectralMatch matches[ES_MATCH_LIST_MOST];
  guint           n, n_compared;
  gboolean        left_out;            /* the pixel is */
} Answer;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->cube);
  g_clear_pointer (&request->matcher, es_spectral_matcher_unref);
  g_free (request);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  g_object_unref (answer->spectrum);
  g_free (answer);
}

static gboolean
takes_part (const Request *request)
{
  g_autoptr (EsRegion) pixel = es_region_new_rectangle (request->x, request->y, 1, 1);
  g_autoptr (EsRegion) cut = es_cube_cut_region (request->cube, pixel, NULL);

  return cut != NULL;
}

static gpointer
find (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  const guint n = es_cube_get_bands (request->cube);
  g_autofree gboolean *taken = es_cube_dup_taken (request->cube);
  g_autofree double *values = g_new (double, n);
  g_autoptr (EsSpectralAxis) axis = NULL;
  Answer *answer;

  if (!es_cube_read_spectrum (request->cube, request->x, request->y, values, error))
    return NULL;
  for (guint i = 0; i < n; i++)
    if (!taken[i])
      values[i] = NAN;
  axis = es_spectral_axis_of_cube (request->cube);
  answer = g_new0 (Answer, 1);
  answer->spectrum = es_spectrum_new (NULL, axis, values, NULL);
  answer->left_out = !takes_part (request);
  if (request->matcher != NULL && !answer->left_out)
    answer->n = es_spectral_matcher_search (request->matcher, values, request->kind, ES_MATCH_LIST_MOST,
                                            answer->matches, &answer->n_compared);
  return answer;
}

static void
on_found (gpointer data, gpointer result, const GError *error, gpointer user_data)
{
  EsSpectraView *self = user_data;
  Request *request = data;
  Answer *answer = result;

  /* Another cube or library has come meanwhile, and asks by itself. */
  if (request->cube != self->cube || request->matcher != self->matcher || !self->any_pixel)
    return;
  es_spectra_plot_set_passing (self->plot, 0, answer != NULL && es_spectrum_count_valid (answer->spectrum) > 0
                                              ? answer->spectrum : NULL);
  if (error != NULL)
    es_match_list_clear (self->match_list, error->message);
  else if (request->matcher != NULL && answer->left_out)
    es_match_list_clear (self->match_list, _("This pixel does not take part."));
  else if (request->matcher != NULL)
    {
      g_autofree char *of = g_strdup_printf (_("x %u  y %u"), request->x, request->y);

      es_match_list_set_matches (self->match_list, es_spectral_matcher_get_library (request->matcher), answer->n,
                                 answer->matches, of, answer->n_compared);
    }
}

void
_es_spectra_view_ask_match (EsSpectraView *self)
{
  Request *request;

  if (self->cube == NULL || !self->any_pixel)
    {
      es_latest_cancel (self->reader);
      es_spectra_plot_set_passing (self->plot, 0, NULL);
      return;
    }
  request = g_new0 (Request, 1);
  *request = (Request) { g_object_ref (self->cube),
                         self->matcher != NULL ? es_spectral_matcher_ref (self->matcher) : NULL, self->pixel_x,
                         self->pixel_y, es_match_list_get_kind (self->match_list) };
  es_latest_submit (self->reader, request);
}

/* ---- preparing ---- */

typedef struct
{
  EsSpectralLibrary *library;
  EsCube            *cube;
} Preparation;

static void
preparation_free (gpointer data)
{
  Preparation *preparation = data;

  g_object_unref (preparation->library);
  g_object_unref (preparation->cube);
  g_free (preparation);
}

static void
prepare_in_thread (GTask *task, gpointer view, gpointer data, GCancellable *cancellable)
{
  Preparation *preparation = data;
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_of_cube (preparation->cube);
  g_autofree gboolean *taken = es_cube_dup_taken (preparation->cube);
  GError *error = NULL;
  EsSpectralMatcher *matcher = es_spectral_matcher_new (preparation->library, axis, taken, cancellable, &error);

  if (matcher != NULL)
    g_task_return_pointer (task, matcher, (GDestroyNotify) es_spectral_matcher_unref);
  else
    g_task_return_error (task, error);
}

static void
on_prepared (GObject *view, GAsyncResult *result, gpointer data)
{
  EsSpectraView *self = ES_SPECTRA_VIEW (view);
  g_autoptr (GError) error = NULL;
  EsSpectralMatcher *matcher = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->preparing)
    {
      g_clear_pointer (&matcher, es_spectral_matcher_unref);
      return;
    }
  g_clear_object (&self->preparing);
  self->matcher = matcher;
  if (matcher == NULL)
    es_match_list_clear (self->match_list, error->message);
  else
    es_match_list_clear (self->match_list, _("Point at the picture for the spectra of the library that a pixel is "
                                             "like."));
  _es_spectra_view_ask_match (self);
}

void
_es_spectra_view_prepare_match (EsSpectraView *self)
{
  EsSpectralLibrary *library = es_library_list_get_library (self->library_list);
  g_autoptr (GTask) task = NULL;
  Preparation *preparation;

  g_cancellable_cancel (self->preparing);
  g_clear_object (&self->preparing);
  g_clear_pointer (&self->matcher, es_spectral_matcher_unref);
  if (library == NULL || self->cube == NULL)
    {
      es_match_list_clear (self->match_list, library == NULL
                                             ? _("Open a library, and point at the picture.")
                                             : _("Show a cube to compare its pixels with the library."));
      _es_spectra_view_ask_match (self);
      return;
    }
  es_match_list_clear (self->match_list, _("The library is brought to the bands of the cube…"));
  self->preparing = g_cancellable_new ();
  preparation = g_new (Preparation, 1);
  *preparation = (Preparation) { g_object_ref (library), g_object_ref (self->cube) };
  task = g_task_new (self, self->preparing, on_prepared, NULL);
  g_task_set_source_tag (task, _es_spectra_view_prepare_match);
  g_task_set_task_data (task, preparation, preparation_free);
  es_task_run_in_thread (task, prepare_in_thread);
}

void
_es_spectra_view_init_match (EsSpectraView *self)
{
  self->reader = es_latest_new (find, request_free, answer_free, on_found, self);
}

void
_es_spectra_view_drop_match (EsSpectraView *self)
{
  if (self->reader != NULL)
    es_latest_cancel (self->reader);
  g_clear_object (&self->reader);
  g_cancellable_cancel (self->preparing);
  g_clear_object (&self->preparing);
  g_clear_pointer (&self->matcher, es_spectral_matcher_unref);
}
