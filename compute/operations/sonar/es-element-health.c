/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What samples say of the elements they are from: no numbers, clipped, silent. */

#include "es-element-health-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-order.h"
#include "recording/es-recording-internal.h"

#define MOST_NAMES 8
#define ABSURD 1e6              /* times what elements hear at most, 120 dB: no sea is as uneven */

void
es_element_health_add (EsElementHealth *health, EsRecording *recording, const float *samples, gsize n, gsize step)
{
  const double scale = es_recording_get_scale (recording);
  double full, highest;

  es_recording_get_range (recording, &full, &highest);
  /* As samples are: floats of these. */
  full = (float) (full * scale);
  highest = (float) (highest * scale);
  for (gsize i = 0; i < n; i++)
    es_element_health_count (health, samples[i * step], full, highest);
}

/* The median of the elements' peaks, the lower one of two; 0: there are fewer than three to compare. */
static double
find_usual_peak (EsArray *array, const EsElementHealth *health, guint n_elements)
{
  const EsElement *elements = array != NULL ? es_array_get_elements (array) : NULL;
  g_autofree double *peaks = g_new (double, MAX (n_elements, 1));
  guint n = 0;

  for (guint i = 0; i < n_elements; i++)
    if ((elements == NULL || !elements[i].dead) && health[i].peak > 0)
      peaks[n++] = health[i].peak;
  if (n < 3)
    return 0;
  qsort (peaks, n, sizeof (double), es_compare_doubles);
  return peaks[(n - 1) / 2];
}

/* "3, 7, 12 ..." of the elements for which `bad` says so; NULL: none. peak: what they hear at most as a rule. */
static char *
name_elements (EsArray *array, const EsElementHealth *health, guint n_elements, guint first_number, double peak,
               gboolean (*bad) (const EsElementHealth *health, double peak), guint *n_bad)
{
  const EsElement *elements = array != NULL ? es_array_get_elements (array) : NULL;
  GString *names = g_string_new (NULL);

  *n_bad = 0;
  for (guint i = 0; i < n_elements; i++)
    {
      if ((elements != NULL && elements[i].dead) || !bad (&health[i], peak))
        continue;
      if (*n_bad < MOST_NAMES && elements != NULL && elements[i].name != NULL)
        g_string_append_printf (names, "%s%s", *n_bad == 0 ? "" : ", ", elements[i].name);
      else if (*n_bad < MOST_NAMES)
        g_string_append_printf (names, "%s%u", *n_bad == 0 ? "" : ", ", i + first_number);
      else if (*n_bad == MOST_NAMES)
        g_string_append (names, " …");
      *n_bad += 1;
    }
  return g_string_free (names, *n_bad == 0);
}

static gboolean
has_not_finite (const EsElementHealth *health, double peak)
{
  return health->not_finite > 0;
}

static gboolean
has_clipped (const EsElementHealth *health, double peak)
{
  return es_element_health_is_clipped (health);
}

static gboolean
is_silent (const EsElementHealth *health, double peak)
{
  return health->samples > 0 && health->peak == 0;
}

static gboolean
is_absurd (const EsElementHealth *health, double peak)
{
  return peak > 0 && health->peak > ABSURD * peak;
}

void
es_element_health_warn (EsResult *result, EsArray *array, const EsElementHealth *health, guint n_elements,
                        guint first_number)
{
  const double peak = find_usual_peak (array, health, n_elements);
  guint n;

  g_autofree char *broken = name_elements (array, health, n_elements, first_number, peak, has_not_finite, &n);
  if (broken != NULL)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                                "%u element has samples that are no numbers, which count as 0: %s.",
                                                "%u elements have samples that are no numbers, which count as 0: %s.",
                                                n), n, broken);
  g_autofree char *absurd = name_elements (array, health, n_elements, first_number, peak, is_absurd, &n);
  if (absurd != NULL)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE,
                                                "%u element has samples over 120 dB above the others', which drown "
                                                "everything: %s.",
                                                "%u elements have samples over 120 dB above the others', which drown "
                                                "everything: %s.", n), n, absurd);
  g_autofree char *clipped = name_elements (array, health, n_elements, first_number, peak, has_clipped, &n);
  if (clipped != NULL)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE, "%u element is clipped: %s.",
                                                "%u elements are clipped: %s.", n), n, clipped);
  g_autofree char *silent = name_elements (array, health, n_elements, first_number, peak, is_silent, &n);
  if (silent != NULL)
    es_result_add_warning (result, g_dngettext (GETTEXT_PACKAGE, "%u element is silent: %s.",
                                                "%u elements are silent: %s.", n), n, silent);
}

void
es_result_warn_of_growth (EsResult *result, EsRecording *recording, EsParams *params, double end)
{
  if (es_recording_is_growing (recording) && es_params_get_float (params, "to") == 0)
    es_result_add_warning (result, _("The recording was still being written: this is of it as far as %.6g s."), end);
}
