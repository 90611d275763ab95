/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-open-request.h"

EsOpenRequest *
es_open_request_new (GFile **files, guint n_files, EsOpenOrigin origin)
{
  EsOpenRequest *self = g_rc_box_new0 (EsOpenRequest);

  self->files = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n_files; i++)
    g_ptr_array_add (self->files, g_object_ref (files[i]));
  self->origin = origin;
  return self;
}

EsOpenRequest *
es_open_request_ref (EsOpenRequest *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  EsOpenRequest *self = data;

  g_ptr_array_unref (self->files);
  g_free (self->operation);
  g_free (self->array);
}

void
es_open_request_unref (EsOpenRequest *self)
{
  g_rc_box_release_full (self, clear);
}

gboolean
es_open_request_is_plain (EsOpenRequest *self)
{
  return self->operation == NULL && self->array == NULL && !self->play;
}
