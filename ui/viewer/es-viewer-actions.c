/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-file-name.h"
#include "base/es-task.h"
#include "files/es-save.h"
#include "widgets/es-capture.h"
#include "widgets/es-export.h"
#include "writers/es-writer.h"

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
keep_spectrum (GtkWidget *widget, const char *name, GVariant *what)
{
  _es_viewer_keep_spectrum (ES_VIEWER (widget), g_variant_get_string (what, NULL));
}

static void
next_plane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plane_player_step (ES_VIEWER (widget)->player, 1);
}

static void
previous_plane (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plane_player_step (ES_VIEWER (widget)->player, -1);
}

static void
play (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsPlanePlayer *player = ES_VIEWER (widget)->player;
  gboolean playing;

  g_object_get (player, "playing", &playing, NULL);
  g_object_set (player, "playing", !playing, NULL);
}

/* What is compared, as it is on the screen: with what each side says it shows. */
static GdkTexture *
render_compared (EsViewer *self)
{
  GtkWidget *widget = GTK_WIDGET (self->compare);

  return es_capture_render (widget, gtk_widget_get_scale_factor (widget));
}

/* The whole picture, as many pixels as have been loaded, whatever the view shows. */
static GdkTexture *
render_whole (EsViewer *self)
{
  return _es_viewer_is_comparing (self) ? render_compared (self) : es_picture_render_whole (self->left.picture);
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autoptr (GdkTexture) texture = render_whole (ES_VIEWER (widget));

  if (texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
}

static void
copy_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  _es_viewer_copy_picture_command (ES_VIEWER (widget));
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

/* ---- with its place on the earth ---- */

typedef struct
{
  EsCube *cube;                /* nullable */
  GFile  *target;
  GBytes *pixels;
  char   *description;
  guint   width, height, step;
} PictureSave;

static void
picture_save_free (gpointer data)
{
  PictureSave *save = data;

  g_clear_object (&save->cube);
  g_clear_object (&save->target);
  g_clear_pointer (&save->pixels, g_bytes_unref);
  g_free (save->description);
  g_free (save);
}

static void
write_picture (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  PictureSave *save = data;
  const EsWrittenImage image = { save->width, save->height, g_bytes_get_data (save->pixels, NULL), save->step,
                                 save->cube, save->description, FALSE };
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  GError *error = NULL;

  if (!es_write_image (&image, save->target, notes, cancellable, &error))
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, notes->len > 0 ? g_strdup (g_ptr_array_index (notes, 0)) : NULL, g_free);
}

static void
on_picture_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *note = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_export_report (GTK_WIDGET (source), error->message);
  else if (note != NULL)
    es_export_report (GTK_WIDGET (source), note);
}

static void
save_geotiff_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsViewer *self = ES_VIEWER (widget);
  g_autoptr (GTask) task = NULL;
  PictureSave *save;

  if (es_picture_is_empty (self->left.picture))
    return;
  save = g_new0 (PictureSave, 1);
  save->target = g_object_ref (file);
  save->pixels = es_picture_get_pixels (self->left.picture, &save->width, &save->height);
  save->step = es_picture_get_step (self->left.picture);
  save->description = es_display_make_caption (self->left.display, save->step);
  /* A picture of another size lies elsewhere. */
  if (ES_IS_CUBE (self->dataset)
      && es_cube_get_width (ES_CUBE (self->dataset)) == es_picture_get_width (self->left.picture)
      && es_cube_get_height (ES_CUBE (self->dataset)) == es_picture_get_height (self->left.picture))
    save->cube = g_object_ref (ES_CUBE (self->dataset));
  task = g_task_new (self, self->cancellable, on_picture_written, NULL);
  g_task_set_task_data (task, save, picture_save_free);
  es_task_run_in_thread (task, write_picture);
}

static void
save_picture_geotiff (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_export_ask_file (widget, _("Save Picture"), es_dataset_get_name (ES_VIEWER (widget)->dataset), "tif",
                      save_geotiff_to, NULL);
}

typedef struct
{
  GFile        *parent;
  const char   *name;          /* of the folder */
  GFile        *folder;        /* NULL: no plot yet */
  GPtrArray    *written;       /* of GFile */
  EsPlotFormat  format;
  GError       *error;
} PlotSave;

static void
save_one_plot (const char *name, EsPlot *plot, gpointer data)
{
  PlotSave *save = data;
  g_autofree char *file_name = g_strdup_printf ("%s.%s", name, es_export_plot_extension (save->format));

  if (save->error != NULL)
    return;
  if (save->folder == NULL && (save->folder = es_save_claim_folder (save->parent, save->name, &save->error)) == NULL)
    return;

  g_autoptr (GFile) file = g_file_get_child (save->folder, file_name);
  if (es_plot_save (plot, file, save->format, PLOT_WIDTH, PLOT_HEIGHT, &save->error))
    g_ptr_array_add (save->written, g_steal_pointer (&file));
}

