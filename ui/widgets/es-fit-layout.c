/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fit-layout.h"

struct _EsFitLayout
{
  GtkLayoutManager parent_instance;

  int              spacing;
};

#define HOW "es-fit-layout-how"

/* How a child is treated when room is short. */
enum { KEPT = 1, SHRINKS = 2, REST = 4 };

G_DEFINE_FINAL_TYPE (EsFitLayout, es_fit_layout, GTK_TYPE_LAYOUT_MANAGER)

static gboolean
is (GtkWidget *child, int how)
{
  return (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (child), HOW)) & how) != 0;
}

static void
set (GtkWidget *child, int how)
{
  int before = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (child), HOW));

  g_object_set_data (G_OBJECT (child), HOW, GINT_TO_POINTER (before | how));
}

void
es_fit_layout_keep (GtkWidget *child)
{
  g_return_if_fail (GTK_IS_WIDGET (child));
  set (child, KEPT);
}

void
es_fit_layout_shrink (GtkWidget *child)
{
  g_return_if_fail (GTK_IS_WIDGET (child));
  set (child, SHRINKS);
}

void
es_fit_layout_set_rest (GtkWidget *child)
{
  g_return_if_fail (GTK_IS_WIDGET (child));
  set (child, KEPT | REST);
}

gboolean
es_fit_layout_has_room (GtkWidget *child)
{
  g_return_val_if_fail (GTK_IS_WIDGET (child), FALSE);
  return gtk_widget_get_visible (child) && gtk_widget_get_child_visible (child);
}

/* What a child takes: `least` of those that may shrink; `more`, nullable, is what it would like beyond that. */
static int
find_wanted (GtkWidget *child, gboolean least, int *more)
{
  int minimum, natural;

  gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  least = least && is (child, SHRINKS);
  if (more != NULL)
    *more = least ? natural - minimum : 0;
  return least ? minimum : natural;
}

/* The width of all but the rest, or of those that are kept, the rest with them. */
static int
find_width (EsFitLayout *self, GtkWidget *widget, gboolean all, gboolean least)
{
  int width = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_should_layout (child) && (all ? !is (child, REST) : is (child, KEPT)))
      width += find_wanted (child, least, NULL) + (width > 0 ? self->spacing : 0);
  return width;
}

static void
es_fit_layout_measure (GtkLayoutManager *manager, GtkWidget *widget, GtkOrientation orientation, int for_size,
                       int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  EsFitLayout *self = ES_FIT_LAYOUT (manager);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = find_width (self, widget, FALSE, TRUE);
      *natural = MAX (find_width (self, widget, TRUE, FALSE), *minimum);
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
choose (EsFitLayout *self, GtkWidget *widget, int width, int *n_shrunk, int *n_expanding)
{
  const int all = find_width (self, widget, TRUE, TRUE);
  const gboolean fits = all <= width;
  int left = width - (fits ? all : find_width (self, widget, FALSE, TRUE));
  gboolean full = FALSE;

  *n_shrunk = *n_expanding = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      if (!gtk_widget_should_layout (child))
        continue;
      if (is (child, REST))
        {
          gtk_widget_set_child_visible (child, !fits);
        }
      else if (!is (child, KEPT))
        {
          const int wanted = fits ? 0 : find_wanted (child, TRUE, NULL) + self->spacing;

          full = full || wanted > left;
          left -= full ? 0 : wanted;
          gtk_widget_set_child_visible (child, fits || !full);
        }
      if (!gtk_widget_get_child_visible (child))
        continue;
      *n_shrunk += is (child, SHRINKS);
      *n_expanding += gtk_widget_compute_expand (child, GTK_ORIENTATION_HORIZONTAL);
    }
  return MAX (left, 0);
}

/* What those that shrink get of what is left, each, unless it wants less; the rest of it is for those that expand. */
static int
share_out (GtkWidget *widget, int n_shrunk, int *left)
{
  int each = 0;

  while (n_shrunk > 0)
    {
      int n = 0, next = G_MAXINT, step;

      for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
           child = gtk_widget_get_next_sibling (child))
        {
          int more;

          if (!gtk_widget_should_layout (child) || !gtk_widget_get_child_visible (child))
            continue;
          find_wanted (child, TRUE, &more);
          n += more > each;
          next = more > each ? MIN (next, more) : next;
        }
      step = n > 0 ? MIN (next - each, *left / n) : 0;
      if (step == 0)
        break;
      each += step;
      *left -= n * step;
    }
  return each;
}

static void
es_fit_layout_allocate (GtkLayoutManager *manager, GtkWidget *widget, int width, int height, int baseline)
{
  EsFitLayout *self = ES_FIT_LAYOUT (manager);
  const gboolean mirrored = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int shrunk, expanding, x = 0;
  int left = choose (self, widget, width, &shrunk, &expanding);
  const int each = share_out (widget, shrunk, &left);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      int own, more, share = 0;

      if (!gtk_widget_should_layout (child) || !gtk_widget_get_child_visible (child))
        continue;
      own = find_wanted (child, TRUE, &more);
      own += MIN (more, each);
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
