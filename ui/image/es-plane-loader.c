/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-loader.h"

#include "widgets/es-latest.h"

#define CACHE_BYTES (256 * 1024 * 1024)

typedef struct
{
  GWeakRef  data;                /* the cube or stack: a plane does not keep a closed file open */
  guint     plane, step;
  EsPlane  *ready;
  gsize     bytes;               /* as counted when it was added */
} CachedPlane;

struct _EsPlaneLoader
{
  GObject        parent_instance;

  EsLatest      *latest;
  EsPlaneSource *source;         /* of the newest request */

  EsLatest      *reader;         /* of what is wanted next */
  EsPlaneSet    *ahead[ES_PLANE_LOADER_AHEAD];   /* of one plane each, read or not; NULL behind the last */
  GQueue         cache;          /* of CachedPlane, the last used first */
  gsize          cache_bytes;
  guint64        serial;         /* of the newest request */
  gboolean       busy;
};

enum { PROP_0, PROP_BUSY, N_PROPS };
enum { LOADED, FAILED, READY_AHEAD, N_SIGNALS };

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsPlaneLoader, es_plane_loader, G_TYPE_OBJECT)

static void
plane_set_free (gpointer data)
{
  EsPlaneSet *set = data;

  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&set->ready[i], es_plane_unref);
  g_clear_object (&set->source);
  g_free (set);
}

static EsPlaneSet *
plane_set_new (EsPlaneSource *source, guint n_planes, const guint *planes)
{
  EsPlaneSet *set = g_new0 (EsPlaneSet, 1);

  set->source = g_object_ref (source);
  set->n_planes = n_planes;
  set->step = es_plane_source_get_step (source);
  set->complete = es_plane_source_is_complete (source);
  for (guint i = 0; i < n_planes; i++)
    set->planes[i] = planes[i];
  return set;
}

/* ---- the planes last seen ---- */

static void
cached_plane_free (gpointer data)
{
  CachedPlane *cached = data;

  g_weak_ref_clear (&cached->data);
  es_plane_unref (cached->ready);
  g_free (cached);
}

static void
cache_remove (EsPlaneLoader *self, GList *link)
{
  CachedPlane *cached = link->data;

  self->cache_bytes -= cached->bytes;
  g_queue_delete_link (&self->cache, link);
  cached_plane_free (cached);
}

static EsPlane *
cache_lookup (EsPlaneLoader *self, EsPlaneSource *source, guint plane, guint step)
{
  GObject *wanted = es_plane_source_get_data (es_plane_source_resolve (source, plane, &plane));

  for (GList *link = self->cache.head, *next; link != NULL; link = next)
    {
      CachedPlane *cached = link->data;
      g_autoptr (GObject) data = g_weak_ref_get (&cached->data);

      next = link->next;
      if (data == NULL)
        {
          cache_remove (self, link);
          continue;
        }
      if (data != wanted || cached->plane != plane || cached->step != step)
        continue;
      g_queue_unlink (&self->cache, link);
      g_queue_push_head_link (&self->cache, link);
      return es_plane_ref (cached->ready);
    }
  return NULL;
}

static void
cache_add (EsPlaneLoader *self, EsPlaneSource *source, guint plane, guint step, EsPlane *ready)
{
  g_autoptr (EsPlane) present = NULL;
  g_autoptr (GBytes) in_memory = NULL;
  CachedPlane *cached;

  source = es_plane_source_resolve (source, plane, &plane);
  /* The samples of a stack in memory, here or on a GPU, belong to it: kept here they would keep the whole of a removed
   * result. On a GPU they are as good as ready anyway; those that came from there are on the host already. */
  if (es_plane_get_device (ready) != NULL || (in_memory = es_plane_source_peek (source, plane, step)) != NULL
      || (present = cache_lookup (self, source, plane, step)) != NULL)
    return;

  cached = g_new0 (CachedPlane, 1);
  g_weak_ref_init (&cached->data, es_plane_source_get_data (source));
  cached->plane = plane;
  cached->step = step;
  cached->ready = es_plane_ref (ready);
  cached->bytes = es_plane_get_size (ready);
  g_queue_push_head (&self->cache, cached);
  self->cache_bytes += cached->bytes;
  while (self->cache_bytes > CACHE_BYTES && self->cache.length > 3)
    cache_remove (self, self->cache.tail);
}

