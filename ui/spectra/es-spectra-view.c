/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectra-view-private.h"

#include <glib/gi18n-lib.h>

#include "charts/es-plot-zoom.h"
#include "es-kept-list.h"

G_DEFINE_FINAL_TYPE (EsSpectraView, es_spectra_view, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_DETACHED, N_PROPS };
static GParamSpec *properties[N_PROPS];

enum { KEEP, DETACH, CLOSE, LIBRARY_CHANGED, SAID, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- for the owner ---- */

EsSpectrumCollection *
es_spectra_view_get_collection (EsSpectraView *self)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), NULL);
  return self->collection;
}

EsSpectraPlot *
es_spectra_view_get_plot (EsSpectraView *self)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), NULL);
  return self->plot;
}

GtkWidget *
es_spectra_view_get_plot_view (EsSpectraView *self)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), NULL);
  return self->plot_view;
}

void
es_spectra_view_set_cube (EsSpectraView *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));

  if (self->cube == cube)
    return;
  if (self->cube != NULL)
    g_signal_handlers_disconnect_by_func (self->cube, _es_spectra_view_prepare_match, self);
  g_set_object (&self->cube, cube);
  /* Other bands take part, or other pixels. */
  if (cube != NULL)
    g_signal_connect_object (cube, "notify::selection", G_CALLBACK (_es_spectra_view_prepare_match), self,
                             G_CONNECT_SWAPPED);
  self->any_pixel = FALSE;
  _es_spectra_view_prepare_match (self);
}

void
es_spectra_view_set_pixel (EsSpectraView *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));

  if (self->any_pixel == any && (!any || (self->pixel_x == x && self->pixel_y == y)))
    return;
  self->any_pixel = any;
  self->pixel_x = x;
  self->pixel_y = y;
  _es_spectra_view_ask_match (self);
}

void
es_spectra_view_set_sources (EsSpectraView *self, gboolean pixel, gboolean selection, gboolean classes)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));

  gtk_widget_set_sensitive (self->keep, pixel || selection || classes);
}

void
es_spectra_view_set_look (EsSpectraView *self, const EsSpectraLook *look)
{
  const EsSpectraLook *old = es_spectra_plot_get_look (self->plot);
  const gboolean other_axes = look->unit != old->unit || look->shape != old->shape || look->stacked != old->stacked;

  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));

  es_spectra_plot_set_look (self->plot, look);
  if (other_axes)
    es_plot_zoom_reset (ES_PLOT_VIEW (self->plot_view));
  _es_spectra_view_update_bar (self);
}

void
es_spectra_view_set_library (EsSpectraView *self, EsSpectralLibrary *library)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));

  g_ptr_array_set_size (self->library_files, 0);
  es_library_list_set_library (self->library_list, library);
  es_spectra_plot_set_passing (self->plot, 1, NULL);
  _es_spectra_view_prepare_match (self);
}

EsSpectralLibrary *
es_spectra_view_get_library (EsSpectraView *self)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), NULL);
  return es_library_list_get_library (self->library_list);
}

EsSpectrum *
es_spectra_view_get_match (EsSpectraView *self, guint i)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), NULL);
  return es_match_list_get (self->match_list, i);
}

void
es_spectra_view_set_match_kind (EsSpectraView *self, EsMatchKind kind)
{
  g_return_if_fail (ES_IS_SPECTRA_VIEW (self));
  es_match_list_set_kind (self->match_list, kind);
}

gboolean
es_spectra_view_is_busy (EsSpectraView *self)
{
  g_return_val_if_fail (ES_IS_SPECTRA_VIEW (self), FALSE);
  return self->n_files > 0 || self->preparing != NULL || es_latest_is_busy (self->reader)
         || es_spectrum_collection_is_busy (self->collection);
}

/* ---- actions ---- */

static void
keep (GtkWidget *widget, const char *name, GVariant *what)
{
  g_signal_emit (widget, signals[KEEP], 0, g_variant_get_string (what, NULL));
}

