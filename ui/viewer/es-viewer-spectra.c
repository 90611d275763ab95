/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra that are collected from the picture, below it or in a window of their own. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>

#include "places/es-own-window.h"
#include "widgets/es-export.h"

#define WINDOW_WIDTH  960
#define WINDOW_HEIGHT 560
/* Of the height, that stays the picture's. */
#define PICTURE_SHARE 0.55

static EsCube *
get_cube (EsViewer *self)
{
  return ES_IS_CUBE (self->dataset) ? ES_CUBE (self->dataset) : NULL;
}

/* ---- marks in the picture ---- */

static void
update_marks (EsViewer *self)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (EsImageMark));
  EsCube *cube = get_cube (self);

  for (guint i = 0; cube != NULL && i < es_spectrum_collection_get_n (self->collection); i++)
    {
      EsKeptSpectrum *kept = es_spectrum_collection_get (self->collection, i);
      EsRegion *region = es_kept_spectrum_get_region (kept);
      const guint32 colour = es_kept_spectrum_get_colour (kept);
      guint64 x, y, width, height;

      if (region == NULL || !es_kept_spectrum_is_of (kept, cube) || !es_kept_spectrum_get_shown (kept)
          || !es_region_get_box (region, es_cube_get_width (cube), es_cube_get_height (cube), &x, &y, &width, &height))
        continue;
      const EsImageMark mark = { (double) x + (double) width / 2, (double) y + (double) height / 2,
                                 { (float) (colour >> 16 & 0xff) / 255, (float) (colour >> 8 & 0xff) / 255,
                                   (float) (colour & 0xff) / 255, 1 } };
      g_array_append_val (marks, mark);
    }
  es_image_view_set_marks (self->left.view, marks->len, (const EsImageMark *) marks->data);
}

/* ---- what can be kept ---- */

static guint
count_classes (EsViewer *self)
{
  EsRegionSet *classes = es_region_control_get_classes (es_inspector_get_control (self->inspector));

  return classes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (classes)) : 0;
}

void
_es_viewer_update_spectra (EsViewer *self)
{
  EsRegionControl *control = es_inspector_get_control (self->inspector);
  const gboolean cube = get_cube (self) != NULL;
  guint x, y;

  if (self->spectra != NULL)
    es_spectra_view_set_sources (self->spectra, cube && es_image_view_get_selected (self->left.view, &x, &y),
                                 cube && es_region_control_get_selection (control) != NULL,
                                 cube && count_classes (self) > 0);
}

/* Where they are not shown, the picture does not move out from under the pointer for it: once, a sentence says where
 * they are. */
static void
tell (EsViewer *self)
{
  if (!self->spectra_shown && !self->spectra_told)
    es_export_report (GTK_WIDGET (self), _("Kept with the collected spectra, which F8 shows."));
  self->spectra_told = TRUE;
}

static void
keep_of (EsViewer *self, EsCube *cube, guint x, guint y, guint size)
{
  if (cube == NULL)
    return;
  es_spectrum_collection_add_pixel (self->collection, cube, x, y, size);
  tell (self);
}

static void
keep_pixel (EsViewer *self, guint x, guint y, guint size)
{
  keep_of (self, get_cube (self), x, y, size);
}

static void
keep_classes (EsViewer *self)
{
  EsRegionSet *classes = es_region_control_get_classes (es_inspector_get_control (self->inspector));

  for (guint i = 0; i < count_classes (self); i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (classes), i);

      es_spectrum_collection_add_region (self->collection, get_cube (self), es_named_region_get_region (region),
                                         ES_KEPT_REGION, es_named_region_get_name (region),
                                         es_named_region_get_colour (region));
    }
}

void
_es_viewer_keep_spectrum (EsViewer *self, const char *what)
{
  EsRegion *selection = es_region_control_get_selection (es_inspector_get_control (self->inspector));
  guint x, y;

  if (get_cube (self) == NULL)
    return;
  if (g_str_equal (what, "classes"))
    keep_classes (self);
  else if (g_str_equal (what, "selection") && selection != NULL)
    es_spectrum_collection_add_region (self->collection, get_cube (self), selection, ES_KEPT_REGION, NULL, 0);
  else if (es_image_view_get_selected (self->left.view, &x, &y))
    keep_pixel (self, x, y, g_str_equal (what, "mean") ? 3 : 1);
  else if (self->hovered.any)
    keep_pixel (self, self->hovered.x, self->hovered.y, g_str_equal (what, "mean") ? 3 : 1);
}

