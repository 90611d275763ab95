/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-uploader-internal.h"

static const EsUploader *const drivers[] = {
  &es_uploader_cuda,
  &es_uploader_pbo,
  &es_uploader_memory,         /* stays last */
};

/* What failed once is not tried again in this process. */
static gint demoted[G_N_ELEMENTS (drivers)];

/* Whether a picture was drawn with a context, and without one. */
static gint drawn_with_context, drawn_without_context;

struct _EsUploaders
{
  gpointer states[G_N_ELEMENTS (drivers)];
  guint last;                  /* that drew */
};

G_DEFINE_QUARK (es-render-error-quark, es_render_error)

EsUploaders *
es_uploaders_new (void)
{
  return g_new0 (EsUploaders, 1);
}

static void
close_driver (EsUploaders *self, guint i)
{
  if (self->states[i] != NULL)
    drivers[i]->close (self->states[i]);
  self->states[i] = NULL;
}

void
es_uploaders_free (EsUploaders *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (drivers); i++)
    close_driver (self, i);
  g_free (self);
}

void
es_uploaders_drop (EsUploaders *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (drivers); i++)
    if (self->states[i] != NULL && drivers[i]->drop != NULL)
      drivers[i]->drop (self->states[i]);
}

static GdkTexture *
try_driver (EsUploaders *self, guint i, GdkGLContext *context, const EsFrame *frame)
{
  const EsUploader *driver = drivers[i];
  g_autoptr (GError) error = NULL;
  GdkTexture *texture = NULL;

  if (self->states[i] == NULL)
    self->states[i] = driver->open (context, &error);
  if (self->states[i] != NULL)
    texture = driver->render (self->states[i], frame, &error);
  if (texture != NULL)
    return texture;

  if (!g_error_matches (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE)
      && !g_error_matches (error, ES_RENDER_ERROR, ES_RENDER_ERROR_PLANES))
    {
      if (!g_atomic_int_get (&demoted[i]))
        g_debug ("The uploader “%s” is given up: %s", driver->name, error->message);
      g_atomic_int_set (&demoted[i], TRUE);
      close_driver (self, i);
    }
  return NULL;
}

gboolean
es_uploader_is_forced (const EsUploader *driver)
{
  return g_strcmp0 (g_getenv ("ES_UPLOADER"), driver->name) == 0;
}

/* The one that ES_UPLOADER names; without it, the first. */
static guint
first_driver (void)
{
  const char *forced = g_getenv ("ES_UPLOADER");
  guint first = 0;

  if (forced == NULL || *forced == 0)
    return 0;
  while (first + 1 < G_N_ELEMENTS (drivers) && !es_uploader_is_forced (drivers[first]))
    first++;
  return first;
}

gboolean
es_uploaders_take_device_planes (EsDevice *gpu)
{
  const guint cuda = 0;

  g_assert (drivers[cuda] == &es_uploader_cuda);
  return first_driver () == cuda && !g_atomic_int_get (&demoted[cuda]) && es_uploader_cuda_reaches (gpu)
         && (g_atomic_int_get (&drawn_with_context) > 0 || g_atomic_int_get (&drawn_without_context) == 0);
}

/* Textures that another one fills now are not kept twice. */
static void
drop_last (EsUploaders *self, guint now)
{
  guint last = self->last;

  if (last == now || drivers[now]->drop == NULL)
    return;
  if (self->states[last] != NULL && drivers[last]->drop != NULL)
    drivers[last]->drop (self->states[last]);
  self->last = now;
}

GdkTexture *
es_uploaders_render (EsUploaders *self, GdkGLContext *context, const EsFrame *frame, const char **name)
{
  const guint last = G_N_ELEMENTS (drivers) - 1;

  g_atomic_int_set (context != NULL ? &drawn_with_context : &drawn_without_context, 1);
  for (guint i = first_driver (); i < last; i++)
    {
      if (g_atomic_int_get (&demoted[i]) && !es_uploader_is_forced (drivers[i]))
        continue;
      if (!drivers[i]->check (context, frame))
        continue;

      GdkTexture *texture = try_driver (self, i, context, frame);
      if (texture != NULL)
        {
          drop_last (self, i);
          *name = drivers[i]->name;
          return texture;
        }
    }

  if (self->states[last] == NULL)
    self->states[last] = drivers[last]->open (context, NULL);
  *name = drivers[last]->name;
  return drivers[last]->render (self->states[last], frame, NULL);
}
