/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scatter-view-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-export.h"

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

void
_es_scatter_view_light (EsScatterView *self)
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
      _es_scatter_view_set_detail (self, g_strdup (error->message));
      return;
    }
  self->density = es_density_ref (density);
  es_scatter_canvas_set_density (self->canvas,
                                 &(EsScatterGrid) { density->width, density->height, density->counts,
                                                    density->x_minimum, density->x_maximum, density->y_minimum,
                                                    density->y_maximum });
  _es_scatter_view_set_detail (self,
                               g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'llu pixel", "%'llu pixels",
                                                             (gulong) MIN (density->total, G_MAXUINT32)),
                                                (unsigned long long) density->total));
  _es_scatter_view_light (self);
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
void
_es_scatter_view_refresh (EsScatterView *self)
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

/* ---- all of them ---- */

void
_es_scatter_view_make_work (EsScatterView *self)
{
  self->counting = es_latest_new (count, request_free, (GDestroyNotify) es_density_unref, counted, self);
  self->finding = es_latest_new (find_pixels, request_free, (GDestroyNotify) es_region_unref, pixels_found, self);
  self->lighting = es_latest_new (find_points, request_free, points_free, points_found, self);
}
