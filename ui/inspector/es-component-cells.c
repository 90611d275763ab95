/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-component-cells.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-components-pane.h"
#include "widgets/es-format.h"
#include "widgets/es-wheel.h"

char *
es_component_cell_format (EsComponentItem *item, EsComponentColumn column)
{
  double value = column == ES_COMPONENT_VALUE ? item->value : column == ES_COMPONENT_SHARE ? item->share
                 : column == ES_COMPONENT_SNR ? item->snr
                 : column == ES_COMPONENT_COHERENCE ? item->coherence : item->entropy;

  if (column == ES_COMPONENT_TITLE)
    return g_strdup (item->title);
  if (column == ES_COMPONENT_KEPT)
    return g_strdup (item->kept ? _("yes") : _("no"));
  if (!isfinite (value))
    return g_strdup (column > ES_COMPONENT_SNR && !item->has_numbers ? "…" : "–");
  switch (column)
    {
    case ES_COMPONENT_SHARE:
      return value > 0 && value < 0.0005 ? g_strdup ("< 0.1") : g_strdup_printf ("%.1f", value * 100);
    case ES_COMPONENT_COHERENCE:
    case ES_COMPONENT_ENTROPY:
      return es_format_number (value, 10);
    default:
      return fabs (value) >= 1e5 ? g_strdup_printf ("%.1e", value) : es_format_number (value, fabs (value));
    }
}

static void
draw_histogram (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user_data)
{
  EsComponentItem *item = g_object_get_data (G_OBJECT (area), "es-item");
  GdkRGBA color;
  double most = 0;

  if (item == NULL || !item->has_numbers || width < 1)
    return;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < width; i++)
      {
        double sum = 0;

        for (guint bin = (guint) (i * 256 / width); bin < (guint) ((i + 1) * 256 / width); bin++)
          sum += item->histogram[bin];
        if (pass == 0)
          most = MAX (most, sum);
        else if (sum > 0)
          cairo_rectangle (cr, i, height - MAX (round (sum / most * (height - 2)), 1), 1, height);
      }
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &color);
  color.alpha *= item->kept ? 0.7f : 0.3f;
  gdk_cairo_set_source_rgba (cr, &color);
  cairo_fill (cr);
}

static void
update_cell (GtkListItem *cell, EsComponentItem *item)
{
  GtkWidget *child = gtk_list_item_get_child (cell);
  EsComponentColumn column = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (child), "es-column"));

  if (column == ES_COMPONENT_KEPT)
    {
      gtk_check_button_set_active (GTK_CHECK_BUTTON (child), item->kept);
      gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, item->title, -1);
    }
  else if (column == ES_COMPONENT_HISTOGRAM)
    {
      gtk_widget_queue_draw (child);
    }
  else
    {
      static const char * const tooltips[ES_COMPONENT_N_COLUMNS] = {
        [ES_COMPONENT_COHERENCE] = N_("Spatial coherence: correlation with the neighbours, 1 smooth, 0 noise"),
        [ES_COMPONENT_ENTROPY] = N_("Entropy of the histogram in bits"),
        [ES_COMPONENT_SNR] = N_("Ratio of signal to noise"),
      };
      g_autofree char *text = es_component_cell_format (item, column);

      gtk_label_set_text (GTK_LABEL (child), column == ES_COMPONENT_TITLE ? item->label : text);
      es_set_tooltip (child, column == ES_COMPONENT_TITLE ? item->title
                             : tooltips[column] != NULL
                             ? g_dgettext (GETTEXT_PACKAGE, tooltips[column]) : NULL);
      gtk_widget_set_opacity (child, item->kept ? 1 : 0.5);
    }
}

static void
on_item_changed (EsComponentItem *item, GtkListItem *cell)
{
  update_cell (cell, item);
}

static void
on_switched (GtkCheckButton *button, GtkListItem *cell)
{
  EsComponentItem *item = gtk_list_item_get_item (cell);
  GtkWidget *pane = gtk_widget_get_ancestor (GTK_WIDGET (button), ES_TYPE_COMPONENTS_PANE);

  if (item != NULL && pane != NULL && item->kept != gtk_check_button_get_active (button))
    es_components_pane_set_kept (ES_COMPONENTS_PANE (pane), item->plane, gtk_check_button_get_active (button));
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  EsComponentColumn column = GPOINTER_TO_UINT (data);
  GtkWidget *child;

  if (column == ES_COMPONENT_KEPT)
    {
      child = gtk_check_button_new ();
      g_signal_connect_object (child, "toggled", G_CALLBACK (on_switched), cell, 0);
    }
  else if (column == ES_COMPONENT_HISTOGRAM)
    {
      child = gtk_drawing_area_new ();
      gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (child), ES_COMPONENT_HISTOGRAM_WIDTH);
      gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (child), 16);
      gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (child), draw_histogram, NULL, NULL);
      gtk_widget_set_valign (child, GTK_ALIGN_CENTER);
    }
  else
    {
      child = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (child), column == ES_COMPONENT_TITLE ? 0 : 1);
      gtk_label_set_ellipsize (GTK_LABEL (child), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (child, "caption");
      gtk_widget_add_css_class (child, "numeric");
    }
  g_object_set_data (G_OBJECT (child), "es-column", GUINT_TO_POINTER (column));
  gtk_list_item_set_child (cell, child);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  EsComponentItem *item = gtk_list_item_get_item (cell);

  if (GPOINTER_TO_UINT (data) == ES_COMPONENT_HISTOGRAM)
    g_object_set_data_full (G_OBJECT (gtk_list_item_get_child (cell)), "es-item", g_object_ref (item),
                            g_object_unref);
  g_signal_connect_object (item, "changed", G_CALLBACK (on_item_changed), cell, 0);
  update_cell (cell, item);
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (cell), on_item_changed, cell);
}

GtkListItemFactory *
es_component_cell_factory_new (EsComponentColumn column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), NULL);
  return factory;
}
