/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reads on a worker what is shown, or all bands, along a line. */

#include "es-profile-pane-private.h"

#include "faces/es-cube-face.h"

void
_es_profile_request_free (gpointer data)
{
  EsProfileRequest *request = data;

  g_object_unref (request->source);
  g_clear_object (&request->cube);
  es_profile_line_free (request->line);
  g_free (request);
}

void
_es_profile_answer_free (gpointer data)
{
  EsProfileAnswer *answer = data;

  es_profile_free (answer->profile);
  _es_profile_bands_free (answer->bands);
  g_strfreev (answer->titles);
  g_free (answer);
}

static EsProfileAnswer *
answer_new (EsProfile *profile, EsProfileBands *bands, EsPlaneSource *source, const guint *planes)
{
  EsProfileAnswer *answer = g_new0 (EsProfileAnswer, 1);

  answer->profile = profile;
  answer->bands = bands;
  answer->titles = g_new0 (char *, profile->n_planes + 1);
  for (guint i = 0; i < profile->n_planes; i++)
    answer->titles[i] = es_plane_source_get_plane_title (source, planes[i]);
  return answer;
}

/* All of them that take part, in order of wavelength. */
static gpointer
read_bands (const EsProfileRequest *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsBandOrder) order = es_band_order_new (request->cube, FALSE);
  const double *wavelengths = es_cube_get_wavelengths (request->cube);
  g_autofree double *x = g_new (double, order->n);
  EsProfile *profile = es_profile_of_cube (request->line, request->cube, order->n, order->bands, cancellable, error);

  for (guint i = 0; i < order->n; i++)
    x[i] = wavelengths != NULL ? wavelengths[order->bands[i]] : order->bands[i] + 1.;
  if (profile == NULL)
    return NULL;
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (request->cube);
  return answer_new (profile, _es_profile_bands_new (profile, order->n, x), source, order->bands);
}

gboolean
_es_profile_is_mixed (EsPlaneSource *source, guint n, const guint *planes)
{
  for (guint i = 0; i < n; i++)
    if (planes[i] >= es_plane_source_get_n_planes (source))
      return TRUE;
  return FALSE;
}

static EsProfile *
read_planes (const EsProfileRequest *request, EsPlaneSource *source, guint n, const guint *planes,
             GCancellable *cancellable, GError **error)
{
  EsCube *cube = es_plane_source_get_cube (source);

  if (cube != NULL)
    return es_profile_of_cube (request->line, cube, n, planes, cancellable, error);
  return es_profile_of_stack (request->line, es_plane_source_get_stack (source), request->cube, n, planes, cancellable,
                              error);
}

/* A composite may have planes of several results: each is read where it is. */
static EsProfile *
read_channels (const EsProfileRequest *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsProfile) all = NULL;

  for (guint i = 0; i < request->n; i++)
    {
      guint plane;
      EsPlaneSource *source = es_plane_source_resolve (request->source, request->planes[i], &plane);
      g_autoptr (EsProfile) one = read_planes (request, source, 1, &plane, cancellable, error);

      if (one == NULL)
        return NULL;
      if (all == NULL)
        {
          all = g_steal_pointer (&one);
          all->values = g_renew (double, all->values, (gsize) request->n * all->n);
          continue;
        }
      memcpy (all->values + (gsize) i * all->n, one->values, all->n * sizeof *all->values);
      all->n_planes++;
      if (all->metres == NULL)
        all->metres = g_steal_pointer (&one->metres);
    }
  return g_steal_pointer (&all);
}

gpointer
_es_profile_read (gpointer data, GCancellable *cancellable, GError **error)
{
  const EsProfileRequest *request = data;
  EsProfile *profile;

  if (request->all)
    return read_bands (request, cancellable, error);
  profile = _es_profile_is_mixed (request->source, request->n, request->planes)
    ? read_channels (request, cancellable, error)
    : read_planes (request, request->source, request->n, request->planes, cancellable, error);
  return profile != NULL ? answer_new (profile, NULL, request->source, request->planes) : NULL;
}
