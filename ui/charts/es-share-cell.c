/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-share-cell.h"

#include <math.h>

struct _EsShareCell
{
  GtkWidget  parent_instance;

  GtkWidget *label;
  double     share;
};

G_DEFINE_TYPE (EsShareCell, es_share_cell, GTK_TYPE_WIDGET)

GtkWidget *
es_share_cell_new (void)
{
  return g_object_new (ES_TYPE_SHARE_CELL, NULL);
}

void
es_share_cell_set (EsShareCell *self, const char *text, double share)
{
  g_return_if_fail (ES_IS_SHARE_CELL (self));

  gtk_label_set_text (GTK_LABEL (self->label), text);
  self->share = share;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
es_share_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsShareCell *self = ES_SHARE_CELL (widget);
  GtkStyleContext *context = gtk_widget_get_style_context (widget);
  double width = gtk_widget_get_width (widget) * CLAMP (self->share, 0, 1);
  double height = gtk_widget_get_height (widget);
  GdkRGBA color;

  if (!isnan (self->share) && width >= 1)
    {
      gboolean backwards = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
      double x = backwards ? gtk_widget_get_width (widget) - width : 0;

      if (!gtk_style_context_lookup_color (context, "accent_bg_color", &color))
        gtk_style_context_get_color (context, &color);
      color.alpha = 0.3;
      gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (x, 1, width, height - 2));
    }
  gtk_widget_snapshot_child (widget, self->label, snapshot);
}

static void
es_share_cell_dispose (GObject *object)
{
  g_clear_pointer (&ES_SHARE_CELL (object)->label, gtk_widget_unparent);
  G_OBJECT_CLASS (es_share_cell_parent_class)->dispose (object);
}

static void
es_share_cell_class_init (EsShareCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_share_cell_dispose;
  widget_class->snapshot = es_share_cell_snapshot;
  gtk_widget_class_set_css_name (widget_class, "sharecell");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_share_cell_init (EsShareCell *self)
{
  self->share = NAN;
  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 1);
  gtk_widget_set_hexpand (self->label, TRUE);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_widget_set_parent (self->label, GTK_WIDGET (self));
}
