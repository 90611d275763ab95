/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-line-layout.h"

#define SPACING 9
#define TITLE_SHARE 0.44       /* of what titles and bars have together */

/* In digits. */
static const int digits[ES_LADDER_N_COLUMNS] = {
  [ES_LADDER_COLUMN_TITLE] = 20, [ES_LADDER_COLUMN_BAR] = 14, [ES_LADDER_COLUMN_TIME] = 8,
  [ES_LADDER_COLUMN_BELOW] = 6, [ES_LADDER_COLUMN_FIRST] = 6, [ES_LADDER_COLUMN_PUBLISHED] = 11,
  [ES_LADDER_COLUMN_GUESS] = 14,
};

struct _EsLadderLineLayout
{
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE (EsLadderLineLayout, es_ladder_line_layout, GTK_TYPE_LAYOUT_MANAGER)

/* Of the parent's font: that of a heading is smaller. */
static double
measure_digit (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  PangoContext *context = gtk_widget_get_pango_context (parent != NULL ? parent : widget);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  const double width = (double) pango_font_metrics_get_approximate_digit_width (metrics) / PANGO_SCALE;

  pango_font_metrics_unref (metrics);
  return width;
}

static void
find_widths (GtkWidget *widget, int width, int widths[ES_LADDER_N_COLUMNS])
{
  const double digit = measure_digit (widget);
  guint c = 0;
  int left = width, least;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && c < ES_LADDER_N_COLUMNS;
       child = gtk_widget_get_next_sibling (child), c++)
    {
      widths[c] = gtk_widget_should_layout (child) ? (int) (digits[c] * digit) : 0;
      left -= widths[c] > 0 ? widths[c] + (c > 0 ? SPACING : 0) : 0;
    }
  for (; c < ES_LADDER_N_COLUMNS; c++)
    widths[c] = 0;
  /* What is left goes to the title and the bar. */
  least = widths[ES_LADDER_COLUMN_TITLE];
  left = MAX (left, 0) + widths[ES_LADDER_COLUMN_TITLE] + widths[ES_LADDER_COLUMN_BAR];
  widths[ES_LADDER_COLUMN_TITLE] = MAX (least, (int) (TITLE_SHARE * left));
  widths[ES_LADDER_COLUMN_BAR] = left - widths[ES_LADDER_COLUMN_TITLE];
}

static void
es_ladder_line_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                               int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  int widths[ES_LADDER_N_COLUMNS], all = 0, height = 0;
  guint c = 0;

  find_widths (widget, orientation == GTK_ORIENTATION_VERTICAL && for_size > 0 ? for_size : 0, widths);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && c < ES_LADDER_N_COLUMNS;
       child = gtk_widget_get_next_sibling (child), c++)
    {
      int least, wanted;

      all += widths[c] > 0 ? widths[c] + (c > 0 ? SPACING : 0) : 0;
      if (widths[c] <= 0 || orientation == GTK_ORIENTATION_HORIZONTAL)
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, MAX (widths[c], least), NULL, &wanted, NULL, NULL);
      height = MAX (height, wanted);
    }
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? all : height;
}

static void
es_ladder_line_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int widths[ES_LADDER_N_COLUMNS], x = 0;
  guint c = 0;

  find_widths (widget, width, widths);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && c < ES_LADDER_N_COLUMNS;
       child = gtk_widget_get_next_sibling (child), c++)
    {
      int least;

      if (widths[c] <= 0)
        continue;
      gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      const int own = MAX (widths[c], least);
      gtk_widget_size_allocate (child, &(GtkAllocation) { mirrored ? width - x - own : x, 0, own, height }, -1);
      x += widths[c] + SPACING;
    }
}

static GtkSizeRequestMode
es_ladder_line_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
es_ladder_line_layout_class_init (EsLadderLineLayoutClass *class)
{
  GTK_LAYOUT_MANAGER_CLASS (class)->get_request_mode = es_ladder_line_layout_get_request_mode;
  GTK_LAYOUT_MANAGER_CLASS (class)->measure = es_ladder_line_layout_measure;
  GTK_LAYOUT_MANAGER_CLASS (class)->allocate = es_ladder_line_layout_allocate;
}

static void
es_ladder_line_layout_init (EsLadderLineLayout *self)
{
}

GtkLayoutManager *
es_ladder_line_layout_new (void)
{
  return g_object_new (ES_TYPE_LADDER_LINE_LAYOUT, NULL);
}
