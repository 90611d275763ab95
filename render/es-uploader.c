/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-uploader-private.h"

static const EsUploader *const drivers[] = {
  &es_uploader_pbo,
  &es_uploader_memory,         /* stays last */
};

/* What failed once is not tried again in this process. */
static gboolean demoted[G_N_ELEMENTS (drivers)];

struct _EsUploaders
{
  gpointer states[G_N_ELEMENTS (drivers)];
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

  if (!g_error_matches (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE))
    {
      if (!demoted[i])
        g_debug ("The uploader “%s” is given up: %s", driver->name, error->message);
      demoted[i] = TRUE;
      close_driver (self, i);
    }
  return NULL;
}

gboolean
es_uploader_is_forced (const EsUploader *driver)
{
  return g_strcmp0 (g_getenv ("ES_UPLOADER"), driver->name) == 0;
}

GdkTexture *
es_uploaders_render (EsUploaders *self, GdkGLContext *context, const EsFrame *frame, const char **name)
{
  const guint last = G_N_ELEMENTS (drivers) - 1;
  const char *forced = g_getenv ("ES_UPLOADER");

  for (guint i = 0; i < last; i++)
    {
      gboolean wanted = es_uploader_is_forced (drivers[i]);

      if (!wanted && (demoted[i] || (forced != NULL && *forced != 0)))
        continue;
      if (!drivers[i]->check (context))
        continue;

      GdkTexture *texture = try_driver (self, i, context, frame);
      if (texture != NULL)
        {
          *name = drivers[i]->name;
          return texture;
        }
    }

  if (self->states[last] == NULL)
    self->states[last] = drivers[last]->open (context, NULL);
  *name = drivers[last]->name;
  return drivers[last]->render (self->states[last], frame, NULL);
}
