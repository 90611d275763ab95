/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-page.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-json.h"
#include "es-drawing-axes.h"
#include "es-report-html.h"
#include "lab/es-shown-unit.h"
#include "saving/es-durable.h"
#include "writers/es-writer.h"

#define TIME 0x3584e4
#define MARK 0xe66100
#define WIDTH 760.0
#define HEIGHT 440.0
#define LEFT 80.0
#define RIGHT 30.0
#define TOP 20.0
#define BOTTOM 52.0
/* Below so much of what is drawn a cause has no line. */
#define DECADES 4

static const guint32 colors[ES_N_CLUSTER_CAUSES] = {
  [ES_CLUSTER_ARITHMETIC] = 0x26a269, [ES_CLUSTER_COPY] = 0x8ff0a4, [ES_CLUSTER_MEMORY] = 0x613583,
  [ES_CLUSTER_LINK] = 0xdc8add, [ES_CLUSTER_LAUNCHES] = 0xb5835a, [ES_CLUSTER_READ] = 0xc01c28,
  [ES_CLUSTER_WRITE] = 0xf66151, [ES_CLUSTER_NETWORK] = 0xe5a50a, [ES_CLUSTER_SERIAL] = 0x63452c,
  [ES_CLUSTER_PIECES] = 0x5e5c64, [ES_CLUSTER_START] = 0x9a9996,
};

static EsDrawingAxes
find_axes (const EsClusterPlan *plan)
{
  double most = plan->times[0].seconds, least;

  for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
    most = fmax (most, plan->times[nodes - 1].seconds);
  most = pow (10, ceil (log10 (fmax (most, 1e-9)) - 1e-9));
  least = fmin (most, plan->times[plan->fastest - 1].seconds);
  least = fmin (fmax (pow (10, floor (log10 (fmax (least, 1e-12)) + 1e-9) - 1), most * pow (10, -2 * DECADES)),
                most / 10);
  return (EsDrawingAxes) { { 1, ES_CLUSTER_MOST_NODES, LEFT, WIDTH - RIGHT }, { least, most, HEIGHT - BOTTOM, TOP } };
}

static char *
show_seconds (double seconds)
{
  double factor;
  const char *unit = es_shown_unit ("s", seconds, &factor);
  g_autofree char *digits = es_shown_digits (seconds * factor);

  return g_strdup_printf ("%s %s", digits, unit);
}

/* From one number of nodes to the next, in steps that can be seen. */
static guint
after (guint nodes)
{
  return nodes + MAX (nodes / 40, 1);
}

/* cause: ES_N_CLUSTER_CAUSES is all of it. */
static double
value_of (const EsClusterPlan *plan, guint nodes, guint cause)
{
  const EsClusterTime *time = &plan->times[nodes - 1];

  return cause < ES_N_CLUSTER_CAUSES ? time->of[cause] : time->seconds;
}

static void
add_series (EsDrawing *drawing, const EsDrawingAxes *axes, const EsClusterPlan *plan, guint cause)
{
  const gboolean all = cause == ES_N_CLUSTER_CAUSES;

  for (guint nodes = 1, next; (next = MIN (after (nodes), ES_CLUSTER_MOST_NODES)) > nodes; nodes = next)
    {
      const double from = value_of (plan, nodes, cause), to = value_of (plan, next, cause);

      if (from >= axes->y.least && to >= axes->y.least)
        es_drawing_add_between (drawing, axes, nodes, from, next, to, all ? 3 : 1.2, all ? TIME : colors[cause], FALSE);
    }
}

static void
add_mark (EsDrawing *drawing, const EsDrawingAxes *axes, guint nodes, double y, const char *text)
{
  const double x = es_drawing_place (&axes->x, nodes);

  es_drawing_add_line (drawing, x, axes->y.from, x, axes->y.to, 1.5, MARK, TRUE);
  es_drawing_add_text (drawing, x + (x > WIDTH / 2 ? -5 : 5), y, ES_DRAWING_LETTERS - 1, x > WIDTH / 2 ? 1 : 0, MARK,
                       FALSE, text);
}

static void
add_ideal (EsDrawing *drawing, const EsDrawingAxes *axes, const EsClusterPlan *plan)
{
  const double one = plan->times[0].seconds, most = fmin (one / axes->y.least, ES_CLUSTER_MOST_NODES);

  if (one >= axes->y.least)
    es_drawing_add_between (drawing, axes, 1, one, most, one / most, 1.5, ES_DRAWING_QUIET, TRUE);
}