/* ---- planes that are wanted next ---- */

static gboolean
is_of (EsPlaneSet *set, EsPlaneSource *source, guint plane)
{
  return set->planes[0] == plane && es_plane_source_get_data (set->source) == es_plane_source_get_data (source);
}

/* The own planes of a source: nothing else is played. */
static EsPlane *
find_ahead (EsPlaneLoader *self, EsPlaneSource *source, guint plane)
{
  for (guint i = 0; i < ES_PLANE_LOADER_AHEAD && self->ahead[i] != NULL; i++)
    if (is_of (self->ahead[i], source, plane) && self->ahead[i]->ready[0] != NULL)
      return es_plane_ref (self->ahead[i]->ready[0]);
  return NULL;
}

static EsPlane *
find_ready (EsPlaneLoader *self, EsPlaneSource *source, guint plane, guint step)
{
  EsPlane *found = plane < es_plane_source_get_n_planes (source) ? find_ahead (self, source, plane) : NULL;

  return found != NULL ? found : cache_lookup (self, source, plane, step);
}

static void
read_ahead (EsPlaneLoader *self)
{
  if (es_latest_is_busy (self->reader))
    return;
  for (guint i = 0; i < ES_PLANE_LOADER_AHEAD && self->ahead[i] != NULL; i++)
    if (self->ahead[i]->ready[0] == NULL)
      {
        es_latest_submit (self->reader, plane_set_new (self->ahead[i]->source, 1, self->ahead[i]->planes));
        return;
      }
}

static void
read_is_done (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  EsPlaneLoader *self = ES_PLANE_LOADER (user_data);
  EsPlaneSet *set = answer;
  gboolean any = FALSE;

  /* One that cannot be read is asked for, and says why, when its turn comes. */
  for (guint i = 0; set != NULL && i < ES_PLANE_LOADER_AHEAD && self->ahead[i] != NULL; i++)
    if (self->ahead[i]->ready[0] == NULL && is_of (self->ahead[i], set->source, set->planes[0]))
      {
        self->ahead[i]->ready[0] = es_plane_ref (set->ready[0]);
        any = TRUE;
      }
  if (set != NULL)
    read_ahead (self);
  if (any || error != NULL)
    g_signal_emit (self, signals[READY_AHEAD], 0);
}

void
es_plane_loader_ahead (EsPlaneLoader *self, EsPlaneSource *source, guint n, const guint *planes)
{
  EsPlaneSet *wanted[ES_PLANE_LOADER_AHEAD] = { NULL };

  g_return_if_fail (ES_IS_PLANE_LOADER (self));
  g_return_if_fail (n == 0 || ES_IS_PLANE_SOURCE (source));

  for (guint i = 0; i < MIN (n, ES_PLANE_LOADER_AHEAD); i++)
    {
      wanted[i] = plane_set_new (source, 1, &planes[i]);
      wanted[i]->ready[0] = find_ready (self, source, planes[i], wanted[i]->step);
    }
  for (guint i = 0; i < ES_PLANE_LOADER_AHEAD; i++)
    {
      g_clear_pointer (&self->ahead[i], plane_set_free);
      self->ahead[i] = wanted[i];
    }
  if (n == 0)
    es_latest_cancel (self->reader);
  else
    read_ahead (self);
}

gboolean
es_plane_loader_is_ready (EsPlaneLoader *self, EsPlaneSource *source, guint plane)
{
  g_autoptr (EsPlane) found = NULL;

  g_return_val_if_fail (ES_IS_PLANE_LOADER (self), FALSE);
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (source), FALSE);

  found = find_ready (self, source, plane, es_plane_source_get_step (source));
  return found != NULL;
}

