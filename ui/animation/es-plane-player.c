/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-player.h"

#include <math.h>

#define USUAL_RATE 8

struct _EsPlanePlayer
{
  GObject        parent_instance;

  EsDisplay     *display;
  EsPlaneLoader *loader;

  gboolean       playing, back_and_forth, skip_bad;
  guint          rate;
  int            direction;      /* 1, or -1 on the way back */
  guint          tick;           /* of the main loop; 0: none */
  gint64         due;            /* when the next one is to be seen, µs */
  gboolean       stepping;       /* what changes is its own doing */
  gboolean       possible;
};

enum { PROP_0, PROP_PLAYING, PROP_RATE, PROP_BACK_AND_FORTH, PROP_SKIP_BAD, PROP_POSSIBLE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsPlanePlayer, es_plane_player, G_TYPE_OBJECT)

/* ---- the order ---- */

typedef struct
{
  guint  plane;
  double wavelength;
} Place;

/* Stable: bands of overlapping detectors of one wavelength, and those without one, stay as they are in the file. */
static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *first = a, *second = b;

  if (isfinite (first->wavelength) && isfinite (second->wavelength) && first->wavelength != second->wavelength)
    return first->wavelength < second->wavelength ? -1 : 1;
  return first->plane < second->plane ? -1 : 1;
}

static const double *
get_wavelengths (EsPlaneSource *source)
{
  EsCube *cube = es_plane_source_get_cube (source);

  return cube != NULL ? es_cube_get_wavelengths (cube)
                      : es_image_stack_get_wavelengths (es_plane_source_get_stack (source));
}

/* Of Place; at: where what is shown is in it. A bad band that is shown is part of it, to go on from. */
static GArray *
make_order (EsPlanePlayer *self, gboolean skip_bad, guint *at)
{
  EsPlaneSource *source = es_display_get_own_source (self->display);
  const guint n = source != NULL ? es_plane_source_get_n_planes (source) : 0;
  const guint shown = es_display_get_plane (self->display);
  const double *wavelengths = n > 0 ? get_wavelengths (source) : NULL;
  GArray *order = g_array_new (FALSE, FALSE, sizeof (Place));
  gboolean all = wavelengths != NULL;

  for (guint i = 0; i < n; i++)
    all = all && isfinite (wavelengths[i]);
  for (guint i = 0; i < n; i++)
    if (i == shown || !skip_bad || !es_plane_source_is_bad (source, i))
      {
        const Place place = { i, all ? wavelengths[i] : 0 };

        g_array_append_val (order, place);
      }
  g_array_sort (order, compare_places);
  *at = 0;
  for (guint i = 0; i < order->len; i++)
    if (g_array_index (order, Place, i).plane == shown)
      *at = i;
  return order;
}

/* The place behind one, and which way it goes on from there. */
static guint
next_of (EsPlanePlayer *self, guint n, guint at, int *direction)
{
  if (n < 2)
    return at;
  if (!self->back_and_forth)
    return (at + 1) % n;
  if (*direction > 0 ? at + 1 >= n : at == 0)
    *direction = -*direction;
  return *direction > 0 ? at + 1 : at - 1;
}

static void
show (EsPlanePlayer *self, guint plane)
{
  self->stepping = TRUE;
  es_display_set_plane (self->display, plane);
  self->stepping = FALSE;
}

/* ---- playing ---- */

static void
want_next (EsPlanePlayer *self, GArray *order, guint at)
{
  guint planes[ES_PLANE_LOADER_AHEAD], n = 0;
  int direction = self->direction;

  for (; n < ES_PLANE_LOADER_AHEAD && n + 1 < order->len; n++)
    {
      at = next_of (self, order->len, at, &direction);
      planes[n] = g_array_index (order, Place, at).plane;
    }
  es_plane_loader_ahead (self->loader, es_display_get_own_source (self->display), n, planes);
}

static gboolean on_tick (gpointer data);

static void
wait_for_due (EsPlanePlayer *self)
{
  const gint64 now = g_get_monotonic_time ();

  if (self->playing && self->tick == 0)
    self->tick = g_timeout_add (self->due > now ? (guint) ((self->due - now) / 1000) : 0, on_tick, self);
}

static gboolean
on_tick (gpointer data)
{
  EsPlanePlayer *self = ES_PLANE_PLAYER (data);
  EsPlaneSource *source = es_display_get_own_source (self->display);
  const gint64 now = g_get_monotonic_time (), period = G_USEC_PER_SEC / self->rate;
  g_autoptr (GArray) order = NULL;
  int direction = self->direction;
  guint at, next;

  self->tick = 0;
  order = make_order (self, self->skip_bad, &at);
  if (order->len < 2)
    {
      g_object_set (self, "playing", FALSE, NULL);
      return G_SOURCE_REMOVE;
    }
  next = next_of (self, order->len, at, &direction);
  /* It comes when it has been read; the one before it stays until then. */
  if (es_plane_loader_is_busy (self->loader)
      || !es_plane_loader_is_ready (self->loader, source, g_array_index (order, Place, next).plane))
    {
      want_next (self, order, at);
      return G_SOURCE_REMOVE;
    }
  self->direction = direction;
  /* Steady as long as it keeps up; what is late is not made up for. */
  self->due = self->due + period > now ? self->due + period : now + period;
  show (self, g_array_index (order, Place, next).plane);
  want_next (self, order, next);
  wait_for_due (self);
  return G_SOURCE_REMOVE;
}

