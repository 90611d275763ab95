/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-profile-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "faces/es-cube-face.h"
#include "widgets/es-format.h"

/* Pixels of the screen round the line within which the pointer in the picture is a place of it. */
#define NEAR_LINE 24
/* From so many metres on the axis counts kilometres. */
#define LONG_LINE 10000

typedef struct
{
  EsPlaneSource *source;
  EsCube        *cube;           /* nullable */
  guint          n, planes[3];
  EsProfileLine *line;
  EsProfileKind  kind;
  gboolean       all;            /* bands of the cube, instead of the planes */
} Request;

typedef struct
{
  EsProfile      *profile;
  EsProfileBands *bands;         /* nullable */
  GStrv           titles;        /* of the planes of the profile */
} Answer;

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsProfilePane, es_profile_pane, GTK_TYPE_WIDGET)

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->source);
  g_clear_object (&request->cube);
  es_profile_line_free (request->line);
  g_free (request);
}

static void
answer_free (gpointer data)
{
  Answer *answer = data;

  es_profile_free (answer->profile);
  _es_profile_bands_free (answer->bands);
  g_strfreev (answer->titles);
  g_free (answer);
}

static Answer *
answer_new (EsProfile *profile, EsProfileBands *bands, EsPlaneSource *source, const guint *planes)
{
  Answer *answer = g_new0 (Answer, 1);

  answer->profile = profile;
  answer->bands = bands;
  answer->titles = g_new0 (char *, profile->n_planes + 1);
  for (guint i = 0; i < profile->n_planes; i++)
    answer->titles[i] = es_plane_source_get_plane_title (source, planes[i]);
  return answer;
}

/* All of them that take part, in order of wavelength. */
static gpointer
read_bands (const Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsBandOrder) order = es_band_order_new (request->cube, FALSE);
  const double *wavelengths = es_cube_get_wavelengths (request->cube);
  g_autofree double *x = g_new (double, order->n);
  EsProfile *profile = es_profile_of_cube (request->line, request->cube, order->n, order->bands, cancellable, error);

  for (guint i = 0; i < order->n; i++)
    x[i] = wavelengths != NULL ? wavelengths[order->bands[i]] : order->bands[i] + 1.;
  if (profile == NULL)
    return NULL;
  g_autoptr (EsPlaneSource) source = es_plane_source_new_for_cube (request->cube);
  return answer_new (profile, _es_profile_bands_new (profile, order->n, x), source, order->bands);
}

gboolean
_es_profile_is_mixed (EsPlaneSource *source, guint n, const guint *planes)
{
  for (guint i = 0; i < n; i++)
    if (planes[i] >= es_plane_source_get_n_planes (source))
      return TRUE;
  return FALSE;
}

static EsProfile *
read_planes (const Request *request, EsPlaneSource *source, guint n, const guint *planes, GCancellable *cancellable,
             GError **error)
{
  EsCube *cube = es_plane_source_get_cube (source);

  if (cube != NULL)
    return es_profile_of_cube (request->line, cube, n, planes, cancellable, error);
  return es_profile_of_stack (request->line, es_plane_source_get_stack (source), request->cube, n, planes, cancellable,
                              error);
}

/* A composite may have planes of several results: each is read where it is. */
static EsProfile *
read_channels (const Request *request, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsProfile) all = NULL;

  for (guint i = 0; i < request->n; i++)
    {
      guint plane;
      EsPlaneSource *source = es_plane_source_resolve (request->source, request->planes[i], &plane);
      g_autoptr (EsProfile) one = read_planes (request, source, 1, &plane, cancellable, error);

      if (one == NULL)
        return NULL;
      if (all == NULL)
        {
          all = g_steal_pointer (&one);
          all->values = g_renew (double, all->values, (gsize) request->n * all->n);
          continue;
        }
      memcpy (all->values + (gsize) i * all->n, one->values, all->n * sizeof *all->values);
      all->n_planes++;
      if (all->metres == NULL)
        all->metres = g_steal_pointer (&one->metres);
    }
  return g_steal_pointer (&all);
}