/* ---- loading ---- */

/* A plane that lies on a GPU stays there. NULL where it does not, or where that does not work. */
static EsPlane *
make_device_plane (EsPlaneSet *set, guint i)
{
  g_autoptr (EsDevicePlane) plane = es_plane_source_get_device_plane (set->source, set->planes[i], set->step);
  g_autoptr (GError) error = NULL;
  EsPlane *ready;

  if (plane == NULL || !es_picture_takes_device_planes (es_device_plane_get_device (plane)))
    return NULL;
  ready = es_plane_new_from_device (plane, &error);
  if (ready == NULL)
    g_debug ("Plane %u is read to be shown: %s", set->planes[i], error->message);
  return ready;
}

/* Reads a plane, and does what showing it would wait for. */
static EsPlane *
make_ready (EsPlaneSet *set, guint i, GCancellable *cancellable, GError **error)
{
  EsPlane *of_device = make_device_plane (set, i);

  if (of_device != NULL)
    return of_device;

  GBytes *(*read) (EsPlaneSource *, guint, guint, GCancellable *, GError **)
    = set->glance ? es_plane_source_glance : es_plane_source_read;
  guint width = (es_plane_source_get_width (set->source) + set->step - 1) / set->step;
  guint height = (es_plane_source_get_height (set->source) + set->step - 1) / set->step;
  g_autoptr (GBytes) bytes = read (set->source, set->planes[i], set->step, cancellable, error);

  return bytes != NULL ? es_plane_new (bytes, width, height) : NULL;
}

static gpointer
load (gpointer request, GCancellable *cancellable, GError **error)
{
  EsPlaneSet *wanted = request;
  EsPlaneSet *set = plane_set_new (wanted->source, wanted->n_planes, wanted->planes);

  set->serial = wanted->serial;
  set->glance = wanted->glance && es_plane_source_is_slow (set->source, set->n_planes, set->planes);
  if (set->glance)
    set->step *= ES_PLANE_SOURCE_GLANCE;
  for (guint i = 0; i < set->n_planes; i++)
    {
      for (guint j = 0; j < i && set->ready[i] == NULL; j++)
        if (set->planes[j] == set->planes[i])
          set->ready[i] = es_plane_ref (set->ready[j]);
      if (set->ready[i] == NULL && wanted->ready[i] != NULL && !set->glance)
        set->ready[i] = es_plane_ref (wanted->ready[i]);
      if (set->ready[i] == NULL)
        set->ready[i] = make_ready (set, i, cancellable, error);
      if (set->ready[i] == NULL)
        {
          plane_set_free (set);
          return NULL;
        }
    }
  return set;
}