/* What is waited for may have come, or has failed and is asked for, so that the picture says why. */
static void
on_ready (EsPlanePlayer *self)
{
  wait_for_due (self);
}

static void
set_playing (EsPlanePlayer *self, gboolean playing)
{
  playing = playing && self->possible;
  if (self->playing == playing)
    return;
  self->playing = playing;
  g_clear_handle_id (&self->tick, g_source_remove);
  if (playing)
    {
      guint at;
      g_autoptr (GArray) order = make_order (self, self->skip_bad, &at);

      self->direction = 1;
      self->due = g_get_monotonic_time () + G_USEC_PER_SEC / self->rate;
      want_next (self, order, at);
      wait_for_due (self);
    }
  else
    es_plane_loader_ahead (self->loader, NULL, 0, NULL);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYING]);
}

/* Another choice, or another source: what a person wants to see stays. */
static void
on_changed (EsPlanePlayer *self)
{
  EsPlaneSource *source = es_display_get_own_source (self->display);
  gboolean possible = source != NULL && !es_display_get_composite (self->display)
                      && es_plane_source_get_n_planes (source) > 1;

  if (self->stepping)
    return;
  set_playing (self, FALSE);
  if (self->possible == possible)
    return;
  self->possible = possible;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_POSSIBLE]);
}

/* Who goes there by hand may want to see a bad one. */
void
es_plane_player_step (EsPlanePlayer *self, int planes)
{
  g_autoptr (GArray) order = NULL;
  guint at;

  g_return_if_fail (ES_IS_PLANE_PLAYER (self));

  set_playing (self, FALSE);
  if (!self->possible)
    return;
  order = make_order (self, FALSE, &at);
  es_display_set_plane (self->display,
                        g_array_index (order, Place, CLAMP ((gint64) at + planes, 0, (gint64) order->len - 1)).plane);
}

void
es_plane_player_end (EsPlanePlayer *self, gboolean last)
{
  g_autoptr (GArray) order = NULL;
  guint at;

  g_return_if_fail (ES_IS_PLANE_PLAYER (self));

  set_playing (self, FALSE);
  if (!self->possible)
    return;
  order = make_order (self, FALSE, &at);
  es_display_set_plane (self->display, g_array_index (order, Place, last ? order->len - 1 : 0).plane);
}

EsPlanePlayer *
es_plane_player_new (EsDisplay *display, EsPlaneLoader *loader)
{
  EsPlanePlayer *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  g_return_val_if_fail (ES_IS_PLANE_LOADER (loader), NULL);

  self = g_object_new (ES_TYPE_PLANE_PLAYER, NULL);
  self->display = g_object_ref (display);
  self->loader = g_object_ref (loader);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loader, "ready-ahead", G_CALLBACK (on_ready), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (loader, "notify::busy", G_CALLBACK (on_ready), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return self;
}

static void
es_plane_player_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsPlanePlayer *self = ES_PLANE_PLAYER (object);

  switch (id)
    {
    case PROP_PLAYING:
      g_value_set_boolean (value, self->playing);
      break;
    case PROP_RATE:
      g_value_set_uint (value, self->rate);
      break;
    case PROP_BACK_AND_FORTH:
      g_value_set_boolean (value, self->back_and_forth);
      break;
    case PROP_SKIP_BAD:
      g_value_set_boolean (value, self->skip_bad);
      break;
    case PROP_POSSIBLE:
      g_value_set_boolean (value, self->possible);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_plane_player_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsPlanePlayer *self = ES_PLANE_PLAYER (object);

  switch (id)
    {
    case PROP_PLAYING:
      set_playing (self, g_value_get_boolean (value));
      return;
    case PROP_RATE:
      self->rate = g_value_get_uint (value);
      break;
    case PROP_BACK_AND_FORTH:
      self->back_and_forth = g_value_get_boolean (value);
      self->direction = 1;
      break;
    case PROP_SKIP_BAD:
      self->skip_bad = g_value_get_boolean (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      return;
    }
  g_object_notify_by_pspec (object, pspec);
}

static void
es_plane_player_dispose (GObject *object)
{
  EsPlanePlayer *self = ES_PLANE_PLAYER (object);

  g_clear_handle_id (&self->tick, g_source_remove);
  self->playing = FALSE;
  g_clear_object (&self->display);
  g_clear_object (&self->loader);
  G_OBJECT_CLASS (es_plane_player_parent_class)->dispose (object);
}

static void
es_plane_player_class_init (EsPlanePlayerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = es_plane_player_get_property;
  object_class->set_property = es_plane_player_set_property;
  object_class->dispose = es_plane_player_dispose;
  properties[PROP_PLAYING] = g_param_spec_boolean ("playing", NULL, NULL, FALSE, flags);
  properties[PROP_RATE] = g_param_spec_uint ("rate", NULL, NULL, 1, ES_PLANE_PLAYER_MOST_RATE, USUAL_RATE, flags);
  properties[PROP_BACK_AND_FORTH] = g_param_spec_boolean ("back-and-forth", NULL, NULL, FALSE, flags);
  properties[PROP_SKIP_BAD] = g_param_spec_boolean ("skip-bad", NULL, NULL, TRUE, flags);
  properties[PROP_POSSIBLE] = g_param_spec_boolean ("possible", NULL, NULL, FALSE,
                                                    G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_plane_player_init (EsPlanePlayer *self)
{
  self->rate = USUAL_RATE;
  self->skip_bad = TRUE;
  self->direction = 1;
}