static gpointer
read_profile (gpointer data, GCancellable *cancellable, GError **error)
{
  const Request *request = data;
  EsProfile *profile;

  if (request->all)
    return read_bands (request, cancellable, error);
  profile = _es_profile_is_mixed (request->source, request->n, request->planes)
    ? read_channels (request, cancellable, error)
    : read_planes (request, request->source, request->n, request->planes, cancellable, error);
  return profile != NULL ? answer_new (profile, NULL, request->source, request->planes) : NULL;
}

/* ---- drawing ---- */

/* In the unit of the axis. */
static double
distance_of (EsProfilePane *self, guint i)
{
  return self->in_metres ? self->profile->metres[i] / self->unit : self->profile->distances[i];
}

static void
draw_cursor (EsProfilePane *self)
{
  const double cursor = es_plot_get_cursor (self->plot);
  guint nearest = 0;

  if (self->image == NULL || isnan (cursor) || self->profile == NULL)
    {
      if (self->image != NULL)
        es_image_view_set_line_cursor (self->image, NAN, NAN);
      return;
    }
  for (guint i = 1; i < self->profile->n; i++)
    if (fabs (distance_of (self, i) - cursor)
        < fabs (distance_of (self, nearest) - cursor))
      nearest = i;
  es_image_view_set_line_cursor (self->image, self->profile->places[nearest].x + 0.5,
                                 self->profile->places[nearest].y + 0.5);
}

static void
draw_line (EsProfilePane *self)
{
  /* One that is being drawn is ahead of what is read along it. */
  const EsProfileLine *line = self->kind == ES_PROFILE_LINE ? self->line : self->of;
  g_autofree double *places = NULL;

  if (self->image == NULL)
    return;
  if (line == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      es_image_view_set_line (self->image, 0, NULL, FALSE);
      return;
    }
  places = g_new (double, 2 * line->n);
  for (guint i = 0; i < line->n; i++)
    {
      places[2 * i] = line->places[i].x + 0.5;
      places[2 * i + 1] = line->places[i].y + 0.5;
    }
  es_image_view_set_line (self->image, line->n, places, self->kind == ES_PROFILE_LINE);
}

static char *
describe_sampling (EsProfilePane *self)
{
  g_autofree char *along = es_profile_pane_describe (self);
  GString *text = g_string_new (along);

  g_string_append (text, self->sampling == ES_PROFILE_NEAREST ? _(", nearest pixels") : _(", bilinear"));
  if (self->width > 1)
    /* TRANSLATORS: the mean of so many pixels across a line */
    g_string_append_printf (text, _(", mean of %u across"), self->width);
  return g_string_free (text, FALSE);
}

static void
set_axis (EsProfilePane *self)
{
  const EsProfile *profile = self->profile;
  const gboolean metres = self->metres && profile->metres != NULL;
  const double all = metres ? profile->metres[profile->n - 1] : 0;
  const char *title = self->kind == ES_PROFILE_ROW ? "x" : "y";

  if (metres || self->kind == ES_PROFILE_LINE)
    title = _("Distance");
  self->in_metres = metres;
  self->unit = metres && all >= LONG_LINE ? 1000 : 1;
  es_plot_set_x_axis (self->plot, title, metres ? all >= LONG_LINE ? "km" : "m" : _("pixels"));
}

