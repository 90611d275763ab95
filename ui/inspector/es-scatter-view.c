/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scatter-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "statistics/es-density.h"
#include "widgets/es-export.h"
#include "widgets/es-latest.h"
#include "es-scatter-canvas.h"

/* Cells a side: in the column two pixels wide, or single ones would be lost. */
#define CELLS          128
#define CELLS_DETACHED ES_DENSITY_SIZE

/* What is counted: a density, the pixels of a lasso in it, or where the pixels of regions lie in it. */
typedef struct
{
  GObject    *planes;
  guint       x, y, cells;
  EsDensity  *density;
  double     *lasso;
  guint       n_lasso;
  guint       n_regions;
  EsRegion  **regions;
  GdkRGBA    *colors;
} Request;

/* A count a cell for each region. */
typedef struct
{
  guint     n;
  guint32 **counts;
} Points;

struct _EsScatterView
{
  GtkWidget        parent_instance;

  /* children */
  GtkWidget       *bar;
  GtkWidget       *axes[2];
  GtkWidget       *swap, *detach;
  EsScatterCanvas *canvas;

  EsDisplay       *display;
  EsRegionControl *control;
  EsPlaneSource   *source;       /* NULL: nothing that has two planes */
  guint            planes[2];
  EsDensity       *density;      /* of what is shown */
  EsRegion        *lassoed;      /* the selection, where it came from the lasso; not owned, only compared */
  EsLatest        *counting, *finding, *lighting;
  char            *detail;
  gboolean         updating;
  gboolean         detached;
};

enum { PROP_0, PROP_DETAIL, N_PROPS };
enum { DETACH, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsScatterView, es_scatter_view, GTK_TYPE_WIDGET)

static void
request_free (gpointer data)
{
  Request *request = data;

  g_clear_object (&request->planes);
  g_clear_pointer (&request->density, es_density_unref);
  for (guint i = 0; i < request->n_regions; i++)
    es_region_unref (request->regions[i]);
  g_free (request->regions);
  g_free (request->colors);
  g_free (request->lasso);
  g_free (request);
}

static void
points_free (gpointer data)
{
  Points *points = data;

  for (guint i = 0; i < points->n; i++)
    g_free (points->counts[i]);
  g_free (points->counts);
  g_free (points);
}

static void
set_detail (EsScatterView *self, char *detail)
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

static gboolean
is_seen (EsScatterView *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self));
}

/* ---- what is lit ---- */

static gpointer
find_points (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  Points *points = g_new0 (Points, 1);

  points->counts = g_new0 (guint32 *, request->n_regions);
  for (guint i = 0; i < request->n_regions; i++)
    {
      points->counts[i] = es_density_find_points (request->density, request->regions[i], cancellable, error);
      if (points->counts[i] == NULL)
        {
          points_free (points);
          return NULL;
        }
      points->n++;
    }
  return points;
}

static void
points_found (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsScatterView *self = ES_SCATTER_VIEW (user_data);
  Request *request = data;
  Points *points = answer;

  if (points != NULL && request->density == self->density)
    es_scatter_canvas_set_lit (self->canvas, points->n, (const guint32 *const *) points->counts, request->colors);
}

static void
light (EsScatterView *self)
{
  EsRegionSet *classes = es_region_control_get_classes (self->control);
  EsRegion *selection = es_region_control_get_selection (self->control);
  guint n = classes != NULL ? g_list_model_get_n_items (G_LIST_MODEL (classes)) : 0;
  Request *request;

  if (self->lassoed != selection)
    {
      self->lassoed = NULL;
      es_scatter_canvas_drop_lasso (self->canvas);
    }
  if (self->density == NULL || !is_seen (self))
    return;
  if (n == 0 && selection == NULL)
    {
      es_latest_cancel (self->lighting);
      es_scatter_canvas_set_lit (self->canvas, 0, NULL, NULL);
      return;
    }
  request = g_new0 (Request, 1);
  request->density = es_density_ref (self->density);
  request->regions = g_new (EsRegion *, n + 1);
  request->colors = g_new (GdkRGBA, n + 1);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (classes), i);

      request->regions[request->n_regions] = es_region_ref (es_named_region_get_region (region));
      request->colors[request->n_regions++] = es_region_control_rgba (es_named_region_get_colour (region));
    }
  if (selection != NULL)
    {
      request->regions[request->n_regions] = es_region_ref (selection);
      request->colors[request->n_regions++] = es_region_selection_color;
    }
  es_latest_submit (self->lighting, request);
}

