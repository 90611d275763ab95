/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-page.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-ladder-page-private.h"
#include "result/es-operation.h"
#include "saving/es-durable.h"
#include "writers/es-writer.h"

gboolean
es_ladder_page_suits (EsResult *result)
{
  return es_ladder_of_operation (es_result_get_operation (result)->id) != NULL && !es_result_is_absent (result);
}

EsLadderPageFormat
es_ladder_page_get_format (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file), *lower = g_ascii_strdown (name, -1);

  return g_str_has_suffix (lower, ".csv") ? ES_LADDER_PAGE_CSV
         : g_str_has_suffix (lower, ".pdf") ? ES_LADDER_PAGE_PDF : ES_LADDER_PAGE_HTML;
}

/* ---- sections ---- */

static void
append_head (GString *page, EsResult *result, const EsLadderClimb *climb)
{
  const EsLadder *ladder = climb->ladder;
  const char *const *warnings = es_result_get_warnings (result);
  g_autofree char *size = es_ladder_describe_size (ladder, &climb->size);
  const char *title = g_dgettext (GETTEXT_PACKAGE, ladder->title);
  g_autofree char *by = g_strdup_printf ("%s · %s · %s · Eigenscope " ES_VERSION, climb->machine, size, climb->date);

  es_markup_begin_page (page, title);
  es_markup_append_element (page, "h1", NULL, title);
  es_markup_append_element (page, "p", "class=\"by\"", by);
  es_markup_append_element (page, "p", NULL, g_dgettext (GETTEXT_PACKAGE, ladder->question));
  es_markup_append_element (page, "p", NULL, g_dgettext (GETTEXT_PACKAGE, ladder->how));
  if (ladder->remark != NULL && strcmp (climb->backend, "cpu") != 0)
    es_markup_append_element (page, "p", "class=\"quiet\"", g_dgettext (GETTEXT_PACKAGE, ladder->remark));
  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    es_markup_append_element (page, "p", "class=\"warning\"", warnings[i]);
}

static void
append_verdict (GString *page, EsResult *result)
{
  EsLayer *layer = es_result_find_layer (result, "verdict");

  if (!ES_IS_VERDICT (layer))
    return;
  es_markup_begin_section (page, _("Verdict"));
  g_string_append (page, "<ul class=\"plain\">\n");
  for (guint i = 0; i < es_verdict_get_n (ES_VERDICT (layer)); i++)
    {
      const EsVerdictState state = es_verdict_get_state (ES_VERDICT (layer), i);
      g_autofree char *class = g_strdup_printf ("class=\"%s\"", es_verdict_state_name (state));

      es_markup_append_element (page, "li", class, es_verdict_get_sentence (ES_VERDICT (layer), i));
    }
  g_string_append (page, "</ul>\n");
}

static void
append_drawing (GString *page, EsDrawing *drawing, const char *title, const char *caption)
{
  if (drawing == NULL)
    return;
  es_markup_begin_section (page, title);
  g_string_append (page, "<figure>");
  es_drawing_append_svg (drawing, title, page);
  es_markup_append_element (page, "figcaption", NULL, caption);
  g_string_append (page, "</figure>\n");
}

static void
append_drawings (GString *page, const EsLadderClimb *climb)
{
  g_autoptr (EsDrawing) bars = es_ladder_draw_bars (climb), roofline = es_ladder_draw_roofline (climb);
  g_autoptr (EsDrawing) threads = es_ladder_draw_threads (climb);

  append_drawing (page, bars, _("Times"), climb->same_size
                  ? _("Medians, and how many times as fast as the first step. Blue: steps; green: what Eigenscope "
                      "does; grey: a library; orange marks: what was published of this size.")
                  : _("Medians, and how many times as fast as the first step. Blue: steps; green: what Eigenscope "
                      "does; grey: a library."));
  append_drawing (page, roofline, _("What memory and arithmetic allow"),
                  _("Below the lines is what this device can do, by its memory and by the type of arithmetic, measured "
                    "in the same run. What a rung asks of memory may come from a cache: such a one may lie above the "
                    "memory's line."));
  append_drawing (page, threads, _("By threads of a block"), climb->same_size
                  ? _("The first step by the threads of a block; orange marks: as it was published.")
                  : _("The first step by the threads of a block."));
}

static void
append_provenance (GString *page, EsResult *result)
{
  EsParams *params = es_result_get_params (result);
  g_autofree char *command = es_result_to_command (result);

  es_markup_begin_section (page, _("Parameters"));
  g_string_append (page, "<table class=\"facts\">\n");
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_visible (params, spec->key))
      {
        g_autofree char *value = es_params_format_for_people (params, spec->key);

        es_markup_append_fact (page, g_dgettext (GETTEXT_PACKAGE, spec->label), value,
                               !es_params_is_key_default (params, spec->key));
      }
  g_string_append (page, "</table>\n");
  es_markup_append_element (page, "p", "class=\"quiet\"", _("The command that does it again:"));
  es_markup_append_element (page, "pre", NULL, command);
}

char *
es_ladder_page_make (EsResult *result, GError **error)
{
  g_autoptr (EsLadderClimb) climb = es_ladder_climb_new_from (result, error);
  GString *page;

  if (climb == NULL)
    return NULL;
  page = g_string_new (NULL);
  append_head (page, result, climb);
  append_verdict (page, result);
  append_drawings (page, climb);
  es_ladder_page_append_rungs (page, climb);
  append_provenance (page, result);
  g_string_append (page, "</body>\n</html>\n");
  return g_string_free (page, FALSE);
}

/* ---- files ---- */

static gboolean
fail (GFile *file, const char *reason, GError **error)
{
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("“%s” cannot be written: %s."), name, reason);
  return FALSE;
}

static gboolean
write_pdf (EsResult *result, GFile *file, GError **error)
{
  g_autoptr (EsLadderClimb) climb = es_ladder_climb_new_from (result, error);
  g_autoptr (GByteArray) contents = g_byte_array_new ();
  g_autoptr (EsDrawing) page = NULL;

  if (climb == NULL)
    return FALSE;
  page = es_ladder_draw_page (climb);
  if (!es_drawing_print (&page, 1, contents))
    return fail (file, _("this program cannot draw a PDF here"), error);
  return es_durable_write (file, contents->data, contents->len, error);
}

gboolean
es_ladder_page_write (EsResult *result, GFile *file, EsLadderPageFormat format, GError **error)
{
  EsLayer *table = es_result_find_layer (result, "rungs");
  g_autofree char *page = NULL;

  switch (format)
    {
    case ES_LADDER_PAGE_CSV:
      return ES_IS_TABLE (table) ? es_write_table_csv (ES_TABLE (table), file, error)
             : fail (file, _("it has no table of rungs"), error);
    case ES_LADDER_PAGE_PDF:
      return write_pdf (result, file, error);
    case ES_LADDER_PAGE_HTML:
    default:
      page = es_ladder_page_make (result, error);
      return page != NULL && es_durable_write (file, page, strlen (page), error);
    }
}
