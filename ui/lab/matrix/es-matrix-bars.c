/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-bars.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "plot/es-plot.h"
#include "widgets/es-format.h"

#define ROW 26
#define BAR 16
#define GAP 8
#define ABOVE 24                       /* the name of the limit, where there is one */
#define MOST_NAME 230
#define MOST_TEXT 260                  /* behind the longest bar */
#define LEAST_WIDTH 420
#define FAR 4                          /* a limit so many times the longest bar would make all of them short */

typedef struct
{
  char    *name, *text;
  double   value;
  gboolean marked;
} Bar;

struct _EsMatrixBars
{
  GtkWidget parent_instance;

  GArray   *bars;                      /* of Bar */
  char     *unit, *limit_name, *marked_name;     /* nullable */
  double    limit;
};

G_DEFINE_FINAL_TYPE (EsMatrixBars, es_matrix_bars, GTK_TYPE_WIDGET)

static void
bar_clear (gpointer data)
{
  Bar *bar = data;

  g_free (bar->name);
  g_free (bar->text);
}

static PangoLayout *
make_text (EsMatrixBars *self, const char *text, gboolean bold, int most)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  if (bold)
    pango_attr_list_insert (attributes, pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  pango_layout_set_attributes (layout, attributes);
  if (most > 0)
    {
      pango_layout_set_width (layout, most * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
    }
  return layout;
}

static int
find_widest_name (EsMatrixBars *self)
{
  int most = 0, width;

  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      g_autoptr (PangoLayout) layout = make_text (self, bar->name, bar->marked, 0);

      pango_layout_get_pixel_size (layout, &width, NULL);
      most = MAX (most, width);
    }
  return MIN (most, MOST_NAME);
}

static double
find_longest (EsMatrixBars *self)
{
  double longest = 0;

  for (guint i = 0; i < self->bars->len; i++)
    if (isfinite (g_array_index (self->bars, Bar, i).value))
      longest = fmax (longest, g_array_index (self->bars, Bar, i).value);
  return longest;
}

/* Drawn where it leaves something of the bars. */
static gboolean
has_limit (EsMatrixBars *self)
{
  return isfinite (self->limit) && self->limit > 0 && self->limit <= FAR * find_longest (self);
}

/* What the room for bars stands for. */
static double
find_scale (EsMatrixBars *self)
{
  const double longest = find_longest (self), most = has_limit (self) ? fmax (longest, self->limit) : longest;

  return most > 0 ? most : 1;
}

static char *
tell (EsMatrixBars *self, const Bar *bar)
{
  g_autofree char *value = isfinite (bar->value) ? es_format_value (bar->value, self->unit) : NULL;
  const char *said = bar->text != NULL ? bar->text : value != NULL ? value : "–";

  if (!bar->marked || self->marked_name == NULL)
    return g_strdup (said);
  /* TRANSLATORS: the value of a bar, and what is special about it: "12.3 GB/s, chosen" */
  return g_strdup_printf (_("%s, %s"), said, self->marked_name);
}

/* Of those behind bars: what stands in place of one has all the room. */
static int
find_widest_text (EsMatrixBars *self)
{
  int most = 0, width;

  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      g_autofree char *text = tell (self, bar);
      g_autoptr (PangoLayout) layout = make_text (self, text, bar->marked, 0);

      pango_layout_get_pixel_size (layout, &width, NULL);
      if (isfinite (bar->value))
        most = MAX (most, width);
    }
  return MIN (most, MOST_TEXT);
}

/* Where the line of the limit begins; in rows it leaves out what is written. */
static void
draw_limit (EsMatrixBars *self, GtkSnapshot *snapshot, const EsPlotColors *colors, float x)
{
  g_autoptr (PangoLayout) layout = make_text (self, self->limit_name != NULL ? self->limit_name : "", FALSE, 0);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_snapshot_append_color (snapshot, &colors->foreground, &GRAPHENE_RECT_INIT (x, ABOVE - 4, 1, 4));
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x - (float) width / 2, 2));
  gtk_snapshot_append_layout (snapshot, layout, &colors->foreground);
  gtk_snapshot_restore (snapshot);
}

