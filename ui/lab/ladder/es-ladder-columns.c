/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-columns.h"

#define FIRST 0.54             /* share of the first child */

struct _EsLadderColumns
{
  GtkLayoutManager parent_instance;

  int              wide, spacing;
};

G_DEFINE_FINAL_TYPE (EsLadderColumns, es_ladder_columns, GTK_TYPE_LAYOUT_MANAGER)

/* Those that are there; n of them. */
static guint
list_children (GtkWidget *widget, GtkWidget *children[2])
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && n < 2;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child))
      children[n++] = child;
  return n;
}

/* Widths of both side by side; FALSE: they stand below each other. */
static gboolean
split (EsLadderColumns *self, GtkWidget *children[2], guint n, int width, int widths[2])
{
  int least[2];

  if (n < 2 || width < self->wide)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    gtk_widget_measure (children[i], GTK_ORIENTATION_HORIZONTAL, -1, &least[i], NULL, NULL, NULL);
  widths[0] = MAX ((int) (FIRST * (width - self->spacing)), least[0]);
  widths[1] = width - self->spacing - widths[0];
  return widths[1] >= least[1];
}

static void
measure_across (GtkWidget *children[2], guint n, int *minimum, int *natural)
{
  *minimum = *natural = 0;
  for (guint i = 0; i < n; i++)
    {
      int least, wanted;

      gtk_widget_measure (children[i], GTK_ORIENTATION_HORIZONTAL, -1, &least, &wanted, NULL, NULL);
      *minimum = MAX (*minimum, least);
      *natural = MAX (*natural, wanted);
    }
}

static int
measure_height (GtkWidget *child, int width)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &natural, NULL, NULL);
  return natural;
}

static void
es_ladder_columns_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                           int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  EsLadderColumns *self = ES_LADDER_COLUMNS (manager);
  GtkWidget *children[2] = { NULL, NULL };
  const guint n = list_children (widget, children);
  int widths[2], height = 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      measure_across (children, n, minimum, natural);
      return;
    }
  if (split (self, children, n, for_size, widths))
    height = MAX (measure_height (children[0], widths[0]), measure_height (children[1], widths[1]));
  else
    for (guint i = 0; i < n; i++)
      height += measure_height (children[i], for_size) + (i > 0 ? self->spacing : 0);
  *minimum = *natural = height;
}

static void
es_ladder_columns_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EsLadderColumns *self = ES_LADDER_COLUMNS (manager);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GtkWidget *children[2] = { NULL, NULL };
  const guint n = list_children (widget, children);
  const int spacing = self->spacing;
  int widths[2], y = 0;

  if (split (self, children, n, width, widths))
    for (guint i = 0; i < 2; i++)
      {
        const int x = i == 0 ? 0 : widths[0] + spacing;
        const GtkAllocation at = { mirrored ? width - x - widths[i] : x, 0, widths[i],
                                   MIN (measure_height (children[i], widths[i]), height) };

        gtk_widget_size_allocate (children[i], &at, -1);
      }
  else
    for (guint i = 0; i < n; i++)
      {
        const GtkAllocation at = { 0, y, width, measure_height (children[i], width) };

        gtk_widget_size_allocate (children[i], &at, -1);
        y += at.height + spacing;
      }
}

static GtkSizeRequestMode
es_ladder_columns_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
es_ladder_columns_class_init (EsLadderColumnsClass *class)
{
  GTK_LAYOUT_MANAGER_CLASS (class)->get_request_mode = es_ladder_columns_get_request_mode;
  GTK_LAYOUT_MANAGER_CLASS (class)->measure = es_ladder_columns_measure;
  GTK_LAYOUT_MANAGER_CLASS (class)->allocate = es_ladder_columns_allocate;
}

static void
es_ladder_columns_init (EsLadderColumns *self)
{
}

GtkLayoutManager *
es_ladder_columns_new (int wide, int spacing)
{
  EsLadderColumns *self = g_object_new (ES_TYPE_LADDER_COLUMNS, NULL);

  self->wide = wide;
  self->spacing = spacing;
  return GTK_LAYOUT_MANAGER (self);
}
