/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fit-layout.h"

struct _EsFitLayout
{
  GtkLayoutManager parent_instance;

  int              spacing;
};

#define KEPT "es-fit-layout-kept"

G_DEFINE_FINAL_TYPE (EsFitLayout, es_fit_layout, GTK_TYPE_LAYOUT_MANAGER)

void
es_fit_layout_keep (GtkWidget *child)
{
  g_return_if_fail (GTK_IS_WIDGET (child));
  g_object_set_data (G_OBJECT (child), KEPT, GINT_TO_POINTER (TRUE));
}

gboolean
es_fit_layout_has_room (GtkWidget *child)
{
  g_return_val_if_fail (GTK_IS_WIDGET (child), FALSE);
  return gtk_widget_get_visible (child) && gtk_widget_get_child_visible (child);
}

static gboolean
is_kept (GtkWidget *child)
{
  return g_object_get_data (G_OBJECT (child), KEPT) != NULL;
}

static int
natural_width (GtkWidget *child)
{
  int natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural;
}

/* The width of all, or of those that are kept. */
static int
find_width (EsFitLayout *self, GtkWidget *widget, gboolean all)
{
  int width = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child) && (all || is_kept (child)))
      width += natural_width (child) + (width > 0 ? self->spacing : 0);
  return width;
}

static void
es_fit_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                       int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  EsFitLayout *self = ES_FIT_LAYOUT (manager);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = find_width (self, widget, FALSE);
      *natural = find_width (self, widget, TRUE);
      return;
    }
  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int height;

      if (!gtk_widget_should_layout (child))
        continue;
      /* What is left out counts as well: the row is as high with it as without. */
      gtk_widget_measure (child, orientation, -1, NULL, &height, NULL, NULL);
      *minimum = *natural = MAX (*natural, height);
    }
}

/* What is left of the width once all that fit have theirs, and how many of these take some of it. */
static int
choose (EsFitLayout *self, GtkWidget *widget, int width, int *n_expanding)
{
  int left = width - find_width (self, widget, FALSE);
  gboolean full = FALSE;

  *n_expanding = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (!gtk_widget_should_layout (child))
        continue;
      if (!is_kept (child))
        {
          const int wanted = natural_width (child) + self->spacing;

          full = full || wanted > left;
          left -= full ? 0 : wanted;
          gtk_widget_set_child_visible (child, !full);
        }
      *n_expanding += gtk_widget_get_child_visible (child)
                      && gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL);
    }
  return MAX (left, 0);
}

static void
es_fit_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EsFitLayout *self = ES_FIT_LAYOUT (manager);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int expanding, x = 0;
  int left = choose (self, widget, width, &expanding);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int own, share = 0;

      if (!gtk_widget_should_layout (child) || !gtk_widget_get_child_visible (child))
        continue;
      own = natural_width (child);
      if (gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL))
        {
          share = left / expanding--;
          left -= share;
        }
      own += share;
      gtk_widget_size_allocate (child, &(GtkAllocation) { mirrored ? width - x - own : x, 0, own, height }, -1);
      x += own + self->spacing;
    }
}

static void
es_fit_layout_class_init (EsFitLayoutClass *klass)
{
  GtkLayoutManagerClass *layout_class = GTK_LAYOUT_MANAGER_CLASS (klass);

  layout_class->measure = es_fit_layout_measure;
  layout_class->allocate = es_fit_layout_allocate;
}

static void
es_fit_layout_init (EsFitLayout *self)
{
}

GtkLayoutManager *
es_fit_layout_new (int spacing)
{
  EsFitLayout *self = g_object_new (ES_TYPE_FIT_LAYOUT, NULL);

  self->spacing = spacing;
  return GTK_LAYOUT_MANAGER (self);
}