/* Distance by wavelength. */
static void
draw_bands (EsProfilePane *self)
{
  const EsProfileBands *bands = self->bands;
  const guint last = self->profile->n - 1, columns = (guint) cairo_image_surface_get_width (bands->image);
  const double all = distance_of (self, last), half = columns > 1 ? all / (columns - 1) / 2 : 0.5;
  const gboolean wavelengths = self->cube != NULL && es_cube_get_wavelengths (self->cube) != NULL;
  g_autofree double *x = NULL;
  g_autofree double *y = NULL;
  g_autofree char *low = es_format_number (bands->low, bands->high - bands->low);
  g_autofree char *high = es_format_number (bands->high, bands->high - bands->low);
  /* TRANSLATORS: what the colours of a picture stand for: values, and their unit */
  g_autofree char *words = g_strdup_printf (_("Colours from %s to %s (%s)"), low, high,
                                            self->cube != NULL ? es_cube_name_unit (self->cube) : "");
  /* TRANSLATORS: the same where there is little room */
  g_autofree char *text = g_strdup_printf (_("Colours: %s to %s"), low, high);

  es_plot_set_y_axis (self->plot, wavelengths ? _("Wavelength") : _("Band"), wavelengths ? "nm" : NULL, FALSE);
  es_plot_set_image (self->plot, 0, bands->image, -half, all + half, bands->from, bands->to);
  /* All of it, and nothing below. */
  if (!es_plot_zoom_is_zoomed (ES_PLOT_VIEW (self->view)))
    es_plot_set_y_range (self->plot, bands->from, bands->to);
  /* A cursor goes from point to point: these are not seen. */
  x = g_new (double, columns);
  y = g_new (double, columns);
  for (guint i = 0; i < columns; i++)
    {
      x[i] = columns > 1 ? all * i / (columns - 1) : 0;
      y[i] = bands->from;
    }
  es_plot_set_series_color (self->plot, es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, columns, x, y),
                            &(GdkRGBA) { 0, 0, 0, 0 });
  gtk_label_set_text (GTK_LABEL (self->colors), text);
  gtk_widget_set_tooltip_text (self->colors, words);
}

void
_es_profile_pane_draw (EsProfilePane *self)
{
  static const GdkRGBA channel_colors[3] = {
    { 0.88f, 0.2f, 0.2f, 1 }, { 0.15f, 0.62f, 0.25f, 1 }, { 0.2f, 0.48f, 0.92f, 1 },
  };
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  EsPlaneSource *source = es_display_get_source (self->display);
  g_autofree double *x = NULL;
  g_autofree char *title = NULL, *words = NULL;
  guint planes[3], n = source != NULL ? es_display_get_planes (self->display, planes) : 0;
  const gboolean mixed = _es_profile_is_mixed (source, n, planes);

  es_plot_clear (self->plot);
  es_plot_set_image (self->plot, 0, NULL, 0, 0, 0, 0);
  es_plot_set_read_out (self->plot, self->bands == NULL);
  if (self->bands == NULL && !es_plot_zoom_is_zoomed (ES_PLOT_VIEW (self->view)))
    es_plot_set_y_range (self->plot, NAN, NAN);
  gtk_widget_set_visible (self->colors, self->bands != NULL);
  gtk_widget_set_visible (self->foot, self->profile != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "profile.copy-command",
                                 self->cube != NULL && (self->bands != NULL || (source != NULL && !mixed
                                 && es_plane_source_get_cube (source) != NULL)));
  gtk_widget_set_visible (self->hint, self->profile == NULL);
  gtk_widget_set_visible (self->view, self->profile != NULL);
  draw_line (self);
  if (self->profile == NULL || source == NULL)
    return;
  set_axis (self);
  if (self->bands != NULL)
    {
      draw_bands (self);
      words = describe_sampling (self);
      es_plot_set_title (self->plot, words);
      return;
    }
  x = g_new (double, self->profile->n);
  for (guint i = 0; i < self->profile->n; i++)
    x[i] = distance_of (self, i);
  n = MIN (n, self->profile->n_planes);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *plane = es_plane_source_get_plane_title (source, planes[i]);
      g_autofree char *name = n == 3 ? g_strdup_printf ("%s %s", letters[i], plane) : g_strdup (plane);
      const guint series = es_plot_add_series (self->plot, name, ES_PLOT_LINE, FALSE, self->profile->n, x,
                                               self->profile->values + (gsize) i * self->profile->n);

      if (n == 3)
        es_plot_set_series_color (self->plot, series, &channel_colors[i]);
      if (n == 1)
        title = g_strdup (plane);
    }
  es_plot_set_y_axis (self->plot, n == 1 ? title : _("Value"), mixed ? NULL : es_plane_source_get_unit (source), FALSE);
  words = describe_sampling (self);
  es_plot_set_title (self->plot, words);
}