static void
on_kept (EsViewer *self, guint x, guint y, guint size)
{
  keep_pixel (self, x, y, size);
}

/* Of the second picture: of its cube, where it shows one. */
static void
on_kept_right (EsViewer *self, guint x, guint y, guint size)
{
  EsPlaneSource *source = es_display_get_source (self->right.display);
  EsCube *cube = source != NULL ? es_plane_source_get_cube (source) : NULL;

  keep_of (self, cube != NULL ? cube : get_cube (self), x, y, size);
}

/* ---- following ---- */

void
_es_viewer_follow_spectra (EsViewer *self)
{
  guint x = self->hovered.x, y = self->hovered.y;
  const gboolean any = self->hovered.any || es_image_view_get_selected (self->left.view, &x, &y);

  if (self->spectra != NULL && self->spectra_shown)
    es_spectra_view_set_pixel (self->spectra, any && get_cube (self) != NULL, x, y);
}

void
_es_viewer_spectra_dataset (EsViewer *self)
{
  update_marks (self);
  if (self->spectra == NULL)
    return;
  es_spectra_view_set_cube (self->spectra, self->spectra_shown ? get_cube (self) : NULL);
  _es_viewer_update_spectra (self);
}

/* ---- where it is ---- */

static gboolean
on_window_close (EsViewer *self)
{
  g_object_set (self, "spectra", FALSE, NULL);
  return GDK_EVENT_STOP;
}

static void
take_out (EsViewer *self)
{
  if (self->spectra_window != NULL)
    g_object_unref (es_own_window_take (g_steal_pointer (&self->spectra_window)));
  else if (gtk_paned_get_end_child (GTK_PANED (self->split)) != NULL)
    gtk_paned_set_end_child (GTK_PANED (self->split), NULL);
}

static gboolean
on_window_key (GtkWidget *window, GVariant *arguments, gpointer data)
{
  gtk_window_close (GTK_WINDOW (window));
  return TRUE;
}

/* F8 hides them here as well, before the columns take it. */
static void
add_key (GtkWidget *window)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_F8, 0),
                                                          gtk_callback_action_new (on_window_key, NULL, NULL)));
  gtk_widget_add_controller (window, controller);
}

static void
put_into_window (EsViewer *self)
{
  self->spectra_window = es_own_window_new ("spectra", _("Collected Spectra"), WINDOW_WIDTH, WINDOW_HEIGHT,
                                            GTK_WIDGET (self->spectra), GTK_WIDGET (self));
  add_key (GTK_WIDGET (self->spectra_window));
  g_signal_connect_object (self->spectra_window, "close-request", G_CALLBACK (on_window_close), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (self->spectra_window);
}

/* One thing at a time stands below the picture: it is the picture that things are compared with. */
static void
put_large_back (EsViewer *self)
{
  EsSectionPlaces *places = es_inspector_get_places (self->inspector);
  EsSection *large = es_section_places_get_large (places);

  self->spectra_aside = FALSE;
  if (large != NULL)
    es_section_places_put (places, large, ES_SECTION_IN_COLUMN);
}

static void
on_large (EsViewer *self)
{
  if (!self->spectra_shown || self->spectra_detached)
    return;
  g_object_set (self, "spectra", FALSE, NULL);
  self->spectra_aside = TRUE;
}

static void
on_places (EsViewer *self)
{
  if (self->spectra_aside && es_section_places_get_large (es_inspector_get_places (self->inspector)) == NULL)
    g_object_set (self, "spectra", TRUE, NULL);
}

static void
put_below (EsViewer *self)
{
  const int height = gtk_widget_get_height (self->split);

  put_large_back (self);
  if (height > 0 && self->spectra_position == 0)
    gtk_paned_set_position (GTK_PANED (self->split), (int) (height * PICTURE_SHARE));
  else if (self->spectra_position > 0)
    gtk_paned_set_position (GTK_PANED (self->split), self->spectra_position);
  gtk_paned_set_end_child (GTK_PANED (self->split), GTK_WIDGET (self->spectra));
}

static void
place (EsViewer *self)
{
  /* The size that a person gave it stays, whatever happens to it in between. */
  if (gtk_paned_get_end_child (GTK_PANED (self->split)) != NULL)
    self->spectra_position = gtk_paned_get_position (GTK_PANED (self->split));
  take_out (self);
  g_object_set (self->spectra, "detached", self->spectra_detached, NULL);
  if (!self->spectra_shown)
    return;
  if (self->spectra_detached)
    put_into_window (self);
  else
    put_below (self);
}

static void
on_detach (EsViewer *self)
{
  self->spectra_detached = !self->spectra_detached;
  place (self);
}

static void
on_close (EsViewer *self)
{
  g_object_set (self, "spectra", FALSE, NULL);
}

EsSpectraView *
es_viewer_get_spectra (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);

  if (self->spectra != NULL)
    return self->spectra;
  self->spectra = g_object_ref_sink (ES_SPECTRA_VIEW (es_spectra_view_new (self->collection)));
  g_signal_connect_object (self->spectra, "keep", G_CALLBACK (_es_viewer_keep_spectrum), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->spectra, "detach", G_CALLBACK (on_detach), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->spectra, "close", G_CALLBACK (on_close), self, G_CONNECT_SWAPPED);
  _es_viewer_watch_library (self);
  return self->spectra;
}

