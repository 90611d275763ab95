/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-faces-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define TURN  28                /* degrees to begin with */
#define ABOVE 32

enum { PROP_0, PROP_BUSY, N_PROPS };
enum { CHANGED, N_SIGNALS };
static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsFacesView, es_faces_view, GTK_TYPE_WIDGET)

/* ---- reading ---- */

static gboolean
is_wanted (EsFacesView *self, EsFace face)
{
  const EsFacesLook look = { self->turn, self->above, 1, 0, 0 };

  return es_faces_is_visible (&look, face);
}

static void
set_top (EsFacesView *self, EsFacesTop *top)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  /* A result of some other size does not lie on it. */
  if (source == NULL || es_picture_is_empty (self->picture)
      || es_plane_source_get_width (source) != es_cube_get_width (self->cube)
      || es_plane_source_get_height (source) != es_cube_get_height (self->cube)
      || !es_plane_source_is_complete (source))
    return;
  top->n = es_display_get_planes (self->display, top->planes);
  /* It is still being read. */
  if (top->n != es_picture_get_n_planes (self->picture))
    return;
  top->source = g_object_ref (source);
  top->curve = es_picture_get_curve (self->picture);
  top->colormap = es_picture_get_colormap (self->picture);
  for (guint i = 0; i < top->n; i++)
    {
      const EsPlaneStatistics *statistics = es_picture_get_statistics (self->picture, i);

      es_picture_get_stretch (self->picture, i, &top->low[i], &top->high[i]);
      if (es_stretch_counts (top->curve) && statistics != NULL)
        top->statistics[i] = g_memdup2 (statistics, sizeof *statistics);
    }
}

static void
update (EsFacesView *self)
{
  EsFacesRequest *request;

  if (self->cube == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  request = g_new0 (EsFacesRequest, 1);
  request->cube = g_object_ref (self->cube);
  request->order = es_band_order_ref (self->order);
  request->cut = self->cut;
  request->colormap = self->colormap;
  request->each = self->each;
  for (EsFace face = 0; face < ES_N_FACES; face++)
    request->wanted[face] = is_wanted (self, face);
  set_top (self, &request->top);
  es_faces_read_copy (&request->read, &self->read);
  es_latest_submit (self->reader, request);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
painted (gpointer data, gpointer made, const GError *error, gpointer user_data)
{
  EsFacesView *self = ES_FACES_VIEW (user_data);
  const EsFacesRequest *request = data;
  EsFacesAnswer *answer = made;

  g_clear_pointer (&self->message, g_free);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->message = g_strdup (error->message);
  if (answer != NULL && request->order == self->order)
    {
      EsFacesAnswer *taken = g_new (EsFacesAnswer, 1);

      /* The answer is freed by who asked: what it holds is taken out of it. */
      *taken = *answer;
      *answer = (EsFacesAnswer) { 0 };
      g_clear_pointer (&self->answer, es_faces_answer_free);
      self->answer = taken;
      es_faces_read_clear (&self->read);
      es_faces_read_copy (&self->read, &taken->read);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
forget (EsFacesView *self)
{
  es_latest_cancel (self->reader);
  g_clear_pointer (&self->answer, es_faces_answer_free);
  es_faces_read_clear (&self->read);
  g_clear_pointer (&self->order, es_band_order_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Other bands take part. */
static void
on_selection (EsFacesView *self)
{
  forget (self);
  self->order = es_band_order_new (self->cube, self->gaps);
  es_faces_view_show_all (self);
}

static void
es_faces_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  *minimum = 200;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 520;
}

/* ---- what is shown ---- */

void
es_faces_view_set_cube (EsFacesView *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (cube == self->cube)
    return;
  forget (self);
  g_clear_pointer (&self->message, g_free);
  g_set_object (&self->cube, cube);
  g_signal_group_set_target (self->cube_signals, cube);
  if (cube == NULL)
    {
      g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  self->order = es_band_order_new (cube, self->gaps);
  es_faces_view_show_all (self);
}

EsCube *
es_faces_view_get_cube (EsFacesView *self)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), NULL);
  return self->cube;
}

const EsBandOrder *
es_faces_view_get_order (EsFacesView *self)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), NULL);
  return self->order;
}

static void
hold (guint64 range[2], guint64 before[2], guint64 length)
{
  range[0] = MIN (range[0], length - 1);
  range[1] = MIN (range[1], length);
  /* Whichever end was moved stops at the other. */
  if (range[0] >= range[1])
    {
      if (range[1] != before[1])
        range[1] = range[0] + 1;
      else
        range[0] = range[1] - 1;
    }
}

