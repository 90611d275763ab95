/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scatter-view-private.h"

#include <glib/gi18n-lib.h>

enum { PROP_0, PROP_DETAIL, N_PROPS };

static GParamSpec *properties[N_PROPS];

G_DEFINE_TYPE (EsScatterView, es_scatter_view, GTK_TYPE_WIDGET)

void
_es_scatter_view_set_detail (EsScatterView *self, char *detail)
{
  if (g_strcmp0 (detail, self->detail) == 0)
    {
      g_free (detail);
      return;
    }
  g_free (self->detail);
  self->detail = detail;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DETAIL]);
}

static void
on_lasso (EsScatterView *self, const double *points, guint n)
{
  es_scatter_view_lasso (self, points, n);
}

/* ---- the axes ---- */

static guint
nearest_band (EsCube *cube, double wavelength, guint otherwise)
{
  int band = es_cube_get_wavelengths (cube) != NULL ? es_cube_find_wavelength (cube, wavelength) : -1;

  return band >= 0 ? (guint) band : otherwise;
}

/* Of a cube red against near infrared, where vegetation and soil part; of components the first two. */
static void
choose_planes (EsScatterView *self)
{
  EsCube *cube = es_plane_source_get_cube (self->source);
  guint n = es_plane_source_get_n_planes (self->source);

  self->planes[0] = 0;
  self->planes[1] = 1;
  if (cube != NULL)
    {
      self->planes[0] = nearest_band (cube, 660, 0);
      self->planes[1] = nearest_band (cube, 860, n - 1);
      if (self->planes[0] == self->planes[1])
        self->planes[1] = self->planes[0] > 0 ? 0 : n - 1;
    }
}

static void
fill_axes (EsScatterView *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) titles = NULL;

  for (guint i = 0; i < es_plane_source_get_n_planes (self->source); i++)
    {
      g_autofree char *title = es_plane_source_get_plane_title (self->source, i);

      g_strv_builder_add (builder, title);
    }
  titles = g_strv_builder_end (builder);
  self->updating = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GtkStringList) list = gtk_string_list_new ((const char *const *) titles);

      gtk_drop_down_set_model (GTK_DROP_DOWN (self->axes[i]), G_LIST_MODEL (list));
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->axes[i]), self->planes[i]);
    }
  self->updating = FALSE;
  self->stale = FALSE;
}

static void
on_source_changed (EsScatterView *self)
{
  EsPlaneSource *source = es_display_get_own_source (self->display);
  gboolean stack_before = self->source != NULL && es_plane_source_get_stack (self->source) != NULL;
  gboolean stack;

  if (source != NULL && es_plane_source_get_n_planes (source) < 2)
    source = NULL;
  if (source == self->source)
    return;
  stack = source != NULL && es_plane_source_get_stack (source) != NULL;
  g_set_object (&self->source, source);
  es_latest_cancel (self->counting);
  es_latest_cancel (self->finding);
  es_latest_cancel (self->lighting);
  if (source == NULL)
    {
      g_clear_pointer (&self->density, es_density_unref);
      es_scatter_canvas_set_density (self->canvas, NULL);
      _es_scatter_view_set_detail (self, NULL);
      return;
    }
  /* A result in the place of another keeps what was chosen. */
  if (!(stack && stack_before) || MAX (self->planes[0], self->planes[1]) >= es_plane_source_get_n_planes (source))
    choose_planes (self);
  /* Of hundreds of bands, for a plot that may not be looked at for a long time. */
  self->stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill_axes (self);
  _es_scatter_view_refresh (self);
}

gboolean
es_scatter_view_can_show (EsScatterView *self)
{
  EsPlaneSource *source;

  g_return_val_if_fail (ES_IS_SCATTER_VIEW (self), FALSE);

  source = es_display_get_source (self->display);
  return source != NULL && es_plane_source_get_n_planes (source) > 1;
}

void
es_scatter_view_set_planes (EsScatterView *self, guint x, guint y)
{
  guint planes[2] = { x, y };

  g_return_if_fail (ES_IS_SCATTER_VIEW (self));

  if (self->source == NULL || MAX (x, y) >= es_plane_source_get_n_planes (self->source)
      || (x == self->planes[0] && y == self->planes[1]))
    return;
  self->updating = TRUE;
  for (guint i = 0; i < 2; i++)
    {
      self->planes[i] = planes[i];
      if (!self->stale)
        gtk_drop_down_set_selected (GTK_DROP_DOWN (self->axes[i]), planes[i]);
    }
  self->updating = FALSE;
  _es_scatter_view_refresh (self);
}

void
es_scatter_view_get_planes (EsScatterView *self, guint *x, guint *y)
{
  g_return_if_fail (ES_IS_SCATTER_VIEW (self));
  *x = self->planes[0];
  *y = self->planes[1];
}

static void
on_axis (EsScatterView *self)
{
  guint x = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->axes[0]));
  guint y = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->axes[1]));

  if (!self->updating && x != GTK_INVALID_LIST_POSITION && y != GTK_INVALID_LIST_POSITION)
    es_scatter_view_set_planes (self, x, y);
}

static void
on_swap (EsScatterView *self)
{
  es_scatter_view_set_planes (self, self->planes[1], self->planes[0]);
}