static void
undo (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_spectrum_collection_undo (ES_SPECTRA_VIEW (widget)->collection);
}

static void
clear (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_spectrum_collection_clear (ES_SPECTRA_VIEW (widget)->collection);
}

static void
open_library (GtkWidget *widget, const char *name, GVariant *parameter)
{
  _es_spectra_view_ask_library (ES_SPECTRA_VIEW (widget));
}

static void
save (GtkWidget *widget, const char *name, GVariant *ending)
{
  _es_spectra_view_ask_target (ES_SPECTRA_VIEW (widget), g_variant_get_string (ending, NULL));
}

static void
zoom_reset (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_plot_zoom_reset (ES_PLOT_VIEW (ES_SPECTRA_VIEW (widget)->plot_view));
}

static void
detach (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[DETACH], 0);
}

static void
close_view (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, signals[CLOSE], 0);
}

/* ---- signals of the lists ---- */

static void
on_looked_at (EsSpectraView *self, EsSpectrum *spectrum)
{
  es_spectra_plot_set_passing (self->plot, 1, spectrum);
}

static void
on_keep (EsSpectraView *self, EsSpectrum *spectrum)
{
  EsSpectralLibrary *library = es_library_list_get_library (self->library_list);

  es_spectrum_collection_add (self->collection, spectrum,
                              library != NULL ? es_spectral_library_get_name (library) : NULL,
                              library != NULL ? es_spectral_library_get_unit (library) : NULL);
}

static void
on_kind (EsSpectraView *self)
{
  _es_spectra_view_ask_match (self);
}

/* ---- the widget ---- */

static GtkWidget *
make_lists (EsSpectraView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4), *switcher = gtk_stack_switcher_new ();

  self->lists = gtk_stack_new ();
  self->library_list = ES_LIBRARY_LIST (es_library_list_new ());
  self->match_list = ES_MATCH_LIST (es_match_list_new ());
  gtk_stack_add_titled (GTK_STACK (self->lists), es_kept_list_new (self->collection, self->plot), "collected",
                        _("Collected"));
  gtk_stack_add_titled (GTK_STACK (self->lists), GTK_WIDGET (self->library_list), "library", _("Library"));
  gtk_stack_add_titled (GTK_STACK (self->lists), GTK_WIDGET (self->match_list), "matches", _("Matches"));
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (self->lists));
  gtk_widget_add_css_class (switcher, "spectra-tabs");
  gtk_widget_set_margin_start (switcher, 4);
  gtk_widget_set_margin_end (switcher, 4);
  gtk_widget_set_vexpand (self->lists, TRUE);
  gtk_box_append (GTK_BOX (box), switcher);
  gtk_box_append (GTK_BOX (box), self->lists);
  gtk_widget_set_size_request (box, 280, -1);
  g_signal_connect_object (self->library_list, "looked-at", G_CALLBACK (on_looked_at), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->library_list, "keep", G_CALLBACK (on_keep), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->library_list, "open", G_CALLBACK (_es_spectra_view_ask_library), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->match_list, "looked-at", G_CALLBACK (on_looked_at), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->match_list, "keep", G_CALLBACK (on_keep), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->match_list, "kind-changed", G_CALLBACK (on_kind), self, G_CONNECT_SWAPPED);
  return box;
}

