/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-comparison-dialog-private.h"

#include <glib/gi18n-lib.h>

#include "saving/es-durable.h"
#include "base/es-json.h"
#include "widgets/es-export.h"
#include "writers/es-writer.h"

#define SAVED_WIDTH 760         /* of a saved picture */

static char *
suggest_name (EsComparisonDialog *self)
{
  return g_strdup_printf ("%s-%s-devices", es_dataset_get_name (es_comparison_get_dataset (self->comparison)),
                          es_comparison_get_operation (self->comparison)->id);
}

static void
save_to (GtkWidget *widget, GFile *file, const char *choice, gpointer what)
{
  EsComparisonDialog *self = ES_COMPARISON_DIALOG (gtk_widget_get_root (widget));
  g_autoptr (GError) error = NULL;
  EsPlotFormat format;
  gboolean saved;

  if (es_export_find_format (what, &format))
    {
      int height = es_step_bars_get_height (self->comparison, _es_comparison_dialog_style_of (self));

      saved = es_step_bars_save (self->comparison, _es_comparison_dialog_style_of (self), file, format, SAVED_WIDTH,
                                 height, &error);
    }
  else if (g_str_equal (what, "csv"))
    {
      g_autoptr (EsTable) table = es_comparison_make_table (self->comparison);

      saved = es_write_table_csv (table, file, &error);
    }
  else
    {
      g_autoptr (JsonNode) node = es_comparison_to_json (self->comparison);
      g_autofree char *text = es_json_to_text (node);

      saved = es_durable_write_text (file, text, &error);
    }
  if (!saved)
    es_export_report (widget, error->message);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsComparisonDialog *self = ES_COMPARISON_DIALOG (widget);
  static const char * const formats[] = { "csv", "json", "png", "svg", "pdf" };
  g_autofree char *proposed = suggest_name (self);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_equal (g_variant_get_string (parameter, NULL), formats[i]))
      es_export_ask_file (self->contestants, _("Save Comparison"), proposed, formats[i], save_to,
                          (gpointer) formats[i]);
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = es_table_view_to_text (ES_COMPARISON_DIALOG (widget)->table);

  es_export_copy_text (widget, text);
}

static void
copy_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsComparisonDialog *self = ES_COMPARISON_DIALOG (widget);
  int height = es_step_bars_get_height (self->comparison, _es_comparison_dialog_style_of (self));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 2 * SAVED_WIDTH, 2 * height);
  cairo_t *cr = cairo_create (surface);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  int stride = cairo_image_surface_get_stride (surface);

  cairo_scale (cr, 2, 2);
  es_step_bars_draw (self->comparison, _es_comparison_dialog_style_of (self), cr, SAVED_WIDTH, height,
                     &es_plot_colors_print);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  bytes = g_bytes_new (cairo_image_surface_get_data (surface), (gsize) stride * 2 * height);
  /* RGB24 has its fourth byte undefined: opaque. */
  texture = gdk_memory_texture_new (2 * SAVED_WIDTH, 2 * height, GDK_MEMORY_B8G8R8A8_PREMULTIPLIED, bytes, stride);
  cairo_surface_destroy (surface);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

void
_es_comparison_dialog_install_saving (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "comparison.copy", NULL, copy);
  gtk_widget_class_install_action (klass, "comparison.copy-picture", NULL, copy_picture);
  gtk_widget_class_install_action (klass, "comparison.save", "s", save);
}

GtkWidget *
_es_comparison_dialog_make_menu_button (void)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) copy_section = g_menu_new ();
  g_autoptr (GMenu) save_section = g_menu_new ();

  g_menu_append (copy_section, _("Copy _Table"), "comparison.copy");
  g_menu_append (copy_section, _("Copy _Picture"), "comparison.copy-picture");
  g_menu_append (save_section, _("Save as _CSV…"), "comparison.save::csv");
  g_menu_append (save_section, _("Save as _JSON…"), "comparison.save::json");
  g_menu_append (save_section, _("Save as P_NG…"), "comparison.save::png");
  g_menu_append (save_section, _("Save as _SVG…"), "comparison.save::svg");
  g_menu_append (save_section, _("Save as P_DF…"), "comparison.save::pdf");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (copy_section));
  g_menu_append_section (menu, NULL, G_MENU_MODEL (save_section));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "open-menu-symbolic");
  gtk_widget_set_tooltip_text (button, _("Copy and save"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy and save"), -1);
  return button;
}