void
es_scatter_view_set_detached (EsScatterView *self, gboolean detached)
{
  g_return_if_fail (ES_IS_SCATTER_VIEW (self));

  if (self->detached == detached)
    return;
  self->detached = detached;
  _es_scatter_view_refresh (self);
}

gboolean
es_scatter_view_is_loading (EsScatterView *self)
{
  g_return_val_if_fail (ES_IS_SCATTER_VIEW (self), FALSE);
  return es_latest_is_busy (self->counting) || es_latest_is_busy (self->finding) || es_latest_is_busy (self->lighting);
}

EsPlot *
es_scatter_view_get_plot (EsScatterView *self)
{
  g_return_val_if_fail (ES_IS_SCATTER_VIEW (self), NULL);
  return es_scatter_canvas_get_plot (self->canvas);
}

const char *
es_scatter_view_get_detail (EsScatterView *self)
{
  g_return_val_if_fail (ES_IS_SCATTER_VIEW (self), NULL);
  return self->detail;
}

/* ---- the widget ---- */

static GtkWidget *
make_axis (EsScatterView *self, const char *name, const char *tooltip)
{
  GtkWidget *axis = gtk_drop_down_new (NULL, gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));

  gtk_drop_down_set_enable_search (GTK_DROP_DOWN (axis), TRUE);
  gtk_widget_set_hexpand (axis, TRUE);
  gtk_widget_set_tooltip_text (axis, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (axis), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (axis, "notify::selected", G_CALLBACK (on_axis), self, G_CONNECT_SWAPPED);
  return axis;
}

static GtkWidget *
make_button (EsScatterView *self, const char *icon, const char *tooltip, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip, -1);
  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  return button;
}

GtkWidget *
es_scatter_view_new (EsDisplay *display, EsRegionControl *control)
{
  EsScatterView *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  g_return_val_if_fail (ES_IS_REGION_CONTROL (control), NULL);

  self = g_object_new (ES_TYPE_SCATTER_VIEW, NULL);
  self->display = g_object_ref (display);
  self->control = g_object_ref (control);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (control, "changed", G_CALLBACK (_es_scatter_view_light), self, G_CONNECT_SWAPPED);
  on_source_changed (self);
  return GTK_WIDGET (self);
}

static void
es_scatter_view_map (GtkWidget *widget)
{
  EsScatterView *self = ES_SCATTER_VIEW (widget);

  if (self->stale && self->source != NULL)
    fill_axes (self);
  GTK_WIDGET_CLASS (es_scatter_view_parent_class)->map (widget);
  _es_scatter_view_refresh (self);
  _es_scatter_view_light (self);
}

static void
es_scatter_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_DETAIL)
    g_value_set_string (value, ES_SCATTER_VIEW (object)->detail);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_scatter_view_dispose (GObject *object)
{
  EsScatterView *self = ES_SCATTER_VIEW (object);
  EsLatest **work[] = { &self->counting, &self->finding, &self->lighting };

  for (guint i = 0; i < G_N_ELEMENTS (work); i++)
    {
      if (*work[i] != NULL)
        es_latest_cancel (*work[i]);
      g_clear_object (work[i]);
    }
  g_clear_pointer (&self->bar, gtk_widget_unparent);
  if (self->canvas != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->canvas));
  self->canvas = NULL;
  g_clear_pointer (&self->density, es_density_unref);
  g_clear_object (&self->source);
  g_clear_object (&self->control);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_scatter_view_parent_class)->dispose (object);
}

static void
es_scatter_view_finalize (GObject *object)
{
  g_free (ES_SCATTER_VIEW (object)->detail);
  G_OBJECT_CLASS (es_scatter_view_parent_class)->finalize (object);
}

static void
es_scatter_view_class_init (EsScatterViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_scatter_view_get_property;
  object_class->dispose = es_scatter_view_dispose;
  object_class->finalize = es_scatter_view_finalize;
  widget_class->map = es_scatter_view_map;
  properties[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "scatterview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_scatter_view_init (EsScatterView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  GtkWidget *against = gtk_label_new ("×");

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  _es_scatter_view_make_work (self);

  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_add_css_class (self->bar, "scatter-bar");
  self->axes[0] = make_axis (self, _("Horizontal axis"), _("Horizontally"));
  self->axes[1] = make_axis (self, _("Vertical axis"), _("Vertically"));
  self->swap = make_button (self, "object-flip-horizontal-symbolic", _("Swap the axes"), G_CALLBACK (on_swap));
  gtk_widget_add_css_class (against, "dim-label");
  gtk_box_append (GTK_BOX (self->bar), self->axes[0]);
  gtk_box_append (GTK_BOX (self->bar), against);
  gtk_box_append (GTK_BOX (self->bar), self->axes[1]);
  gtk_box_append (GTK_BOX (self->bar), self->swap);
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));

  self->canvas = ES_SCATTER_CANVAS (es_scatter_canvas_new (280));
  gtk_widget_set_vexpand (GTK_WIDGET (self->canvas), TRUE);
  g_signal_connect_object (self->canvas, "lasso", G_CALLBACK (on_lasso), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (self->canvas), GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}