/* ---- reading ---- */

static EsProfileLine *
make_line (EsProfilePane *self, EsPlaneSource *source)
{
  const double right = es_plane_source_get_width (source) - 1., bottom = es_plane_source_get_height (source) - 1.;
  const EsProfilePixel *pixel = self->selected.any ? &self->selected : &self->hovered;
  const gboolean row = self->kind == ES_PROFILE_ROW;
  const EsProfilePlace places[2] = { { row ? 0 : pixel->x, row ? pixel->y : 0 },
                                     { row ? right : pixel->x, row ? pixel->y : bottom } };
  EsProfileLine *line;

  if (self->kind != ES_PROFILE_LINE)
    return pixel->any && pixel->x <= right && pixel->y <= bottom
           ? es_profile_line_new (2, places, self->sampling, self->width) : NULL;
  /* One that was told of another picture. */
  if (self->line != NULL && !es_profile_line_check (self->line, (guint64) right + 1, (guint64) bottom + 1, NULL))
    {
      g_clear_pointer (&self->line, es_profile_line_free);
      _es_profile_pane_update_controls (self);
    }
  if ((line = es_profile_line_copy (self->line)) != NULL)
    {
      line->sampling = self->sampling;
      line->width = self->width;
    }
  return line;
}

static void
forget (EsProfilePane *self)
{
  es_latest_cancel (self->reader);
  g_clear_pointer (&self->profile, es_profile_free);
  g_clear_pointer (&self->bands, _es_profile_bands_free);
  g_clear_pointer (&self->of, es_profile_line_free);
}

/* In the place of the plot: what to do, or what went wrong. */
static void
tell (EsProfilePane *self, const char *sentence)
{
  g_autofree char *shown = sentence != NULL ? es_text_show_lines (sentence) : NULL;

  gtk_label_set_text (GTK_LABEL (self->hint),
                      shown != NULL ? shown : _("Click a pixel, or draw a line in the picture (L)."));
}