/* ---- the density ---- */

static gpointer
count (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;

  return es_density_new (request->planes, request->x, request->y, request->cells, request->cells, cancellable, error);
}

static void
counted (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsScatterView *self = ES_SCATTER_VIEW (user_data);
  Request *request = data;
  EsDensity *density = answer;

  if (self->source == NULL || request->planes != es_plane_source_get_data (self->source)
      || request->x != self->planes[0] || request->y != self->planes[1])
    return;
  g_clear_pointer (&self->density, es_density_unref);
  if (density == NULL)
    {
      es_scatter_canvas_set_density (self->canvas, NULL);
      set_detail (self, g_strdup (error->message));
      return;
    }
  self->density = es_density_ref (density);
  es_scatter_canvas_set_density (self->canvas,
                                 &(EsScatterGrid) { density->width, density->height, density->counts,
                                                    density->x_minimum, density->x_maximum, density->y_minimum,
                                                    density->y_maximum });
  set_detail (self, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'llu pixel", "%'llu pixels",
                                                  (gulong) MIN (density->total, G_MAXUINT32)),
                                     (unsigned long long) density->total));
  light (self);
}

static void
set_axes (EsScatterView *self)
{
  EsPlot *plot = es_scatter_canvas_get_plot (self->canvas);
  const char *unit = es_plane_source_get_unit (self->source);
  g_autofree char *x = es_plane_source_get_plane_title (self->source, self->planes[0]);
  g_autofree char *y = es_plane_source_get_plane_title (self->source, self->planes[1]);
  g_autofree char *title = g_strdup_printf (_("%s against %s"), y, x);

  es_plot_set_title (plot, title);
  es_plot_set_x_axis (plot, x, unit);
  es_plot_set_y_axis (plot, y, unit, FALSE);
}

static guint
wanted_cells (EsScatterView *self)
{
  return self->detached ? CELLS_DETACHED : CELLS;
}

/* Counts what is to be shown, where it is not what is shown already and can be seen. */
static void
refresh (EsScatterView *self)
{
  Request *request;

  if (self->source == NULL || !is_seen (self))
    return;
  if (self->density != NULL && self->density->planes == es_plane_source_get_data (self->source)
      && self->density->x_plane == self->planes[0] && self->density->y_plane == self->planes[1]
      && self->density->width == wanted_cells (self))
    return;
  if (!es_plane_source_is_complete (self->source))
    return;
  set_axes (self);
  request = g_new0 (Request, 1);
  request->planes = g_object_ref (es_plane_source_get_data (self->source));
  request->x = self->planes[0];
  request->y = self->planes[1];
  request->cells = wanted_cells (self);
  es_latest_submit (self->counting, request);
}

/* ---- the lasso ---- */

static gpointer
find_pixels (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;

  return es_density_find_pixels (request->density, request->lasso, request->n_lasso, cancellable, error);
}

static void
pixels_found (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsScatterView *self = ES_SCATTER_VIEW (user_data);
  Request *request = data;

  if (request->density != self->density)
    return;
  if (answer == NULL)
    {
      es_export_report (GTK_WIDGET (self), error->message);
      return;
    }
  /* An empty one is not kept, and the lasso shows that it holds nothing. */
  self->lassoed = answer;
  es_region_control_set_selection (self->control, answer);
  self->lassoed = es_region_control_get_selection (self->control);
}

