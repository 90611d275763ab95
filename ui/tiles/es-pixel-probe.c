/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pixel-probe.h"

#include <math.h>
#include <string.h>

#include "es-tile-cache.h"
#include "widgets/es-latest.h"

typedef struct
{
  guint64        data;         /* es_tile_cache_name () */
  EsPlaneSource *source;       /* of a request and its answer */
  guint          n, planes[3], x, y;
  double         values[3];
} Probe;

struct _EsPixelProbe
{
  GObject   parent_instance;

  EsLatest *latest;
  Probe     known, asked;      /* without their sources; data 0: none */
};

static guint changed;

G_DEFINE_FINAL_TYPE (EsPixelProbe, es_pixel_probe, G_TYPE_OBJECT)

static void
probe_free (gpointer data)
{
  Probe *probe = data;

  g_object_unref (probe->source);
  g_free (probe);
}

static gboolean
is_same (const Probe *one, const Probe *other)
{
  return one->data == other->data && one->n == other->n && one->x == other->x && one->y == other->y
         && memcmp (one->planes, other->planes, one->n * sizeof *one->planes) == 0;
}

static gpointer
read_pixel (gpointer request, GCancellable *cancellable, GError **error)
{
  Probe *probe = g_memdup2 (request, sizeof *probe);

  g_object_ref (probe->source);
  for (guint i = 0; i < probe->n; i++)
    {
      g_autoptr (GBytes) sample = es_plane_source_read_tile (probe->source, probe->planes[i], 0, probe->x, probe->y, 1,
                                                             cancellable, error);

      if (sample == NULL)
        {
          probe_free (probe);
          return NULL;
        }
      probe->values[i] = *(const float *) g_bytes_get_data (sample, NULL);
    }
  return probe;
}

static void
have_read (gpointer request, gpointer answer, const GError *error, gpointer user_data)
{
  EsPixelProbe *self = user_data;

  /* What cannot be read is not known, and not asked for again until the pointer has moved. */
  if (answer != NULL)
    {
      self->known = *(Probe *) answer;
      self->known.source = NULL;
    }
  if (!es_latest_is_busy (self->latest))
    g_signal_emit (self, changed, 0);
}

gboolean
es_pixel_probe_get (EsPixelProbe *self, EsPlaneSource *source, guint n, const guint *planes, guint x, guint y,
                    double *values)
{
  Probe wanted = { .n = n, .x = x, .y = y };

  g_return_val_if_fail (ES_IS_PIXEL_PROBE (self) && ES_IS_PLANE_SOURCE (source) && n <= 3, FALSE);

  /* The source, not its data: planes that it borrows are others in another one. */
  wanted.data = es_tile_cache_name (G_OBJECT (source));
  memcpy (wanted.planes, planes, n * sizeof *planes);
  if (is_same (&wanted, &self->known))
    {
      memcpy (values, self->known.values, n * sizeof *values);
      self->asked = wanted;
      return TRUE;
    }
  if (!is_same (&wanted, &self->asked))
    {
      self->asked = wanted;
      wanted.source = g_object_ref (source);
      es_latest_submit (self->latest, g_memdup2 (&wanted, sizeof wanted));
    }
  return FALSE;
}

gboolean
es_pixel_probe_is_busy (EsPixelProbe *self)
{
  g_return_val_if_fail (ES_IS_PIXEL_PROBE (self), FALSE);
  return es_latest_is_busy (self->latest);
}

EsPixelProbe *
es_pixel_probe_new (void)
{
  return g_object_new (ES_TYPE_PIXEL_PROBE, NULL);
}

static void
es_pixel_probe_dispose (GObject *object)
{
  EsPixelProbe *self = ES_PIXEL_PROBE (object);

  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  g_clear_object (&self->latest);
  G_OBJECT_CLASS (es_pixel_probe_parent_class)->dispose (object);
}

static void
es_pixel_probe_class_init (EsPixelProbeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_pixel_probe_dispose;
  changed = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
es_pixel_probe_init (EsPixelProbe *self)
{
  self->latest = es_latest_new (read_pixel, probe_free, probe_free, have_read, self);
}
