/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-detail.h"

#include <math.h>

#include "es-detail-assemble-private.h"
#include "es-level-keeper.h"
#include "es-tile-pool.h"
#include "pyramid/es-level-read.h"
#include "widgets/es-latest.h"

/* Samples beyond what is in view, so that not every step of a pan is one out of what is there. */
#define MARGIN        128
/* The most samples of a plane that are put together: what is more is shown a level coarser. */
#define MOST_SAMPLES  (24.0 * 1024 * 1024)
/* ms between two pictures of tiles that are still coming */
#define INTERVAL      50
/* Behind all that is in view. */
#define AHEAD         1e9

struct _EsDetail
{
  GObject         parent_instance;

  EsImageView    *view;        /* borrowed: it goes with its signals */
  EsTileQueue    *queue;
  EsLatest       *assembler;
  guint           assemble_later;

  guint64         epoch;       /* which planes */
  EsPlaneSource  *source;      /* NULL: no detail */
  guint           n_planes, planes[3];
  EsPlane        *whole[3];
  guint           whole_step;
  gboolean        failed;

  gboolean        any;         /* something is in view, and needs it */
  EsDetailWindow  window;
  gboolean        complete;    /* its tiles are all there, and their neighbours asked for */
  gboolean        shown;       /* complete on the screen */
};

enum { CHANGED, FAILED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsDetail, es_detail, G_TYPE_OBJECT)

/* ---- what is wanted ---- */

/* The tiles from which to which a stretch of samples reaches. FALSE: it lies beside the picture. */
static gboolean
find_tiles (double from, double to, guint64 length, guint *first, guint *n)
{
  const double begin = MAX (floor (from) - MARGIN, 0), end = MIN (ceil (to) + MARGIN, (double) length);

  if (from >= length || to <= 0 || end <= begin)
    return FALSE;
  *first = (guint) (begin / ES_TILE_SIDE);
  *n = (guint) ((end - 1) / ES_TILE_SIDE) + 1 - *first;
  return TRUE;
}

static gboolean
find_at_level (EsDetail *self, guint level, const EsViewport *viewport, double width, double height,
               EsDetailWindow *window)
{
  const double step = (double) ((guint64) 1 << level);

  window->level = level;
  window->level_width = es_level_length (es_plane_source_get_width (self->source), level);
  window->level_height = es_level_length (es_plane_source_get_height (self->source), level);
  return find_tiles (viewport->left / step, (viewport->left + width / viewport->zoom) / step, window->level_width,
                     &window->x, &window->across)
         && find_tiles (viewport->top / step, (viewport->top + height / viewport->zoom) / step, window->level_height,
                        &window->y, &window->down);
}

/* FALSE: the planes of the whole are as fine as the view. */
static gboolean
find_window (EsDetail *self, EsDetailWindow *window)
{
  const double scale = gtk_widget_get_scale_factor (GTK_WIDGET (self->view));
  const double width = scale * gtk_widget_get_width (GTK_WIDGET (self->view));
  const double height = scale * gtk_widget_get_height (GTK_WIDGET (self->view));
  EsViewport viewport;
  guint level = 0;

  if (self->source == NULL || width <= 0 || height <= 0 || !gtk_widget_get_mapped (GTK_WIDGET (self->view)))
    return FALSE;
  es_image_view_get_viewport (self->view, &viewport);
  /* At least a sample and less than two a device pixel: as the levels of whole pictures are chosen. */
  while (level < ES_LEVEL_LAST && viewport.zoom * (2 << level) <= 1)
    level++;
  for (; level <= ES_LEVEL_LAST && ((guint64) 1 << level) < self->whole_step; level++)
    {
      if (!find_at_level (self, level, &viewport, width, height, window))
        return FALSE;
      if ((double) window->across * window->down * ES_TILE_SIDE * ES_TILE_SIDE <= MOST_SAMPLES)
        return TRUE;
    }
  return FALSE;
}

/* of: what the plane is of, which may be lent to the source that is shown; nullable. */
static EsTileKey
make_key (EsDetail *self, guint plane, guint level, guint x, guint y, EsPlaneSource **of)
{
  guint its = 0;
  EsPlaneSource *source = es_plane_source_resolve (self->source, self->planes[plane], &its);

  if (of != NULL)
    *of = source;
  return (EsTileKey) { es_tile_cache_name (es_plane_source_get_data (source)), its, level, x, y };
}

/* Where it is not there yet. */
static void
ask_for (EsDetail *self, guint plane, guint x, guint y, double distance)
{
  EsPlaneSource *of;
  const EsTileKey key = make_key (self, plane, self->window.level, x, y, &of);
  g_autoptr (GBytes) there = es_tile_cache_find (&key);

  if (there == NULL)
    es_tile_queue_ask (self->queue, of, &key, distance);
}