static void
profile_read (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsProfilePane *self = ES_PROFILE_PANE (user_data);
  Request *request = data;
  EsProfile *profile = answer != NULL ? ((Answer *) answer)->profile : NULL;

  /* Of another source it is answered by the next. */
  if (request->source != es_display_get_source (self->display) || request->kind != self->kind)
    return;
  if (self->of == NULL || self->of->n != request->line->n || request->all != (self->bands != NULL)
      || (self->profile != NULL && profile != NULL && self->profile->n != profile->n))
    es_plot_zoom_reset (ES_PLOT_VIEW (self->view));
  g_clear_pointer (&self->profile, es_profile_free);
  g_clear_pointer (&self->bands, _es_profile_bands_free);
  g_clear_pointer (&self->titles, g_strfreev);
  g_clear_pointer (&self->of, es_profile_line_free);
  if (profile != NULL)
    {
      /* The answer is freed by who asked: what it holds is taken out of it. */
      self->profile = g_steal_pointer (&((Answer *) answer)->profile);
      self->bands = g_steal_pointer (&((Answer *) answer)->bands);
      self->titles = g_steal_pointer (&((Answer *) answer)->titles);
      self->of = g_steal_pointer (&request->line);
      self->has_metres = self->profile->metres != NULL;
    }
  tell (self, error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ? error->message : NULL);
  _es_profile_pane_update_controls (self);
  _es_profile_pane_draw (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
_es_profile_pane_update (EsProfilePane *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  EsProfileLine *line = NULL;
  Request *request;

  /* What nobody sees is read when somebody does. */
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (source != NULL && es_plane_source_is_complete (source))
    line = make_line (self, source);
  if (line == NULL)
    {
      const gboolean any = self->profile != NULL;

      forget (self);
      tell (self, NULL);
      _es_profile_pane_draw (self);
      if (any)
        g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  request = g_new0 (Request, 1);
  request->source = g_object_ref (source);
  request->cube = self->cube != NULL ? g_object_ref (self->cube) : NULL;
  request->n = es_display_get_planes (self->display, request->planes);
  request->line = line;
  request->kind = self->kind;
  /* Of a result of some other size it would be another place. */
  request->all = self->all && self->cube != NULL && es_cube_get_width (self->cube) == es_plane_source_get_width (source)
                 && es_cube_get_height (self->cube) == es_plane_source_get_height (source);
  es_latest_submit (self->reader, request);
  if (self->kind == ES_PROFILE_LINE)
    draw_line (self);
}

static void
on_source_changed (EsProfilePane *self)
{
  forget (self);
  _es_profile_pane_update (self);
}

static void
on_unmap (EsProfilePane *self)
{
  if (self->image != NULL)
    es_image_view_set_line (self->image, 0, NULL, FALSE);
}

static void
on_map (EsProfilePane *self)
{
  draw_line (self);
  _es_profile_pane_update (self);
}

/* ---- the picture ---- */

/* In the middle of pixels: ends that can be told by whole numbers, and values that are in the file. */
static EsProfilePlace
snap (EsProfilePane *self, double x, double y)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  return (EsProfilePlace) { CLAMP (floor (x), 0, es_plane_source_get_width (source) - 1.),
                            CLAMP (floor (y), 0, es_plane_source_get_height (source) - 1.) };
}

static void
on_line_drawn (EsProfilePane *self, guint n, const double *drawn)
{
  g_autofree EsProfilePlace *places = NULL;
  g_autoptr (EsProfileLine) line = NULL;

  if (es_display_get_source (self->display) == NULL || n < 2)
    return;
  n = MIN (n, ES_PROFILE_MOST_PLACES);
  places = g_new (EsProfilePlace, n);
  for (guint i = 0; i < n; i++)
    places[i] = snap (self, drawn[2 * i], drawn[2 * i + 1]);
  line = es_profile_line_new (n, places, self->sampling, self->width);
  es_profile_pane_set_line (self, line);
}

static void
on_line_moved (EsProfilePane *self, guint which, double x, double y, gboolean final)
{
  g_autoptr (EsProfileLine) line = NULL;

  if (self->line == NULL || which >= self->line->n || es_display_get_source (self->display) == NULL)
    return;
  line = es_profile_line_copy (self->line);
  line->places[which] = snap (self, x, y);
  es_profile_pane_set_line (self, line);
}

void
es_profile_pane_set_image (EsProfilePane *self, EsImageView *image)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));
  g_return_if_fail (self->image == NULL);

  g_set_weak_pointer (&self->image, image);
  g_signal_connect_object (image, "line-drawn", G_CALLBACK (on_line_drawn), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (image, "line-moved", G_CALLBACK (on_line_moved), self, G_CONNECT_SWAPPED);
}

void
es_profile_pane_set_cube (EsProfilePane *self, EsCube *cube)
{
  /* The same scene, told something else, keeps the line. */
  const gboolean stays = self->cube != NULL && cube != NULL
                         && es_cube_get_original (self->cube) == es_cube_get_original (cube);

  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (!g_set_object (&self->cube, cube))
    return;
  forget (self);
  if (!stays)
    g_clear_pointer (&self->line, es_profile_line_free);
  self->selected.any = self->hovered.any = FALSE;
  self->has_metres = FALSE;
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
}

