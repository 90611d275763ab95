/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-export.h"

#define PLOT_WIDTH  720         /* of a saved plot */
#define PLOT_HEIGHT 420

static void
zoom_in (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_image_view_zoom_by (ES_VIEWER (widget)->left.view, 1.5);
}

static void
zoom_out (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_image_view_zoom_by (ES_VIEWER (widget)->left.view, 1 / 1.5);
}

static void
zoom_fit (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_image_view_fit (ES_VIEWER (widget)->left.view);
}

static void
zoom_one (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_image_view_set_zoom (ES_VIEWER (widget)->left.view, 1);
}

static void
toggle_compare (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_object_set (widget, "comparing", !_es_viewer_is_comparing (ES_VIEWER (widget)), NULL);
}

static void
correlate (GtkWidget *widget, const char *name, GVariant *parameter)
{
  _es_viewer_toggle_correlations (ES_VIEWER (widget));
}

static void
next_plane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsDisplay *display = ES_VIEWER (widget)->left.display;

  es_display_set_plane (display, es_display_get_plane (display) + 1);
}

static void
previous_plane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsDisplay *display = ES_VIEWER (widget)->left.display;

  if (es_display_get_plane (display) > 0)
    es_display_set_plane (display, es_display_get_plane (display) - 1);
}

/* What is compared, as it is on the screen: with what each side says it shows. */
static GdkTexture *
render_compared (EsViewer *self)
{
  GtkWidget *widget = GTK_WIDGET (self->compare);
  GtkNative *native = gtk_widget_get_native (widget);
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  int scale = gtk_widget_get_scale_factor (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  if (native == NULL || width <= 0 || height <= 0)
    return NULL;
  gtk_snapshot_scale (snapshot, (float) scale, (float) scale);
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  return node != NULL ? gsk_renderer_render_texture (gtk_native_get_renderer (native), node,
                                                     &GRAPHENE_RECT_INIT (0, 0, (float) width * scale,
                                                                          (float) height * scale)) : NULL;
}

/* The whole picture, as many pixels as have been loaded, whatever the view shows. */
static GdkTexture *
render_whole (EsViewer *self)
{
  guint step = es_picture_get_step (self->left.picture);
  int width = (int) ((es_picture_get_width (self->left.picture) + step - 1) / step);
  int height = (int) ((es_picture_get_height (self->left.picture) + step - 1) / step);
  EsViewport viewport = { 0, 0, 1. / step };

  if (_es_viewer_is_comparing (self))
    return render_compared (self);
  return es_picture_render (self->left.picture, NULL, width, height, &viewport);
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GdkTexture) texture = render_whole (ES_VIEWER (widget));

  if (texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

static void
stretch_reset (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_display_reset_stretch (ES_VIEWER (widget)->left.display);
}

static void
crosshair_clear (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_image_view_unselect (ES_VIEWER (widget)->left.view);
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EsViewer) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error) && !g_error_matches (error, G_IO_ERROR,
                                                                           G_IO_ERROR_CANCELLED))
    es_export_report (GTK_WIDGET (self), error->message);
}

static void
save_picture_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsViewer *self = ES_VIEWER (widget);
  g_autoptr (GdkTexture) texture = es_picture_is_empty (self->left.picture) ? NULL : render_whole (self);

  if (texture != NULL)
    es_export_save_texture_async (texture, file, self->cancellable, on_picture_saved, g_object_ref (self));
}

static void
save_picture (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsViewer *self = ES_VIEWER (widget);

  es_export_ask_file (widget, _("Save Picture"), es_dataset_get_name (self->dataset), "png", save_picture_to,
                      NULL);
}

typedef struct
{
  GFile        *folder;
  EsPlotFormat  format;
  GError       *error;
} PlotSave;

static void
save_one_plot (const char *name, EsPlot *plot, gpointer data)
{
  PlotSave *save = data;
  g_autofree char *file_name = g_strdup_printf ("%s.%s", name, es_export_plot_extension (save->format));
  g_autoptr (GFile) file = g_file_get_child (save->folder, file_name);

  if (save->error == NULL)
    es_plot_save (plot, file, save->format, PLOT_WIDTH, PLOT_HEIGHT, &save->error);
}

static void
save_plots_to (GtkWidget *widget, GFile *folder, const char *choice, gpointer user_data)
{
  PlotSave save = { folder, ES_PLOT_PDF, NULL };

  es_export_find_format (choice, &save.format);
  es_inspector_foreach_plot (ES_VIEWER (widget)->inspector, save_one_plot, &save);
  if (save.error != NULL)
    es_export_report (widget, save.error->message);
  g_clear_error (&save.error);
}

static void
save_plots (GtkWidget *widget, const char *name, GVariant *parameter)
{
  static const char * const formats[] = { "pdf", "svg", "png", NULL };

  es_export_ask_folder (widget, _("Save Plots"), formats, save_plots_to, NULL);
}

void
_es_viewer_update_actions (EsViewer *self)
{
  gboolean any = !es_picture_is_empty (self->left.picture);
  EsPlaneSource *source = es_display_get_source (self->left.display);
  gboolean single = source != NULL && !es_display_get_composite (self->left.display);
  guint n = source != NULL ? es_plane_source_get_n_planes (source) : 0;
  guint plane = es_display_get_plane (self->left.display), x, y;
  static const char * const of_picture[] = {
    "view.zoom-in", "view.zoom-out", "view.zoom-fit", "view.zoom-one", "view.copy", "view.save-picture",
    "view.stretch-reset",
  };

  for (guint i = 0; i < G_N_ELEMENTS (of_picture); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_picture[i], any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.next-plane", single && plane + 1 < n);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.previous-plane", single && plane > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.crosshair-clear",
                                 es_image_view_get_selected (self->left.view, &x, &y));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.save-plots", self->dataset != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.compare", source != NULL && self->sources != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.correlate", source != NULL && self->sources != NULL);
}

void
_es_viewer_install_actions (GtkWidgetClass *klass)
{
  static const struct { const char *name; GtkWidgetActionActivateFunc activate; } actions[] = {
    { "view.zoom-in", zoom_in },           { "view.zoom-out", zoom_out },
    { "view.zoom-fit", zoom_fit },         { "view.zoom-one", zoom_one },
    { "view.next-plane", next_plane },     { "view.previous-plane", previous_plane },
    { "view.copy", copy },                 { "view.stretch-reset", stretch_reset },
    { "view.crosshair-clear", crosshair_clear },
    { "view.save-picture", save_picture }, { "view.save-plots", save_plots },
    { "view.compare", toggle_compare },    { "view.correlate", correlate },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (klass, actions[i].name, NULL, actions[i].activate);
  gtk_widget_class_install_property_action (klass, "view.compare-mode", "compare-mode");
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Page_Down, 0, "view.next-plane", NULL);
  gtk_widget_class_add_binding_action (klass, GDK_KEY_Page_Up, 0, "view.previous-plane", NULL);
}