/* The tile, or else the nearest coarser one that covers it. */
static void
look_up (EsDetail *self, guint plane, guint x, guint y, EsDetailTile *tile)
{
  for (guint level = self->window.level; ((guint64) 1 << level) < self->whole_step; level++)
    {
      const guint up = level - self->window.level;
      const EsTileKey key = make_key (self, plane, level, x >> up, y >> up, NULL);

      tile->samples = es_tile_cache_find (&key);
      tile->level = level;
      if (tile->samples != NULL)
        return;
    }
}

static double
distance_from_middle (const EsDetailWindow *window, double x, double y)
{
  const double dx = x + 0.5 - (window->x + window->across / 2.), dy = y + 0.5 - (window->y + window->down / 2.);

  return dx * dx + dy * dy;
}

/* ---- putting together ---- */

static EsDetailWork *
make_work (EsDetail *self, guint *n_there)
{
  const EsDetailWindow *window = &self->window;
  EsDetailWork *work = _es_detail_work_new (window, self->n_planes);
  EsDetailTile *tile = work->tiles;
  guint n_exact = 0, n = self->n_planes * window->across * window->down;

  *n_there = 0;
  for (guint plane = 0; plane < self->n_planes; plane++)
    for (guint y = window->y; y < window->y + window->down; y++)
      for (guint x = window->x; x < window->x + window->across; x++, tile++)
        {
          look_up (self, plane, x, y, tile);
          *n_there += tile->samples != NULL;
          n_exact += tile->samples != NULL && tile->level == window->level;
        }
  work->epoch = self->epoch;
  work->complete = n_exact == n;
  work->whole_step = self->whole_step;
  for (guint i = 0; i < self->n_planes; i++)
    work->whole[i] = es_plane_ref (self->whole[i]);
  return work;
}

/* Neighbours of what is in view, for the next step of a pan. */
static void
read_ahead (EsDetail *self)
{
  const EsDetailWindow *window = &self->window;
  const gint64 last_x = (gint64) ((window->level_width - 1) / ES_TILE_SIDE);
  const gint64 last_y = (gint64) ((window->level_height - 1) / ES_TILE_SIDE);

  for (gint64 y = (gint64) window->y - 1; y <= (gint64) window->y + window->down; y++)
    for (gint64 x = (gint64) window->x - 1; x <= (gint64) window->x + window->across; x++)
      {
        const gboolean inside = x >= window->x && x < (gint64) window->x + window->across && y >= window->y
                                && y < (gint64) window->y + window->down;

        if (inside || x < 0 || y < 0 || x > last_x || y > last_y)
          continue;
        for (guint plane = 0; plane < self->n_planes; plane++)
          ask_for (self, plane, (guint) x, (guint) y, AHEAD + distance_from_middle (window, x, y));
      }
}

static void
assemble (EsDetail *self)
{
  guint n_there;
  EsDetailWork *work;

  g_clear_handle_id (&self->assemble_later, g_source_remove);
  if (!self->any)
    return;
  work = make_work (self, &n_there);
  if (work->complete && !self->complete)
    {
      self->complete = TRUE;
      read_ahead (self);
    }
  if (n_there > 0)
    es_latest_submit (self->assembler, work);
  else
    _es_detail_work_free (work);
}

static gboolean
on_assemble_later (gpointer data)
{
  EsDetail *self = data;

  self->assemble_later = 0;
  assemble (self);
  return G_SOURCE_REMOVE;
}