void
es_profile_pane_set_selected (EsProfilePane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  self->selected = (EsProfilePixel) { any, x, y };
  if (self->kind != ES_PROFILE_LINE)
    _es_profile_pane_update (self);
}

/* The cursor of the plot is where the pointer is in the picture: on a row or a column above or beside it, on a line
 * where it is near. */
static void
follow (EsProfilePane *self)
{
  double away = 0;
  guint i;

  if (!self->hovered.any)
    {
      es_plot_set_cursor (self->plot, NAN);
      return;
    }
  i = es_profile_find_nearest (self->profile, self->hovered.x, self->hovered.y, &away);
  if (self->kind == ES_PROFILE_LINE && self->image != NULL
      && away * es_image_view_get_zoom (self->image) / gtk_widget_get_scale_factor (GTK_WIDGET (self)) > NEAR_LINE)
    es_plot_set_cursor (self->plot, NAN);
  else
    es_plot_set_cursor (self->plot, distance_of (self, i));
}

void
es_profile_pane_set_hovered (EsProfilePane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  /* Once the pointer has left the picture, what it was over stays drawn. */
  if (!any && !self->selected.any && self->kind != ES_PROFILE_LINE)
    {
      es_plot_set_cursor (self->plot, NAN);
      return;
    }
  self->hovered = (EsProfilePixel) { any, x, y };
  if (!self->selected.any && self->kind != ES_PROFILE_LINE)
    _es_profile_pane_update (self);
  if (self->profile != NULL)
    follow (self);
}

/* ---- what it is along ---- */

void
es_profile_pane_set_kind (EsProfilePane *self, EsProfileKind kind)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));
  g_return_if_fail (kind < ES_N_PROFILE_KINDS);

  if (self->kind == kind)
    return;
  self->kind = kind;
  forget (self);
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

EsProfileKind
es_profile_pane_get_kind (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), ES_PROFILE_ROW);
  return self->kind;
}

void
es_profile_pane_set_line (EsProfilePane *self, const EsProfileLine *line)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (self->kind == ES_PROFILE_LINE && es_profile_line_equal (self->line, line))
    return;
  g_clear_pointer (&self->line, es_profile_line_free);
  self->line = es_profile_line_copy (line);
  if (self->kind != ES_PROFILE_LINE)
    forget (self);
  self->kind = ES_PROFILE_LINE;
  if (line != NULL)
    {
      self->sampling = line->sampling;
      self->width = line->width;
    }
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

const EsProfileLine *
es_profile_pane_get_line (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);
  return self->line;
}

const EsProfile *
es_profile_pane_get_profile (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);
  return self->profile;
}

EsPlot *
es_profile_pane_get_plot (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);
  return self->plot;
}

gboolean
es_profile_pane_is_loading (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), FALSE);
  return es_latest_is_busy (self->reader);
}

char *
es_profile_pane_describe (EsProfilePane *self)
{
  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);

  if (self->profile == NULL || self->of == NULL)
    return NULL;
  if (self->kind == ES_PROFILE_ROW)
    return g_strdup_printf (_("row y %.0f"), self->of->places[0].y);
  if (self->kind == ES_PROFILE_COLUMN)
    return g_strdup_printf (_("column x %.0f"), self->of->places[0].x);
  if (self->profile->metres == NULL)
    return g_strdup_printf (_("line of %.1f pixels"), self->profile->distances[self->profile->n - 1]);
  const double metres = self->profile->metres[self->profile->n - 1];
  if (metres < LONG_LINE)
    return g_strdup_printf (_("line of %.1f pixels, %.4g m"), self->profile->distances[self->profile->n - 1], metres);
  return g_strdup_printf (_("line of %.1f pixels, %.4g km"), self->profile->distances[self->profile->n - 1],
                          metres / 1000);
}

/* ---- the widget ---- */

