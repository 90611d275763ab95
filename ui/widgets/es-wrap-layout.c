/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-wrap-layout.h"

struct _EsWrapLayout
{
  GtkLayoutManager parent_instance;

  int              spacing, row_spacing;
};

G_DEFINE_FINAL_TYPE (EsWrapLayout, es_wrap_layout, GTK_TYPE_LAYOUT_MANAGER)

/* One row: the children from `first` up to, not with, `end`. */
typedef struct
{
  GtkWidget *first, *end;
  int        n_children, n_expanding, width, height;
} Row;

static int
natural_width (GtkWidget *child, int room)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  return CLAMP (natural, minimum, MAX (minimum, room));
}

static Row
next_row (EsWrapLayout *self, GtkWidget *first, int room)
{
  Row row = { first, NULL, 0, 0, 0, 0 };
  GtkWidget *child;

  for (child = first; child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int width, added, height;

      if (!gtk_widget_should_layout (child))
        continue;
      width = natural_width (child, room);
      /* What only pushes needs no gap of its own. */
      added = width + (row.width > 0 && width > 0 ? self->spacing : 0);
      if (row.n_children > 0 && row.width + added > room)
        break;
      gtk_widget_measure (child, GTK_ORIENTATION_VERTICAL, width, NULL, &height, NULL, NULL);
      row.width += added;
      row.height = MAX (row.height, height);
      row.n_children++;
      row.n_expanding += gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL);
    }
  row.end = child;
  return row;
}

static int
measure_height (EsWrapLayout *self, GtkWidget *widget, int width)
{
  int height = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;)
    {
      Row row = next_row (self, child, width);

      if (row.height > 0)
        height += row.height + (height > 0 ? self->row_spacing : 0);
      child = row.end;
    }
  return height;
}

static void
es_wrap_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                        int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  EsWrapLayout *self = ES_WRAP_LAYOUT (manager);
  *minimum = *natural = 0;
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        {
          int child_minimum, child_natural;

          if (!gtk_widget_should_layout (child))
            continue;
          gtk_widget_measure (child, orientation, -1, &child_minimum, &child_natural, NULL, NULL);
          *minimum = MAX (*minimum, child_minimum);
          *natural += child_natural + (*natural > 0 && child_natural > 0 ? self->spacing : 0);
        }
      return;
    }

  *minimum = *natural = measure_height (self, widget, for_size >= 0 ? for_size : G_MAXINT / 2);
}

static void
es_wrap_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EsWrapLayout *self = ES_WRAP_LAYOUT (manager);
  int y = MAX (height - measure_height (self, widget, width), 0) / 2;

  for (GtkWidget *first = gtk_widget_get_first_child (widget); first != NULL;)
    {
      Row row = next_row (self, first, width);
      int x = 0, left = MAX (width - row.width, 0), expanding = row.n_expanding;

      for (GtkWidget *child = first; child != row.end; child = gtk_widget_get_next_sibling (child))
        {
          int own, share = 0;

          if (!gtk_widget_should_layout (child))
            continue;
          own = natural_width (child, width);
          if (x > 0 && own > 0)
            x += self->spacing;
          if (gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL))
            {
              share = left / expanding--;
              left -= share;
            }
          gtk_widget_size_allocate (child, &(GtkAllocation) { x, y, own + share, row.height }, -1);
          x += own + share;
        }
      y += row.height + (row.height > 0 ? self->row_spacing : 0);
      first = row.end;
    }
}

static GtkSizeRequestMode
es_wrap_layout_get_request_mode (GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
es_wrap_layout_class_init (EsWrapLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->get_request_mode = es_wrap_layout_get_request_mode;
  layout_class->measure = es_wrap_layout_measure;
  layout_class->allocate = es_wrap_layout_allocate;
}

static void
es_wrap_layout_init (EsWrapLayout *self)
{
}

GtkLayoutManager *
es_wrap_layout_new (int spacing, int row_spacing)
{
  EsWrapLayout *self = g_object_new (ES_TYPE_WRAP_LAYOUT, NULL);

  self->spacing = spacing;
  self->row_spacing = row_spacing;
  return GTK_LAYOUT_MANAGER (self);
}