/* Many files of fixed names: a folder of their own in the one chosen. */
void
_es_viewer_save_plots (EsViewer *self, GFile *parent, const char *format)
{
  g_autofree char *stem = es_file_name_stem (es_dataset_get_name (self->dataset), NULL);
  g_autofree char *name = g_strconcat (stem, "-plots", NULL);
  g_autoptr (GPtrArray) written = g_ptr_array_new_with_free_func (g_object_unref);
  PlotSave save = { .parent = parent, .name = name, .written = written, .format = ES_PLOT_PDF };
  g_autofree char *sentence = NULL;

  es_export_find_format (format, &save.format);
  es_inspector_foreach_plot (self->inspector, save_one_plot, &save);
  if (save.error != NULL && save.folder != NULL)
    es_save_give_up_folder (save.folder, written);
  if (save.error != NULL)
    sentence = g_strdup (save.error->message);
  else if (save.folder != NULL)
    {
      g_autofree char *folder_name = es_error_file_name (save.folder);
      sentence = g_strdup_printf (_("The plots are in the folder “%s”."), folder_name);
    }
  else
    sentence = g_strdup (_("There are no plots to save."));
  es_export_report (GTK_WIDGET (self), sentence);
  g_clear_object (&save.folder);
  g_clear_error (&save.error);
}

static void
save_plots_to (GtkWidget *widget, GFile *folder, const char *choice, gpointer user_data)
{
  /* Another data set, or none, may be shown by now. */
  if (ES_VIEWER (widget)->dataset != NULL)
    _es_viewer_save_plots (ES_VIEWER (widget), folder, choice);
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
  guint n = source != NULL ? es_plane_source_get_n_planes (source) : 0, x, y;
  static const char * const of_picture[] = {
    "view.zoom-in", "view.zoom-out", "view.zoom-fit", "view.zoom-one", "view.copy", "view.save-picture",
    "view.stretch-reset",
  };

  for (guint i = 0; i < G_N_ELEMENTS (of_picture); i++)
    gtk_widget_action_set_enabled (GTK_WIDGET (self), of_picture[i], any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.next-plane", single && n > 1);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.previous-plane", single && n > 1);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.play", single && n > 1);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.save-picture-geotiff",
                                 any && !_es_viewer_is_comparing (self));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.crosshair-clear",
                                 es_image_view_get_selected (self->left.view, &x, &y));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.save-plots", self->dataset != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.compare", source != NULL && self->sources != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "view.correlate", source != NULL && self->sources != NULL);
}

/* The section that has the focus, in the middle; or what is large there, back; or the spectrum, of which all cubes have
 * one. */
static void
enlarge (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsViewer *self = ES_VIEWER (widget);
  EsSectionPlaces *places = es_inspector_get_places (self->inspector);
  GtkRoot *root = gtk_widget_get_root (widget);
  EsSection *section = es_section_places_find (places, root != NULL ? gtk_root_get_focus (root) : NULL);

  if (section == NULL)
    section = es_section_places_get_large (places);
  if (section == NULL)
    section = es_inspector_get_section (self->inspector, "spectrum");
  es_section_places_put (places, section, es_section_places_get (places, section) == ES_SECTION_IN_COLUMN
                                          ? ES_SECTION_LARGE : ES_SECTION_IN_COLUMN);
}

static gboolean
on_escape (GtkWidget *widget, GVariant *unused, gpointer data)
{
  EsSectionPlaces *places = es_inspector_get_places (ES_VIEWER (widget)->inspector);
  EsSection *large = es_section_places_get_large (places);

  if (large == NULL || !gtk_widget_get_visible (GTK_WIDGET (large)))
    return GDK_EVENT_PROPAGATE;
  es_section_places_put (places, large, ES_SECTION_IN_COLUMN);
  return GDK_EVENT_STOP;
}

void
_es_viewer_install_actions (GtkWidgetClass *klass)
{
  static const struct { const char *name; GtkWidgetActionActivateFunc activate; } actions[] = {
    { "view.zoom-in", zoom_in },           { "view.zoom-out", zoom_out },
    { "view.zoom-fit", zoom_fit },         { "view.zoom-one", zoom_one },
    { "view.next-plane", next_plane },     { "view.previous-plane", previous_plane },
    { "view.copy-picture-command", copy_command },
    { "view.play", play },                 { "view.save-picture-geotiff", save_picture_geotiff },
    { "view.copy", copy },                 { "view.stretch-reset", stretch_reset },
    { "view.crosshair-clear", crosshair_clear },
    { "view.save-picture", save_picture }, { "view.save-plots", save_plots },
    { "view.compare", toggle_compare },    { "view.correlate", correlate },
    { "view.enlarge", enlarge },
  };

  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, on_escape, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (klass, actions[i].name, NULL, actions[i].activate);
  gtk_widget_class_install_action (klass, "view.keep-spectrum", "s", keep_spectrum);
  gtk_widget_class_install_property_action (klass, "view.compare-mode", "compare-mode");
}
