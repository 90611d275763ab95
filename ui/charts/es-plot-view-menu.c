/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a plot: its menu, and the actions behind it. */

#include "es-plot-view-private.h"

#include <glib/gi18n-lib.h>

#include "es-plot-range.h"
#include "es-plot-zoom.h"
#include "widgets/es-export.h"

static GMenuModel *
make_menu (EsPlotView *self)
{
  GMenu *menu = g_menu_new ();
  g_autoptr (GMenu) see = g_menu_new ();
  g_autoptr (GMenu) copy = g_menu_new ();
  g_autoptr (GMenu) save = g_menu_new ();

  g_menu_append (copy, _("_Copy Picture"), "plot.copy-picture");
  g_menu_append (copy, _("Copy _Data"), "plot.copy-data");
  g_menu_append (save, _("Save as _PDF…"), "plot.save::pdf");
  g_menu_append (save, _("Save as _SVG…"), "plot.save::svg");
  g_menu_append (save, _("Save as P_NG…"), "plot.save::png");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (save));
  if (es_plot_zoom_get_kind (GTK_WIDGET (self)) != NULL)
    {
      g_menu_append (see, _("_Ranges…"), "plot.ranges");
      g_menu_append (see, _("Show _All"), "plot.show-all");
    }
  if (es_plot_get_n_series (self->plot) > 1)
    g_menu_append (see, es_plot_get_legend (self->plot) == ES_PLOT_LEGEND_FOLDED ? _("Unfold the _Legend")
                                                                                : _("Fold the _Legend"),
                   "plot.fold-legend");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (see));
  return G_MENU_MODEL (menu);
}

static void
popup_menu (EsPlotView *self, double x, double y)
{
  g_autoptr (GMenuModel) model = make_menu (self);

  if (self->menu != NULL)
    gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->menu), model);
  else
    {
      self->menu = gtk_popover_menu_new_from_model (model);
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  popup_menu (ES_PLOT_VIEW (user_data), x, y);
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
on_long_press (GtkGestureLongPress *gesture, double x, double y, gpointer user_data)
{
  popup_menu (ES_PLOT_VIEW (user_data), x, y);
}

static gboolean
on_key_menu (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  popup_menu (ES_PLOT_VIEW (widget), gtk_widget_get_width (widget) / 2., gtk_widget_get_height (widget) / 2.);
  return GDK_EVENT_STOP;
}

static void
copy_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsPlotView *self = ES_PLOT_VIEW (widget);

  es_export_copy_plot (widget, self->plot, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
}

static void
copy_data (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = es_plot_to_text (ES_PLOT_VIEW (widget)->plot);

  es_export_copy_text (widget, text);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsPlotFormat format;

  if (es_export_find_format (g_variant_get_string (parameter, NULL), &format))
    es_export_save_plot (widget, ES_PLOT_VIEW (widget)->plot, format);
}

static void
show_ranges (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plot_range_popup (widget);
}

static void
show_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plot_zoom_reset (ES_PLOT_VIEW (widget));
}

/* Wholly or not at all: what there is no room for has its click. */
static void
toggle_legend (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsPlot *plot = ES_PLOT_VIEW (widget)->plot;

  es_plot_set_legend (plot, es_plot_get_legend (plot) == ES_PLOT_LEGEND_FOLDED ? ES_PLOT_LEGEND_ALL
                                                                               : ES_PLOT_LEGEND_FOLDED);
}

/* ---- making ---- */

void
_es_plot_view_install_menu (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "plot.copy-picture", NULL, copy_picture);
  gtk_widget_class_install_action (klass, "plot.copy-data", NULL, copy_data);
  gtk_widget_class_install_action (klass, "plot.save", "s", save);
  gtk_widget_class_install_action (klass, "plot.ranges", NULL, show_ranges);
  gtk_widget_class_install_action (klass, "plot.show-all", NULL, show_all);
  gtk_widget_class_install_action (klass, "plot.fold-legend", NULL, toggle_legend);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_l, 0, "plot.fold-legend", NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Menu, 0, on_key_menu, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_F10, GDK_SHIFT_MASK, on_key_menu, NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_c, GDK_CONTROL_MASK, "plot.copy-picture", NULL);
}

void
_es_plot_view_add_menu (EsPlotView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *secondary = gtk_gesture_click_new (), *long_press = gtk_gesture_long_press_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  g_signal_connect (secondary, "pressed", G_CALLBACK (on_secondary_press), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (secondary));
  gtk_gesture_single_set_touch_only (GTK_GESTURE_SINGLE (long_press), TRUE);
  g_signal_connect (long_press, "pressed", G_CALLBACK (on_long_press), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (long_press));
}