static void
update_busy (EsPlaneLoader *self)
{
  gboolean busy = es_latest_is_busy (self->latest);

  if (busy == self->busy)
    return;
  self->busy = busy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

/* Not NULL: all of them are there, and nothing has to be read. Transfer full. */
static EsPlaneSet *
submit (EsPlaneLoader *self, EsPlaneSource *source, guint n_planes, const guint *planes, gboolean glance)
{
  EsPlaneSet *set = plane_set_new (source, n_planes, planes);
  gboolean complete = TRUE;

  set->serial = self->serial;
  set->glance = glance && set->step > 1;
  for (guint i = 0; i < n_planes; i++)
    {
      set->ready[i] = find_ready (self, source, planes[i], set->step);
      complete = complete && set->ready[i] != NULL;
    }
  if (complete)
    return set;
  es_latest_submit (self->latest, set);
  return NULL;
}

static void
loaded (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  EsPlaneLoader *self = ES_PLANE_LOADER (user_data);
  EsPlaneSet *set = answer;

  g_object_ref (self);
  if (set != NULL)
    {
      for (guint i = 0; i < set->n_planes && set->complete && !set->glance; i++)
        cache_add (self, set->source, set->planes[i], set->step, set->ready[i]);
      g_signal_emit (self, signals[LOADED], 0, set);
      /* Where nothing else has been asked for by now. */
      if (set->glance && set->serial == self->serial && self->source != NULL)
        {
          EsPlaneSet *there = submit (self, set->source, set->n_planes, set->planes, FALSE);

          g_clear_pointer (&there, plane_set_free);
        }
    }
  else
    {
      g_signal_emit (self, signals[FAILED], 0, error);
    }
  update_busy (self);
  g_object_unref (self);
}

EsPlaneLoader *
es_plane_loader_new (void)
{
  return g_object_new (ES_TYPE_PLANE_LOADER, NULL);
}

void
es_plane_loader_load (EsPlaneLoader *self, EsPlaneSource *source, guint n_planes, const guint *planes)
{
  EsPlaneSet *set;

  g_return_if_fail (ES_IS_PLANE_LOADER (self));
  g_return_if_fail (ES_IS_PLANE_SOURCE (source));
  g_return_if_fail (n_planes == 1 || n_planes == 3);

  if (self->source != source)
    es_latest_cancel (self->latest);
  g_set_object (&self->source, source);

  self->serial++;
  set = submit (self, source, n_planes, planes, TRUE);
  if (set != NULL)
    {
      set->glance = FALSE;
      /* What is under way is older than this. */
      es_latest_cancel (self->latest);
      for (guint i = 0; i < n_planes && set->complete; i++)
        cache_add (self, source, planes[i], set->step, set->ready[i]);
      g_signal_emit (self, signals[LOADED], 0, set);
      plane_set_free (set);
    }
  update_busy (self);
}

void
es_plane_loader_cancel (EsPlaneLoader *self)
{
  g_return_if_fail (ES_IS_PLANE_LOADER (self));

  es_latest_cancel (self->latest);
  g_clear_object (&self->source);
  update_busy (self);
}

void
es_plane_loader_forget (EsPlaneLoader *self, EsPlaneSource *source)
{
  g_return_if_fail (ES_IS_PLANE_LOADER (self));
  g_return_if_fail (ES_IS_PLANE_SOURCE (source));

  for (GList *link = self->cache.head, *next; link != NULL; link = next)
    {
      CachedPlane *cached = link->data;
      g_autoptr (GObject) data = g_weak_ref_get (&cached->data);

      next = link->next;
      if (data == es_plane_source_get_data (source))
        cache_remove (self, link);
    }
}

gboolean
es_plane_loader_is_busy (EsPlaneLoader *self)
{
  g_return_val_if_fail (ES_IS_PLANE_LOADER (self), FALSE);
  return self->busy;
}

static void
es_plane_loader_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, ES_PLANE_LOADER (object)->busy);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_plane_loader_dispose (GObject *object)
{
  EsPlaneLoader *self = ES_PLANE_LOADER (object);

  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  if (self->reader != NULL)
    es_plane_loader_ahead (self, NULL, 0, NULL);
  g_clear_object (&self->source);
  g_queue_clear_full (&self->cache, cached_plane_free);
  self->cache_bytes = 0;
  G_OBJECT_CLASS (es_plane_loader_parent_class)->dispose (object);
}

static void
es_plane_loader_finalize (GObject *object)
{
  g_clear_object (&ES_PLANE_LOADER (object)->latest);
  g_clear_object (&ES_PLANE_LOADER (object)->reader);
  G_OBJECT_CLASS (es_plane_loader_parent_class)->finalize (object);
}

static void
es_plane_loader_class_init (EsPlaneLoaderClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = es_plane_loader_get_property;
  object_class->dispose = es_plane_loader_dispose;
  object_class->finalize = es_plane_loader_finalize;

  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[READY_AHEAD] = g_signal_new ("ready-ahead", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
es_plane_loader_init (EsPlaneLoader *self)
{
  g_queue_init (&self->cache);
  self->latest = es_latest_new (load, plane_set_free, plane_set_free, loaded, self);
  self->reader = es_latest_new (load, plane_set_free, plane_set_free, read_is_done, self);
}
