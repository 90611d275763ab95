/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-large-split.h"

#include <math.h>

#define LEAST 0.15
#define MOST 0.85
/* Of the height, that the divider may be off by rounding. */
#define NOISE 0.004

struct _EsLargeSplit
{
  GtkWidget  parent_instance;

  GtkWidget *paned;
  GtkWidget *middle;
  double     share;
  int        height;             /* for which the divider has been placed; 0: for none */
  gboolean   fills, placing;
};

enum { PROP_0, PROP_SHARE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsLargeSplit, es_large_split, GTK_TYPE_WIDGET)

static GtkWidget *
get_large (EsLargeSplit *self)
{
  return gtk_paned_get_end_child (GTK_PANED (self->paned));
}

static void
place_divider (EsLargeSplit *self, int height)
{
  if (height <= 0 || get_large (self) == NULL)
    return;
  self->placing = TRUE;
  gtk_paned_set_position (GTK_PANED (self->paned), (int) round (height * (1 - self->share)));
  self->placing = FALSE;
}

/* By hand, or because the window is of another size: the share stays, then. */
static void
on_position (EsLargeSplit *self)
{
  const int height = gtk_widget_get_height (self->paned);
  double share;

  if (self->placing || self->fills || height <= 0 || height != self->height || get_large (self) == NULL
      || !gtk_widget_get_mapped (self->paned))
    return;
  share = CLAMP (1 - (double) gtk_paned_get_position (GTK_PANED (self->paned)) / height, LEAST, MOST);
  if (fabs (share - self->share) < NOISE)
    return;
  self->share = share;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHARE]);
}

static void
es_large_split_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsLargeSplit *self = ES_LARGE_SPLIT (widget);

  if (height != self->height)
    place_divider (self, height);
  self->height = height;
  self->placing = TRUE;
  gtk_widget_allocate (self->paned, width, height, baseline, NULL);
  self->placing = FALSE;
}

static void
es_large_split_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (ES_LARGE_SPLIT (widget)->paned, orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

void
es_large_split_set_large (EsLargeSplit *self, GtkWidget *large)
{
  g_return_if_fail (ES_IS_LARGE_SPLIT (self));

  if (get_large (self) == large)
    return;
  self->placing = TRUE;
  gtk_paned_set_end_child (GTK_PANED (self->paned), large);
  self->placing = FALSE;
  gtk_widget_set_visible (self->middle, large == NULL || !self->fills);
  place_divider (self, self->height);
}

void
es_large_split_set_fills (EsLargeSplit *self, gboolean fills)
{
  g_return_if_fail (ES_IS_LARGE_SPLIT (self));

  self->fills = fills;
  gtk_widget_set_visible (self->middle, get_large (self) == NULL || !fills);
  place_divider (self, self->height);
}

/* ---- the widget ---- */

GtkWidget *
es_large_split_new (GtkWidget *middle)
{
  EsLargeSplit *self = g_object_new (ES_TYPE_LARGE_SPLIT, NULL);

  self->middle = middle;
  gtk_paned_set_start_child (GTK_PANED (self->paned), middle);
  return GTK_WIDGET (self);
}

static void
es_large_split_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SHARE)
    g_value_set_double (value, ES_LARGE_SPLIT (object)->share);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_large_split_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsLargeSplit *self = ES_LARGE_SPLIT (object);

  if (id != PROP_SHARE)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  if (fabs (self->share - g_value_get_double (value)) < 1e-9)
    return;
  self->share = g_value_get_double (value);
  place_divider (self, self->height);
  g_object_notify_by_pspec (object, pspec);
}

static void
es_large_split_dispose (GObject *object)
{
  g_clear_pointer (&ES_LARGE_SPLIT (object)->paned, gtk_widget_unparent);
  G_OBJECT_CLASS (es_large_split_parent_class)->dispose (object);
}

static void
es_large_split_class_init (EsLargeSplitClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->get_property = es_large_split_get_property;
  G_OBJECT_CLASS (class)->set_property = es_large_split_set_property;
  G_OBJECT_CLASS (class)->dispose = es_large_split_dispose;
  widget_class->measure = es_large_split_measure;
  widget_class->size_allocate = es_large_split_size_allocate;
  properties[PROP_SHARE] = g_param_spec_double ("share", NULL, NULL, LEAST, MOST, 0.5,
                                                G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
}

static void
es_large_split_init (EsLargeSplit *self)
{
  self->share = 0.5;
  self->paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  /* What is above keeps its height at another height of all, and is then placed anew: by nobody else's reckoning. */
  gtk_paned_set_resize_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  g_signal_connect_object (self->paned, "notify::position", G_CALLBACK (on_position), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}