EsSpectrumCollection *
es_viewer_get_collection (EsViewer *self)
{
  g_return_val_if_fail (ES_IS_VIEWER (self), NULL);
  return self->collection;
}

void
_es_viewer_show_spectra (EsViewer *self, gboolean shown)
{
  if (self->spectra_shown == shown)
    return;
  self->spectra_shown = shown;
  self->spectra_told = FALSE;
  es_viewer_get_spectra (self);
  place (self);
  _es_viewer_spectra_dataset (self);
  _es_viewer_follow_spectra (self);
}

/* Only a cube that something was told of takes the place of another: their numbers would be those of before, beside the
 * ones of now. */
static void
on_datasets (EsViewer *self, guint position, guint removed, guint added, GListModel *datasets)
{
  g_autoptr (EsDataset) dataset = removed == 1 && added == 1 ? g_list_model_get_item (datasets, position) : NULL;

  if (ES_IS_CUBE (dataset))
    es_spectrum_collection_read_again (self->collection, ES_CUBE (dataset));
}

void
_es_viewer_follow_told (EsViewer *self)
{
  g_signal_connect_object (es_session_get_datasets (self->session), "items-changed", G_CALLBACK (on_datasets), self,
                           G_CONNECT_SWAPPED);
}

void
_es_viewer_init_spectra (EsViewer *self)
{
  self->collection = es_spectrum_collection_new ();
  self->split = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  gtk_paned_set_start_child (GTK_PANED (self->split), self->pages);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->split), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->split), FALSE);
  gtk_widget_set_vexpand (self->split, TRUE);
  g_signal_connect_object (self->collection, "changed", G_CALLBACK (update_marks), self, G_CONNECT_SWAPPED);
  _es_viewer_watch_collection (self);
}

void
_es_viewer_connect_spectra (EsViewer *self)
{
  g_signal_connect_object (self->left.view, "kept", G_CALLBACK (on_kept), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right.view, "kept", G_CALLBACK (on_kept_right), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_compare_view_get_view (self->compare, ES_COMPARE_BOTH), "kept", G_CALLBACK (on_kept),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_inspector_get_control (self->inspector), "changed",
                           G_CALLBACK (_es_viewer_update_spectra), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_inspector_get_places (self->inspector), "large", G_CALLBACK (on_large), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (es_inspector_get_places (self->inspector), "changed", G_CALLBACK (on_places), self,
                           G_CONNECT_SWAPPED);
}

void
_es_viewer_dispose_spectra (EsViewer *self)
{
  if (self->spectra_window != NULL)
    take_out (self);
  g_clear_object (&self->spectra);
  g_clear_object (&self->collection);
  g_clear_pointer (&self->spectra_kept, json_object_unref);
}