void
es_faces_view_set_cut (EsFacesView *self, const EsFacesCut *cut)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->cube == NULL)
    return;
  EsFacesCut held = *cut, old = self->cut;
  guint64 bands[2] = { cut->band[0], cut->band[1] }, bands_before[2] = { old.band[0], old.band[1] };

  hold (held.x, old.x, es_cube_get_width (self->cube));
  hold (held.y, old.y, es_cube_get_height (self->cube));
  hold (bands, bands_before, self->order->n);
  for (guint i = 0; i < 2; i++)
    held.band[i] = (guint) bands[i];
  self->cut = held;
  update (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

EsFacesCut
es_faces_view_get_cut (EsFacesView *self)
{
  return self->cut;
}

void
es_faces_view_show_all (EsFacesView *self)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->cube == NULL)
    return;
  es_faces_view_set_cut (self, &(EsFacesCut) { { 0, es_cube_get_width (self->cube) },
                                               { 0, es_cube_get_height (self->cube) }, { 0, self->order->n } });
}

void
es_faces_view_set_colormap (EsFacesView *self, EsColormap colormap)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (colormap >= ES_N_COLORMAPS || self->colormap == colormap)
    return;
  self->colormap = colormap;
  update (self);
}

void
es_faces_view_set_each (EsFacesView *self, gboolean each)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->each == each)
    return;
  self->each = each;
  update (self);
}

void
es_faces_view_set_gaps (EsFacesView *self, gboolean gaps)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->gaps == gaps)
    return;
  self->gaps = gaps;
  if (self->cube != NULL)
    on_selection (self);
}

void
es_faces_view_set_look (EsFacesView *self, double turn, double above, double zoom)
{
  gboolean other = FALSE;

  g_return_if_fail (ES_IS_FACES_VIEW (self));

  self->turn = fmod (fmod (turn, 360) + 360, 360);
  self->above = CLAMP (above, -90, 90);
  self->zoom = CLAMP (zoom, 0.2, 20);
  /* Sides that come round are read then. */
  for (EsFace face = 0; face < ES_N_FACES; face++)
    other = other || (is_wanted (self, face) && (self->answer == NULL || self->answer->faces[face] == NULL));
  if (other)
    update (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_faces_view_get_look (EsFacesView *self, double *turn, double *above, double *zoom)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));
  *turn = self->turn;
  *above = self->above;
  *zoom = self->zoom;
}

void
es_faces_view_turn_back (EsFacesView *self)
{
  es_faces_view_set_look (self, TURN, ABOVE, 1);
}

gboolean
es_faces_view_is_busy (EsFacesView *self)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), FALSE);
  return es_latest_is_busy (self->reader);
}

GdkTexture *
es_faces_view_get_texture (EsFacesView *self, EsFace face)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), NULL);
  return self->answer != NULL && face < ES_N_FACES ? self->answer->faces[face] : NULL;
}

/* ---- the widget ---- */

GtkWidget *
es_faces_view_new (EsDisplay *display, EsPicture *picture)
{
  EsFacesView *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  g_return_val_if_fail (ES_IS_PICTURE (picture), NULL);

  self = g_object_new (ES_TYPE_FACES_VIEW, NULL);
  self->display = g_object_ref (display);
  self->picture = g_object_ref (picture);
  g_signal_connect_object (picture, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_faces_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, es_faces_view_is_busy (ES_FACES_VIEW (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_faces_view_dispose (GObject *object)
{
  EsFacesView *self = ES_FACES_VIEW (object);

  if (self->reader != NULL)
    forget (self);
  g_clear_object (&self->reader);
  g_clear_object (&self->cube_signals);
  g_clear_object (&self->cube);
  g_clear_object (&self->picture);
  g_clear_object (&self->display);
  g_clear_pointer (&self->message, g_free);
  G_OBJECT_CLASS (es_faces_view_parent_class)->dispose (object);
}

static void
es_faces_view_class_init (EsFacesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_faces_view_get_property;
  object_class->dispose = es_faces_view_dispose;
  widget_class->snapshot = _es_faces_view_snapshot;
  widget_class->measure = es_faces_view_measure;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "imageview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  _es_faces_view_bind_keys (widget_class);
}

static void
es_faces_view_init (EsFacesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  self->colormap = ES_COLORMAP_VIRIDIS;
  self->each = TRUE;
  self->turn = TURN;
  self->above = ABOVE;
  self->zoom = 1;
  self->pushed = ES_N_FACES;
  self->reader = es_latest_new (es_faces_paint, es_faces_request_free, es_faces_answer_free, painted, self);
  self->cube_signals = g_signal_group_new (ES_TYPE_CUBE);
  g_signal_group_connect_swapped (self->cube_signals, "notify::selection", G_CALLBACK (on_selection), self);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("The cube in three dimensions"), -1);
  _es_faces_view_add_input (self);
  g_signal_connect (self, "map", G_CALLBACK (update), NULL);
}