GtkWidget *
es_profile_pane_new (EsDisplay *display)
{
  EsProfilePane *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_PROFILE_PANE, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (_es_profile_pane_update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_profile_pane_dispose (GObject *object)
{
  EsProfilePane *self = ES_PROFILE_PANE (object);

  if (self->reader != NULL)
    es_latest_cancel (self->reader);
  g_clear_object (&self->reader);
  g_clear_pointer (&self->controls, gtk_widget_unparent);
  g_clear_pointer (&self->hint, gtk_widget_unparent);
  g_clear_pointer (&self->view, gtk_widget_unparent);
  g_clear_pointer (&self->foot, gtk_widget_unparent);
  g_clear_pointer (&self->titles, g_strfreev);
  g_clear_pointer (&self->bands, _es_profile_bands_free);
  g_clear_pointer (&self->profile, es_profile_free);
  g_clear_pointer (&self->of, es_profile_line_free);
  g_clear_pointer (&self->line, es_profile_line_free);
  g_clear_weak_pointer (&self->image);
  g_clear_object (&self->plot);
  g_clear_object (&self->cube);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_profile_pane_parent_class)->dispose (object);
}

static void
es_profile_pane_class_init (EsProfilePaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_profile_pane_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  _es_profile_pane_install_actions (GTK_WIDGET_CLASS (klass));
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "profilepane");
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
es_profile_pane_init (EsProfilePane *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (gtk_widget_get_layout_manager (widget)), GTK_ORIENTATION_VERTICAL);
  self->width = 1;
  self->unit = 1;
  self->plot = es_plot_new ();
  self->reader = es_latest_new (read_profile, request_free, answer_free, profile_read, self);
  _es_profile_pane_make_controls (self);
  gtk_widget_set_parent (self->controls, widget);
  self->hint = gtk_label_new (NULL);
  tell (self, NULL);
  gtk_label_set_wrap (GTK_LABEL (self->hint), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->hint), 0);
  gtk_widget_add_css_class (self->hint, "dim-label");
  gtk_widget_add_css_class (self->hint, "pane-margins");
  gtk_widget_set_parent (self->hint, widget);
  self->view = es_plot_view_new (self->plot, 180);
  es_plot_zoom_add (ES_PLOT_VIEW (self->view));
  gtk_widget_set_visible (self->view, FALSE);
  gtk_widget_set_vexpand (self->view, TRUE);
  gtk_widget_set_parent (self->view, widget);
  self->colors = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->colors), 0);
  gtk_widget_add_css_class (self->colors, "caption");
  gtk_widget_add_css_class (self->colors, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->colors), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (self->colors, TRUE);
  gtk_widget_set_visible (self->colors, FALSE);
  self->save = gtk_button_new_with_mnemonic (_("Save as _CSV…"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->save), "profile.save-csv");
  gtk_widget_set_tooltip_text (self->save, _("Distances, places and values as a table"));
  gtk_widget_add_css_class (self->save, "pane-button");
  self->command = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->command), "profile.copy-command");
  gtk_widget_set_tooltip_text (self->command, _("Copy as command: the line for eigenscope-batch that takes it again"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->command), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy as command"),
                                  -1);
  gtk_widget_add_css_class (self->command, "pane-button");
  gtk_widget_set_hexpand (self->command, TRUE);
  gtk_widget_set_halign (self->command, GTK_ALIGN_END);
  self->foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class (self->foot, "pane-margins");
  gtk_widget_set_visible (self->foot, FALSE);
  gtk_box_append (GTK_BOX (self->foot), self->colors);
  gtk_box_append (GTK_BOX (self->foot), self->command);
  gtk_box_append (GTK_BOX (self->foot), self->save);
  gtk_widget_set_parent (self->foot, widget);
  g_signal_connect_object (self->plot, "changed", G_CALLBACK (draw_cursor), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (on_unmap), NULL);
}