GtkWidget *
es_spectra_view_new (EsSpectrumCollection *collection)
{
  EsSpectraView *self = g_object_new (ES_TYPE_SPECTRA_VIEW, NULL);
  GtkWidget *lists;

  self->collection = g_object_ref (collection);
  self->plot = es_spectra_plot_new (collection);
  self->bar = _es_spectra_view_make_bar (self);
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));
  self->plot_view = es_plot_view_new (es_spectra_plot_get_plot (self->plot), 160);
  es_plot_zoom_add (ES_PLOT_VIEW (self->plot_view));
  gtk_widget_set_size_request (self->plot_view, 220, 120);
  gtk_widget_set_vexpand (self->plot_view, TRUE);
  lists = make_lists (self);
  self->paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_start_child (GTK_PANED (self->paned), self->plot_view);
  gtk_paned_set_end_child (GTK_PANED (self->paned), lists);
  gtk_paned_set_resize_end_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (self->paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (self->paned), FALSE);
  gtk_widget_set_vexpand (self->paned, TRUE);
  gtk_widget_set_parent (self->paned, GTK_WIDGET (self));
  _es_spectra_view_init_match (self);
  g_signal_connect_object (collection, "changed", G_CALLBACK (_es_spectra_view_update_bar), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot, "changed", G_CALLBACK (_es_spectra_view_update_bar), self, G_CONNECT_SWAPPED);
  _es_spectra_view_update_bar (self);
  return GTK_WIDGET (self);
}

static void
es_spectra_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  if (id == PROP_DETACHED)
    g_value_set_boolean (value, ES_SPECTRA_VIEW (object)->detached);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
}

static void
es_spectra_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  EsSpectraView *self = ES_SPECTRA_VIEW (object);

  if (id != PROP_DETACHED)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
      return;
    }
  self->detached = g_value_get_boolean (value);
  if (self->detach != NULL)
    _es_spectra_view_show_detached (self);
}

static void
es_spectra_view_dispose (GObject *object)
{
  EsSpectraView *self = ES_SPECTRA_VIEW (object);

  _es_spectra_view_drop_match (self);
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  g_clear_pointer (&self->paned, gtk_widget_unparent);
  g_clear_object (&self->cube);
  g_clear_object (&self->plot);
  g_clear_object (&self->collection);
  g_ptr_array_set_size (self->library_files, 0);
  G_OBJECT_CLASS (es_spectra_view_parent_class)->dispose (object);
}

static void
es_spectra_view_finalize (GObject *object)
{
  g_ptr_array_unref (ES_SPECTRA_VIEW (object)->library_files);
  G_OBJECT_CLASS (es_spectra_view_parent_class)->finalize (object);
}

static void
es_spectra_view_class_init (EsSpectraViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->get_property = es_spectra_view_get_property;
  G_OBJECT_CLASS (class)->set_property = es_spectra_view_set_property;
  G_OBJECT_CLASS (class)->dispose = es_spectra_view_dispose;
  G_OBJECT_CLASS (class)->finalize = es_spectra_view_finalize;
  properties[PROP_DETACHED] = g_param_spec_boolean ("detached", NULL, NULL, FALSE,
                                                    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
  signals[KEEP] = g_signal_new ("keep", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[DETACH] = g_signal_new ("detach", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CLOSE] = g_signal_new ("close", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LIBRARY_CHANGED] = g_signal_new ("library-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 0);
  signals[SAID] = g_signal_new ("said", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_install_action (widget_class, "spectra.keep", "s", keep);
  gtk_widget_class_install_action (widget_class, "spectra.undo", NULL, undo);
  gtk_widget_class_install_action (widget_class, "spectra.clear", NULL, clear);
  gtk_widget_class_install_action (widget_class, "spectra.open-library", NULL, open_library);
  gtk_widget_class_install_action (widget_class, "spectra.save", "s", save);
  gtk_widget_class_install_action (widget_class, "spectra.zoom-reset", NULL, zoom_reset);
  gtk_widget_class_install_action (widget_class, "spectra.detach", NULL, detach);
  gtk_widget_class_install_action (widget_class, "spectra.close", NULL, close_view);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "spectra.undo", NULL);
  gtk_widget_class_set_css_name (widget_class, "spectraview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_spectra_view_init (EsSpectraView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                                  GTK_ORIENTATION_VERTICAL);
  self->library_files = g_ptr_array_new_with_free_func (g_object_unref);
}
