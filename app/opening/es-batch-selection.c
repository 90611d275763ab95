/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* --bands, --exclude-bands, --subset, --pixels and --selection: what takes part of a cube; and "info" of it. */

#include <glib/gi18n.h>
#include <stdio.h>
#include <string.h>

#include "base/es-error.h"
#include "es-batch-open.h"

gboolean
es_batch_selection_is_told (EsBatchOpen *self)
{
  return self->selection != NULL || self->bands != NULL || self->excluded != NULL || self->subset != NULL
         || self->pixels != NULL;
}

const char *
es_batch_selection_get_option (EsBatchOpen *self)
{
  return self->selection != NULL ? "--selection" : self->bands != NULL ? "--bands"
         : self->excluded != NULL ? "--exclude-bands" : self->subset != NULL ? "--subset" : "--pixels";
}

/* "X,Y,WIDTH,HEIGHT" */
static gboolean
read_subset (const char *text, EsSelectionWindow *window)
{
  guint64 *numbers[] = { &window->x, &window->y, &window->width, &window->height };
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  if (g_strv_length (parts) != G_N_ELEMENTS (numbers))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!g_ascii_string_to_unsigned (g_strstrip (parts[i]), 10, i < 2 ? 0 : 1, G_MAXINT64, numbers[i], NULL))
      return FALSE;
  return TRUE;
}

gboolean
es_batch_selection_settle (EsBatchOpen *self)
{
  EsSelectionWindow window;

  if (self->subset == NULL || strcmp (self->subset, "none") == 0 || read_subset (self->subset, &window))
    return TRUE;
  es_batch_usage (_("--subset cannot be “%s”: expected X,Y,WIDTH,HEIGHT in pixels, counted from 0, or none"),
                  self->subset);
  return FALSE;
}

/* What the words after it change: what lies beside the cube, a file that is named, or nothing. */
static gboolean
find_base (EsBatchOpen *self, EsCube *cube, EsSelection **base, GError **error)
{
  g_autofree char *shape = es_dataset_shape (ES_DATASET (cube));
  g_autoptr (GFile) file = NULL;

  *base = NULL;
  /* Instead of what lies beside the cube, and of what could not be read there. */
  if (self->selection != NULL)
    es_cube_set_selection (cube, NULL);
  if (self->selection == NULL)
    *base = es_cube_dup_selection (cube);
  else if (strcmp (self->selection, "none") != 0)
    {
      file = es_batch_file (self->selection);
      *base = es_selection_load (file, shape, error);
      return *base != NULL;
    }
  return TRUE;
}

/* "none" takes away what was told before. */
static const char *
told_or (const char *told, const char *before)
{
  return told == NULL ? before : strcmp (told, "none") == 0 ? NULL : told;
}

static gboolean
add_pixels (EsBatchOpen *self, EsCube *cube, EsSelection **selection, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify) es_pixel_set_free);
  EsSelection *with;

  for (char **word = self->pixels; *word != NULL; word++)
    {
      EsPixelSet *set;

      if (strcmp (*word, "none") == 0)
        continue;
      if ((set = es_cube_parse_pixels (cube, *word, cancellable, error)) == NULL)
        return FALSE;
      g_ptr_array_add (sets, set);
    }
  with = es_selection_with_sets (*selection, (EsPixelSet * const *) sets->pdata, sets->len);
  g_clear_pointer (selection, es_selection_unref);
  *selection = with;
  return TRUE;
}

gboolean
es_batch_selection_give (EsBatchOpen *self, EsCube *cube, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsSelection) base = NULL, selection = NULL, named = NULL;

  if (!find_base (self, cube, &base, error))
    return FALSE;
  selection = es_selection_with_bands (base, told_or (self->bands, base != NULL ? es_selection_get_bands (base) : NULL),
                                       told_or (self->excluded,
                                                base != NULL ? es_selection_get_excluded (base) : NULL));
  if (self->subset != NULL)
    {
      EsSelectionWindow window = { 0 };
      EsSelection *with;

      read_subset (self->subset, &window);
      with = es_selection_with_window (selection, &window);
      es_selection_unref (selection);
      selection = with;
    }
  if (self->pixels != NULL && !add_pixels (self, cube, &selection, cancellable, error))
    return FALSE;
  if (!es_cube_check_selection (cube, selection, error))
    return FALSE;
  named = es_selection_with_source (selection, ES_SELECTION_NAMED);
  es_cube_set_selection (cube, es_selection_is_everything (named) ? NULL : named);
  return TRUE;
}

/* ---- info ---- */

void
es_batch_selection_print (EsCube *cube)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube);
  g_autofree char *text = selection != NULL ? es_selection_describe (selection) : NULL;
  g_autofree gboolean *taken = NULL;
  guint n = 0;

  if (selection == NULL)
    return;
  taken = es_cube_find_taken (cube, selection, &n, NULL);
  g_print (_("  takes part: %s (%u bands)\n"), text, n);
}

void
es_batch_selection_add_json (EsCube *cube, JsonBuilder *builder)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube);

  if (selection == NULL)
    return;
  json_builder_set_member_name (builder, "selection");
  json_builder_add_value (builder, es_selection_to_node (selection));
}

static const char *
name_fault (EsBandFault fault)
{
  static const char *const names[] = { "fine", "empty", "not-finite", "constant", "gaps", "noise" };

  return names[fault];
}

static void
print_check (EsCube *cube, EsBandCheck *check)
{
  guint n, wrong = 0;
  const EsBandFinding *findings = es_band_check_get_findings (check, &n);

  for (guint b = 0; b < n; b++)
    {
      g_autofree char *reason = es_band_finding_tell (&findings[b]), *label = es_cube_get_band_label (cube, b);

      if (reason == NULL)
        continue;
      wrong++;
      g_print (_("  band %u (%s): %s\n"), b + 1, label, reason);
    }
  g_print (g_dngettext (GETTEXT_PACKAGE, "  %u band of %u is dead or doubtful, in %llu pixels\n",
                        "  %u bands of %u are dead or doubtful, in %llu pixels\n", wrong), wrong, n,
           (unsigned long long) es_band_check_get_pixels (check));
}

static void
add_number (JsonBuilder *builder, const char *name, double value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_double_value (builder, value);
}

static JsonNode *
check_json (EsBandCheck *check)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  guint n;
  const EsBandFinding *findings = es_band_check_get_findings (check, &n);

  json_builder_begin_object (builder);
  add_number (builder, "pixels", es_band_check_get_pixels (check));
  json_builder_set_member_name (builder, "bands");
  json_builder_begin_array (builder);
  for (guint b = 0; b < n; b++)
    {
      json_builder_begin_object (builder);
      add_number (builder, "band", b + 1);
      json_builder_set_member_name (builder, "fault");
      json_builder_add_string_value (builder, name_fault (findings[b].fault));
      add_number (builder, "valid", findings[b].valid);
      add_number (builder, "minimum", findings[b].minimum);
      add_number (builder, "maximum", findings[b].maximum);
      add_number (builder, "mean", findings[b].mean);
      add_number (builder, "deviation", findings[b].deviation);
      add_number (builder, "noise_share", findings[b].noise_share);
      add_number (builder, "correlation", findings[b].correlation);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

int
es_batch_selection_check_bands (EsCube *cube, gboolean json)
{
  g_autoptr (EsSelection) selection = es_cube_dup_selection (cube);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBandCheck) check = es_band_check_run (cube, selection, NULL, &error);

  if (check == NULL)
    return es_batch_fail (error);
  if (json)
    es_batch_print_json (check_json (check));
  else
    print_check (cube, check);
  return ES_EXIT_DONE;
}