static void
on_assembled (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  EsDetail *self = user_data;
  EsPicture *picture = es_image_view_get_picture (self->view);
  EsDetailWork *work = answer;

  if (work == NULL || work->epoch != self->epoch || !self->any)
    return;
  self->shown = work->complete && self->complete && work->window.level == self->window.level
                && work->window.x == self->window.x && work->window.y == self->window.y;
  es_picture_set_detail (picture, work->n_planes, work->parts, 1u << work->window.level,
                         (work->window.x * ES_TILE_SIDE) << work->window.level,
                         (work->window.y * ES_TILE_SIDE) << work->window.level, work->complete);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_tiles_came (const GError *error, gpointer user_data)
{
  EsDetail *self = user_data;

  if (error != NULL && !self->failed && self->source != NULL)
    {
      self->failed = TRUE;
      es_tile_queue_clear (self->queue);
      g_signal_emit (self, signals[FAILED], 0, error);
    }
  if (self->any && !self->complete && self->assemble_later == 0)
    self->assemble_later = g_timeout_add (INTERVAL, on_assemble_later, self);
}

/* ---- following ---- */

static void
ask (EsDetail *self)
{
  const EsDetailWindow *window = &self->window;

  es_tile_queue_clear (self->queue);
  for (guint plane = 0; plane < self->n_planes; plane++)
    for (guint y = window->y; y < window->y + window->down; y++)
      for (guint x = window->x; x < window->x + window->across; x++)
        ask_for (self, plane, x, y, distance_from_middle (window, x, y));
}

static gboolean
is_same (const EsDetailWindow *one, const EsDetailWindow *other)
{
  return one->level == other->level && one->x == other->x && one->y == other->y && one->across == other->across
         && one->down == other->down;
}

static void
follow (EsDetail *self)
{
  EsDetailWindow window;

  if (self->failed)
    return;
  if (!find_window (self, &window))
    {
      if (!self->any)
        return;
      self->any = FALSE;
      es_tile_queue_clear (self->queue);
      es_latest_cancel (self->assembler);
      g_clear_handle_id (&self->assemble_later, g_source_remove);
      es_picture_set_detail (es_image_view_get_picture (self->view), 0, NULL, 1, 0, 0, FALSE);
      return;
    }
  if (self->any && is_same (&window, &self->window))
    return;
  self->any = TRUE;
  self->window = window;
  self->complete = self->shown = FALSE;
  ask (self);
  assemble (self);
}

static void
on_unmap (EsDetail *self)
{
  /* It is unmapped after this signal. */
  self->any = FALSE;
  es_tile_queue_clear (self->queue);
}

/* Other planes than these, or none: what it was the detail of is not kept, and a file that is closed not held open. */
static void
on_picture_changed (EsDetail *self, EsPicture *picture)
{
  if (self->source != NULL
      && (es_picture_is_empty (picture) || es_picture_get_plane (picture, 0) != self->whole[0]))
    {
      if (es_picture_is_empty (picture))
        es_level_keeper_drop (es_level_keeper_get (), self->source);
      es_detail_set_planes (self, NULL);
    }
}

void
es_detail_set_planes (EsDetail *self, const EsPlaneSet *set)
{
  g_return_if_fail (ES_IS_DETAIL (self));

  es_tile_queue_clear (self->queue);
  es_latest_cancel (self->assembler);
  g_clear_handle_id (&self->assemble_later, g_source_remove);
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&self->whole[i], es_plane_unref);
  self->epoch++;
  self->any = self->failed = FALSE;
  g_clear_object (&self->source);
  if (set == NULL || set->step == 1 || !set->complete)
    return;

  self->source = g_object_ref (set->source);
  self->n_planes = set->n_planes;
  self->whole_step = set->step;
  for (guint i = 0; i < set->n_planes; i++)
    {
      self->planes[i] = set->planes[i];
      self->whole[i] = es_plane_ref (set->ready[i]);
    }
  es_level_keeper_want (es_level_keeper_get (), set->source, set->n_planes, set->planes,
                        g_bit_storage (set->step) - 1);
  follow (self);
}

gboolean
es_detail_is_busy (EsDetail *self)
{
  g_return_val_if_fail (ES_IS_DETAIL (self), FALSE);
  return self->any && !self->shown && !self->failed;
}

EsDetail *
es_detail_new (EsImageView *view)
{
  EsDetail *self;

  g_return_val_if_fail (ES_IS_IMAGE_VIEW (view), NULL);

  self = g_object_new (ES_TYPE_DETAIL, NULL);
  self->view = view;
  g_signal_connect_object (view, "moved", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_image_view_get_picture (view), "changed", G_CALLBACK (on_picture_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "map", G_CALLBACK (follow), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (view, "unmap", G_CALLBACK (on_unmap), self, G_CONNECT_SWAPPED);
  return self;
}

static void
es_detail_dispose (GObject *object)
{
  EsDetail *self = ES_DETAIL (object);

  if (self->assembler != NULL)
    es_latest_cancel (self->assembler);
  g_clear_object (&self->assembler);
  g_clear_handle_id (&self->assemble_later, g_source_remove);
  g_clear_pointer (&self->queue, es_tile_queue_free);
  if (self->source != NULL)
    es_level_keeper_drop (es_level_keeper_get (), self->source);
  g_clear_object (&self->source);
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&self->whole[i], es_plane_unref);
  G_OBJECT_CLASS (es_detail_parent_class)->dispose (object);
}

static void
es_detail_class_init (EsDetailClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_detail_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
es_detail_init (EsDetail *self)
{
  self->queue = es_tile_queue_new (on_tiles_came, self);
  self->assembler = es_latest_new (_es_detail_work_assemble, _es_detail_work_free, _es_detail_work_free, on_assembled,
                                   self);
}
