/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-view-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-export.h"

/* ---- as text ---- */

static void
append_cell (GString *text, const char *cell, char separator, gboolean first)
{
  gboolean quote = separator == ',' && strpbrk (cell, ",\"\n") != NULL;

  if (!first)
    g_string_append_c (text, separator);
  if (!quote)
    {
      g_string_append (text, cell);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *c = cell; *c != '\0'; c++)
    {
      if (*c == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *c);
    }
  g_string_append_c (text, '"');
}

char *
es_matrix_view_to_text (EsMatrixView *self, char separator)
{
  GString *text;

  g_return_val_if_fail (ES_IS_MATRIX_VIEW (self), NULL);

  text = g_string_new (NULL);
  for (guint column = 0; column < self->n_columns; column++)
    append_cell (text, es_matrix_get_column_title (self->matrix, column), separator, FALSE);
  g_string_append_c (text, '\n');
  for (guint row = 0; row < self->n_rows; row++)
    {
      append_cell (text, es_matrix_get_row_title (self->matrix, row), separator, TRUE);
      for (guint column = 0; column < self->n_columns; column++)
        {
          char number[G_ASCII_DTOSTR_BUF_SIZE];
          double value = _es_matrix_view_value (self, row, column);

          append_cell (text, isnan (value) ? "" : g_ascii_formatd (number, sizeof number, "%.9g", value), separator,
                       FALSE);
        }
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* ---- menu ---- */

void
_es_matrix_view_popup_menu (EsMatrixView *self, double x, double y)
{
  if (self->menu == NULL)
    {
      g_autoptr (GMenu) menu = g_menu_new ();
      g_autoptr (GMenu) copy = g_menu_new ();
      g_autoptr (GMenu) save = g_menu_new ();

      g_menu_append (copy, _("_Copy Picture"), "matrix.copy-picture");
      g_menu_append (copy, _("Copy _Data"), "matrix.copy");
      g_menu_append (save, _("Save as _CSV…"), "matrix.save");
      g_menu_append (save, _("Save as P_NG…"), "matrix.save-picture");
      g_menu_append_section (menu, NULL, G_MENU_MODEL (copy));
      g_menu_append_section (menu, NULL, G_MENU_MODEL (save));
      self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
      gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
      gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
      gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
    }
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle) { (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

/* As it is on the screen. */
static GdkTexture *
render (EsMatrixView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkNative *native = gtk_widget_get_native (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA paper = dark ? (GdkRGBA) { 0.14f, 0.14f, 0.14f, 1 } : (GdkRGBA) { 1, 1, 1, 1 };

  if (native == NULL || self->matrix == NULL)
    return NULL;
  gtk_snapshot_scale (snapshot, 2, 2);
  gtk_snapshot_append_color (snapshot, &paper, &GRAPHENE_RECT_INIT (0, 0, width, height));
  GTK_WIDGET_GET_CLASS (widget)->snapshot (widget, snapshot);
  node = gtk_snapshot_to_node (snapshot);
  return gsk_renderer_render_texture (gtk_native_get_renderer (native), node,
                                      &GRAPHENE_RECT_INIT (0, 0, 2 * width, 2 * height));
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = es_matrix_view_to_text (ES_MATRIX_VIEW (widget), '\t');

  es_export_copy_text (widget, text);
}

static void
copy_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GdkTexture) texture = render (ES_MATRIX_VIEW (widget));

  if (texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

static void
save_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  es_export_save_text (widget, file, es_matrix_view_to_text (ES_MATRIX_VIEW (widget), ','));
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) widget = user_data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error) && gtk_widget_get_root (widget) != NULL)
    es_export_report (widget, error->message);
}

static void
save_picture_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  g_autoptr (GdkTexture) texture = render (ES_MATRIX_VIEW (widget));

  if (texture != NULL)
    es_export_save_texture_async (texture, file, NULL, on_picture_saved, g_object_ref (widget));
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsMatrixView *self = ES_MATRIX_VIEW (widget);
  gboolean picture = g_str_equal (name, "matrix.save-picture");

  if (self->matrix != NULL)
    es_export_ask_file (widget, picture ? _("Save Picture") : _("Save Table"),
                        es_layer_get_title (ES_LAYER (self->matrix)), picture ? "png" : "csv",
                        picture ? save_picture_to : save_to, NULL);
}

void
_es_matrix_view_install_actions (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "matrix.copy", NULL, copy);
  gtk_widget_class_install_action (klass, "matrix.copy-picture", NULL, copy_picture);
  gtk_widget_class_install_action (klass, "matrix.save", NULL, save);
  gtk_widget_class_install_action (klass, "matrix.save-picture", NULL, save);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_c, GDK_CONTROL_MASK, "matrix.copy", NULL);
}
