/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A comparison beside what was published. */

#include "es-comparison-published.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-comparison-private.h"
#include "published/es-published.h"

static gboolean
is_program (const char *id, const char *program)
{
  if (strcmp (program, "cuda") == 0)
    return g_str_has_prefix (id, "cuda:") && g_ascii_isdigit (id[5]);
  return strcmp (id, program) == 0;
}

/* The first that has finished. */
static gboolean
find_contestant (EsComparison *self, const char *program, guint *contestant)
{
  for (guint i = 0; i < es_comparison_get_n_contestants (self); i++)
    if (is_program (es_comparison_get_id (self, i), program) && !isnan (es_comparison_get_total_ms (self, i)))
      {
        *contestant = i;
        return TRUE;
      }
  return FALSE;
}

static double
get_step_ms (EsComparison *self, guint contestant, const char *name)
{
  for (guint step = 0; step < es_comparison_get_n_steps (self); step++)
    if (strcmp (es_comparison_get_step_name (self, step), name) == 0)
      return es_comparison_get_step_ms (self, contestant, step);
  return NAN;
}

static double
get_ms (EsComparison *self, guint contestant, const char *step)
{
  const double total = es_comparison_get_total_ms (self, contestant);

  if (strcmp (step, "total") == 0)
    return total;
  if (strcmp (step, "computing") == 0)
    {
      const double input = get_step_ms (self, contestant, "input"), output = get_step_ms (self, contestant, "output");

      return total - (isnan (input) ? 0 : input) - (isnan (output) ? 0 : output);
    }
  return get_step_ms (self, contestant, step);
}

static double
measure (const char *program, const char *step, const char *unit, gpointer data)
{
  EsComparison *self = data;
  guint contestant, serial;
  double ms;

  if (!find_contestant (self, program, &contestant))
    return NAN;
  ms = get_ms (self, contestant, step);
  if (strcmp (unit, "ms") == 0)
    return ms;
  if (strcmp (unit, "s") == 0)
    return ms * 1e-3;
  if (strcmp (unit, "%") == 0)
    return 100 * ms / es_comparison_get_total_ms (self, contestant);
  if (strcmp (unit, "×") == 0 && find_contestant (self, "cpu-1", &serial))
    return get_ms (self, serial, step) / ms;
  return NAN;
}

/* "Here: scene.img (480 x 360 pixels, 210 bands); 1 thread, 8 threads, median of 3". */
static char *
describe (EsComparison *self)
{
  EsDataset *dataset = es_comparison_get_dataset (self);
  g_autofree char *description = es_dataset_describe (dataset);
  g_autoptr (GString) contestants = g_string_new (NULL);

  for (guint i = 0; i < es_comparison_get_n_contestants (self); i++)
    if (!isnan (es_comparison_get_total_ms (self, i)))
      g_string_append_printf (contestants, "%s%s", contestants->len > 0 ? ", " : "",
                              es_comparison_get_title (self, i));
  return g_strdup_printf (_("Here: %s (%s); %s, median of %u."), es_dataset_get_name (dataset), description,
                          contestants->str, es_comparison_get_repeats (self));
}

EsTable *
es_comparison_make_published_table (EsComparison *self, guint published, char **what)
{
  g_autoptr (GRecMutexLocker) moment = NULL;
  gboolean any;
  EsTable *table;

  g_return_val_if_fail (ES_IS_COMPARISON (self) && what != NULL, NULL);

  moment = g_rec_mutex_locker_new (&self->lock);
  table = es_published_make_table_with (published, _("Here"), measure, self, &any);
  *what = any ? describe (self) : NULL;
  return table;
}

JsonNode *
es_comparison_published_to_json (EsComparison *self, guint published)
{
  g_autoptr (GRecMutexLocker) moment = NULL;

  g_return_val_if_fail (ES_IS_COMPARISON (self), NULL);

  moment = g_rec_mutex_locker_new (&self->lock);
  return es_published_to_json_with (published, measure, self);
}
