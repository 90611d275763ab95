/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-markup.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-text-show.h"

#define MOST_ROWS 200

/* Black on white whatever the style of the reader's desktop is; pictures are not torn apart by pages. */
static const char style[] =
  ":root{color-scheme:light}"
  "body{font:15px/1.5 system-ui,'Noto Sans','Noto Sans CJK SC','Noto Sans SC',sans-serif;color:#1a1a1a;"
  "background:#fff;margin:2em auto;max-width:60em;padding:0 1.5em;overflow-wrap:anywhere}"
  "h1{font-size:1.7em;line-height:1.2;margin:0 0 .2em}h2{font-size:1.2em;margin:2em 0 .5em;padding-bottom:.15em;"
  "border-bottom:1px solid #bbb}h3{font-size:1em;margin:1.2em 0 .4em}"
  ".by,.quiet{color:#555}.note{white-space:pre-wrap;border-left:3px solid #888;padding-left:.8em}"
  "table{border-collapse:collapse;margin:.5em 0;font-variant-numeric:tabular-nums;max-width:100%}"
  "th,td{text-align:left;vertical-align:top;padding:.15em .8em .15em 0;border-bottom:1px solid #e2e2e2}"
  "th{font-weight:600;overflow-wrap:normal}table.facts{break-inside:avoid}"
  "td.n,th.n{text-align:right}tr.changed td{font-weight:600}"
  "table.facts td:first-child{color:#555;white-space:nowrap}.columns{columns:22em 2}.columns table{margin:0}"
  ".wide{overflow-x:auto}"
  ".pictures figure,.plots figure{display:inline-block;vertical-align:top}"
  "figure{margin:.6em 0;break-inside:avoid}figure img{width:100%;height:auto;display:block}"
  ".pictures figure{width:31%;margin:0 1.5% .8em 0}.plots figure{width:48%;margin:0 1.5% 1em 0}"
  ".pictures img,.scene img{image-rendering:auto;border:1px solid #ccc;box-sizing:border-box}"
  ".scene{max-width:32em}figcaption{font-size:.87em;color:#333;margin-top:.2em}"
  ".warning{background:#fff4d6;border-left:3px solid #c78a00;padding:.4em .8em;margin:.4em 0}"
  ".bar{display:inline-block;height:.7em;background:#3584e4;vertical-align:baseline;min-width:1px}"
  "pre.diff{padding:.4em 0;line-height:1.35}pre.diff span{display:block;padding:0 .7em;min-height:1.35em}"
  "pre.diff .minus{background:#fde2e1}pre.diff .plus{background:#dff5e3}pre.diff .gap{color:#777;background:#e8e8e8}"
  "pre.diff span::before{content:'  '}pre.diff .minus::before{content:'\342\210\222 '}"
  "pre.diff .plus::before{content:'+ '}"
  "svg{max-width:100%;height:auto}.yes::before{content:'\342\234\223 ';color:#1a7f37}"
  ".no::before{content:'\342\234\227 ';color:#c01c28}.unsure::before{content:'? ';color:#9c6e03}"
  "ul.plain{list-style:none;padding:0}"
  ".part{display:inline-block;height:1.2em;vertical-align:middle}"
  "pre{background:#f3f3f3;padding:.7em;white-space:pre-wrap;overflow-wrap:anywhere;font-size:.87em}"
  "@media print{body{margin:0;max-width:none;padding:0;font-size:10.5pt}h2{break-after:avoid}"
  "tr{break-inside:avoid}.bar,.part,.warning,pre.diff span{print-color-adjust:exact;-webkit-print-color-adjust:exact}"
  "@page{margin:18mm 15mm}}";

void
es_markup_append_text (GString *page, const char *text)
{
  g_autofree char *shown = es_text_show_lines (text != NULL ? text : "");
  g_autofree char *escaped = g_markup_escape_text (shown, -1);

  g_string_append (page, escaped);
}

void
es_markup_append_element (GString *page, const char *tag, const char *attributes, const char *text)
{
  g_string_append_printf (page, "<%s%s%s>", tag, attributes != NULL ? " " : "", attributes != NULL ? attributes : "");
  es_markup_append_text (page, text);
  g_string_append_printf (page, "</%s>\n", tag);
}

void
es_markup_append_fact (GString *page, const char *title, const char *value, gboolean changed)
{
  if (value == NULL)
    return;
  g_string_append (page, changed ? "<tr class=\"changed\"><td>" : "<tr><td>");
  es_markup_append_text (page, title);
  g_string_append (page, "</td><td>");
  es_markup_append_text (page, value);
  g_string_append (page, "</td></tr>\n");
}

/* A column is one of numbers where a row has a number in it. */
static gboolean
is_number_column (EsTable *table, guint column)
{
  for (guint row = 0; row < es_table_get_n_rows (table); row++)
    if (!isnan (es_table_get_value (table, row, column)))
      return TRUE;
  return FALSE;
}

void
es_markup_append_table (GString *page, EsTable *table)
{
  const guint n = es_table_get_n_columns (table), all = es_table_get_n_rows (table), rows = MIN (all, MOST_ROWS);
  g_autofree gboolean *numbers = g_new0 (gboolean, n);

  g_string_append (page, "<div class=\"wide\"><table><thead><tr>");
  for (guint c = 0; c < n; c++)
    {
      const char *unit = es_table_get_column_unit (table, c);
      g_autofree char *heading = unit == NULL ? g_strdup (es_table_get_column_title (table, c))
                                 : g_strdup_printf ("%s (%s)", es_table_get_column_title (table, c), unit);

      numbers[c] = is_number_column (table, c);
      es_markup_append_element (page, "th", numbers[c] ? "class=\"n\"" : NULL, heading);
    }
  g_string_append (page, "</tr></thead><tbody>\n");
  for (guint r = 0; r < rows; r++)
    {
      g_string_append (page, "<tr>");
      for (guint c = 0; c < n; c++)
        es_markup_append_element (page, "td", numbers[c] ? "class=\"n\"" : NULL, es_table_get_text (table, r, c));
      g_string_append (page, "</tr>\n");
    }
  g_string_append (page, "</tbody></table></div>\n");
  if (rows < all)
    {
      g_autofree char *text = g_strdup_printf (_("The first %u of %u rows are listed."), rows, all);
      es_markup_append_element (page, "p", "class=\"quiet\"", text);
    }
}

void
es_markup_begin_page (GString *page, const char *title)
{
  /* TRANSLATORS: the language of this translation as HTML names it: "en", "zh-CN" */
  const char *language = C_("language of a page", "en");

  g_string_append_printf (page, "<!DOCTYPE html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                          "<meta name=\"generator\" content=\"Eigenscope " ES_VERSION "\">\n", language);
  es_markup_append_element (page, "title", NULL, title);
  g_string_append_printf (page, "<style>%s</style>\n</head>\n<body>\n", style);
}

void
es_markup_begin_section (GString *page, const char *title)
{
  es_markup_append_element (page, "h2", NULL, title);
}