/* Whether any of its line can be seen. */
static gboolean
is_drawn (const EsDrawingAxes *axes, const EsClusterPlan *plan, guint cause)
{
  for (guint nodes = 1; nodes < ES_CLUSTER_MOST_NODES; nodes = MIN (after (nodes), ES_CLUSTER_MOST_NODES))
    if (value_of (plan, nodes, cause) >= axes->y.least
        && value_of (plan, MIN (after (nodes), ES_CLUSTER_MOST_NODES), cause) >= axes->y.least)
      return TRUE;
  return FALSE;
}

EsDrawing *
es_cluster_draw_curve (const EsClusterPlan *plan)
{
  EsDrawing *drawing = es_drawing_new (WIDTH, HEIGHT + 20);
  const EsDrawingAxes axes = find_axes (plan);
  double x = LEFT;

  es_drawing_add_grid (drawing, &axes, show_seconds, _("Nodes"));
  for (guint cause = 0; cause <= ES_N_CLUSTER_CAUSES; cause++)
    add_series (drawing, &axes, plan, cause);
  add_ideal (drawing, &axes, plan);
  if (plan->useful < ES_CLUSTER_MOST_NODES)
    {
      g_autofree char *text = g_strdup_printf (_("half used: %u"), plan->useful);

      add_mark (drawing, &axes, plan->useful, TOP + 14, text);
    }
  if (plan->cluster->nodes < ES_CLUSTER_MOST_NODES)
    {
      g_autofree char *text = g_strdup_printf (_("the cluster: %u"), plan->cluster->nodes);

      add_mark (drawing, &axes, plan->cluster->nodes, TOP + 30, text);
    }
  /* What the thin lines are, of those that are there. */
  for (guint cause = 0; cause < ES_N_CLUSTER_CAUSES; cause++)
    if (is_drawn (&axes, plan, cause))
      {
        const char *title = es_cluster_cause_get_title (cause);

        es_drawing_add_dot (drawing, x, HEIGHT + 8, 4, colors[cause]);
        es_drawing_add_text (drawing, x + 8, HEIGHT + 12, ES_DRAWING_LETTERS - 2, 0, ES_DRAWING_INK, FALSE, title);
        x += 22 + 6.2 * (double) g_utf8_strlen (title, -1);
      }
  return drawing;
}

char *
es_cluster_page_make (const EsClusterPlan *plan)
{
  g_autofree char *title = g_strdup_printf (_("%s of %s"), plan->work->operation, plan->work->data);
  g_autofree char *by = g_strdup_printf ("%s · Eigenscope " ES_VERSION, plan->cluster->name);
  g_auto (GStrv) lines = es_cluster_plan_describe (plan);
  g_autoptr (EsTable) table = es_cluster_plan_make_table (plan, FALSE);
  g_autoptr (EsTable) steps = es_cluster_plan_make_steps (plan, plan->cluster->nodes);
  g_autoptr (EsDrawing) curve = es_cluster_draw_curve (plan);
  GString *page = g_string_new (NULL);

  es_report_begin_page (page, title);
  es_report_append_element (page, "h1", NULL, title);
  es_report_append_element (page, "p", "class=\"by\"", by);
  for (char **line = lines; *line != NULL; line++)
    es_report_append_element (page, "p", NULL, *line);
  es_report_begin_section (page, _("Time by nodes"));
  g_string_append (page, "<figure>");
  es_drawing_append_svg (curve, _("Time by nodes"), page);
  es_report_append_element (page, "figcaption", NULL,
                            _("Thick: as it is planned; dashed: if it scaled; thin: what of it is what."));
  g_string_append (page, "</figure>\n");
  es_report_append_table (page, table);
  es_report_begin_section (page, _("Steps"));
  es_report_append_table (page, steps);
  es_report_append_element (page, "p", "class=\"quiet\"", es_cluster_plan_describe_basis (plan));
  g_string_append (page, "</body>\n</html>\n");
  return g_string_free (page, FALSE);
}

gboolean
es_cluster_page_knows (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);

  return g_str_has_suffix (lower, ".html") || g_str_has_suffix (lower, ".htm") || g_str_has_suffix (lower, ".csv")
         || g_str_has_suffix (lower, ".json");
}

gboolean
es_cluster_page_write (const EsClusterPlan *plan, GFile *file, GError **error)
{
  g_autofree char *name = g_file_get_basename (file), *lower = g_ascii_strdown (name, -1), *text = NULL;

  if (g_str_has_suffix (lower, ".csv"))
    {
      g_autoptr (EsTable) table = es_cluster_plan_make_table (plan, TRUE);

      return es_write_table_csv (table, file, error);
    }
  if (g_str_has_suffix (lower, ".json"))
    {
      g_autoptr (JsonNode) root = es_cluster_plan_to_json (plan);

      text = es_json_to_text (root);
    }
  else
    text = es_cluster_page_make (plan);
  return es_durable_write_text (file, text, error);
}