static void
es_matrix_bars_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsMatrixBars *self = ES_MATRIX_BARS (widget);
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const EsPlotColors *colors = dark ? &es_plot_colors_dark : &es_plot_colors_light;
  const int left = find_widest_name (self) + GAP;
  const int room = gtk_widget_get_width (widget) - left - find_widest_text (self) - 2 * GAP;
  const double scale = MAX (room, 1) / find_scale (self);
  const int top = has_limit (self) ? ABOVE : 0;
  const float limit = has_limit (self) ? (float) (left + self->limit * scale) : -1;

  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      const float y = (float) (top + (int) i * ROW), length = isfinite (bar->value) ? (float) (bar->value * scale) : 0;
      g_autofree char *text = tell (self, bar);
      g_autoptr (PangoLayout) name = make_text (self, bar->name, bar->marked, MOST_NAME);
      g_autoptr (PangoLayout) value = make_text (self, text, bar->marked,
                                                 MAX ((int) (gtk_widget_get_width (widget) - left - length - GAP), 1));
      GdkRGBA colour = colors->series[0];
      const float from = (float) left + length + GAP;
      int height, width;

      pango_layout_get_pixel_size (name, NULL, &height);
      pango_layout_get_pixel_size (value, &width, NULL);
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (0, y + (ROW - height) / 2.0f));
      gtk_snapshot_append_layout (snapshot, name, &colors->foreground);
      gtk_snapshot_restore (snapshot);
      colour.alpha = bar->marked ? 1 : 0.45f;
      gtk_snapshot_append_color (snapshot, &colour,
                                 &GRAPHENE_RECT_INIT ((float) left, y + (ROW - BAR) / 2.0f, MAX (length, 1), BAR));
      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (from, y + (ROW - height) / 2.0f));
      gtk_snapshot_append_layout (snapshot, value, &colors->foreground);
      gtk_snapshot_restore (snapshot);
      if (limit >= 0 && (limit < from - 3 || limit > from + (float) width + 3))
        gtk_snapshot_append_color (snapshot, &colors->foreground, &GRAPHENE_RECT_INIT (limit, y, 1, ROW));
    }
  if (limit >= 0)
    draw_limit (self, snapshot, colors, limit);
}

static void
es_matrix_bars_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  EsMatrixBars *self = ES_MATRIX_BARS (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL
                        ? LEAST_WIDTH : (has_limit (self) ? ABOVE : 0) + (int) self->bars->len * ROW;
}

static void
es_matrix_bars_finalize (GObject *object)
{
  EsMatrixBars *self = ES_MATRIX_BARS (object);

  g_array_unref (self->bars);
  g_free (self->unit);
  g_free (self->limit_name);
  g_free (self->marked_name);
  G_OBJECT_CLASS (es_matrix_bars_parent_class)->finalize (object);
}

static void
es_matrix_bars_class_init (EsMatrixBarsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = es_matrix_bars_finalize;
  widget_class->snapshot = es_matrix_bars_snapshot;
  widget_class->measure = es_matrix_bars_measure;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_matrix_bars_init (EsMatrixBars *self)
{
  self->bars = g_array_new (FALSE, TRUE, sizeof (Bar));
  g_array_set_clear_func (self->bars, bar_clear);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
es_matrix_bars_new (guint n, const EsMatrixBar *bars, const char *unit, double limit, const char *limit_name,
                    const char *marked_name)
{
  EsMatrixBars *self = g_object_new (ES_TYPE_MATRIX_BARS, NULL);
  g_autofree char *text = NULL;

  self->unit = g_strdup (unit);
  self->limit = limit;
  self->limit_name = g_strdup (limit_name);
  self->marked_name = g_strdup (marked_name);
  for (guint i = 0; i < n; i++)
    g_array_append_val (self->bars, ((Bar) { .name = g_strdup (bars[i].name), .text = g_strdup (bars[i].text),
                                             .value = bars[i].value, .marked = bars[i].marked }));
  text = es_matrix_bars_to_text (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  return GTK_WIDGET (self);
}

char *
es_matrix_bars_to_text (EsMatrixBars *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  g_return_val_if_fail (ES_IS_MATRIX_BARS (self), NULL);

  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      g_autofree char *said = tell (self, bar);

      g_string_append_printf (text, "%s%s: %s", i > 0 ? "\n" : "", bar->name, said);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