void
es_scatter_view_lasso (EsScatterView *self, const double *points, guint n)
{
  Request *request;

  g_return_if_fail (ES_IS_SCATTER_VIEW (self));

  if (n < 3)
    {
      es_region_control_set_selection (self->control, NULL);
      return;
    }
  if (self->density == NULL)
    return;
  request = g_new0 (Request, 1);
  request->density = es_density_ref (self->density);
  request->lasso = g_memdup2 (points, 2 * n * sizeof (double));
  request->n_lasso = n;
  es_latest_submit (self->finding, request);
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
}

static void
on_source_changed (EsScatterView *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
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
      set_detail (self, NULL);
      return;
    }
  /* A result in the place of another keeps what was chosen. */
  if (!(stack && stack_before) || MAX (self->planes[0], self->planes[1]) >= es_plane_source_get_n_planes (source))
    choose_planes (self);
  fill_axes (self);
  refresh (self);
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
      gtk_drop_down_set_selected (GTK_DROP_DOWN (self->axes[i]), planes[i]);
    }
  self->updating = FALSE;
  refresh (self);
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

static void
on_detach (EsScatterView *self)
{
  g_signal_emit (self, signals[DETACH], 0);
}

void
es_scatter_view_set_detached (EsScatterView *self, gboolean detached)
{
  g_return_if_fail (ES_IS_SCATTER_VIEW (self));

  self->detached = detached;
  gtk_widget_set_vexpand (GTK_WIDGET (self), detached);
  gtk_widget_set_vexpand (GTK_WIDGET (self->canvas), detached);
  gtk_button_set_icon_name (GTK_BUTTON (self->detach), detached ? "view-restore-symbolic" : "view-fullscreen-symbolic");
  gtk_widget_set_tooltip_text (self->detach, detached ? _("Back into the column") : _("In a window of its own"));
  refresh (self);
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
  g_signal_connect_object (control, "changed", G_CALLBACK (light), self, G_CONNECT_SWAPPED);
  on_source_changed (self);
  return GTK_WIDGET (self);
}

static void
es_scatter_view_map (GtkWidget *widget)
{
  EsScatterView *self = ES_SCATTER_VIEW (widget);

  GTK_WIDGET_CLASS (es_scatter_view_parent_class)->map (widget);
  refresh (self);
  light (self);
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
  signals[DETACH] = g_signal_new ("detach", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "scatterview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_scatter_view_init (EsScatterView *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  GtkWidget *against = gtk_label_new ("×");

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->counting = es_latest_new (count, request_free, (GDestroyNotify) es_density_unref, counted, self);
  self->finding = es_latest_new (find_pixels, request_free, (GDestroyNotify) es_region_unref, pixels_found, self);
  self->lighting = es_latest_new (find_points, request_free, points_free, points_found, self);

  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_widget_add_css_class (self->bar, "scatter-bar");
  self->axes[0] = make_axis (self, _("Horizontal axis"), _("Horizontally"));
  self->axes[1] = make_axis (self, _("Vertical axis"), _("Vertically"));
  self->swap = make_button (self, "object-flip-horizontal-symbolic", _("Swap the axes"), G_CALLBACK (on_swap));
  self->detach = make_button (self, "view-fullscreen-symbolic", _("In a window of its own"), G_CALLBACK (on_detach));
  gtk_widget_add_css_class (against, "dim-label");
  gtk_box_append (GTK_BOX (self->bar), self->axes[0]);
  gtk_box_append (GTK_BOX (self->bar), against);
  gtk_box_append (GTK_BOX (self->bar), self->axes[1]);
  gtk_box_append (GTK_BOX (self->bar), self->swap);
  gtk_box_append (GTK_BOX (self->bar), self->detach);
  gtk_widget_set_parent (self->bar, GTK_WIDGET (self));

  self->canvas = ES_SCATTER_CANVAS (es_scatter_canvas_new (280));
  g_signal_connect_object (self->canvas, "lasso", G_CALLBACK (on_lasso), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (self->canvas), GTK_WIDGET (self));
}
