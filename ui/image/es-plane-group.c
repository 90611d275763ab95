/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-plane-group.h"

struct _EsPlaneGroup
{
  GObject        parent_instance;

  char          *title;
  EsPlaneSource *source;
  char          *reference;
  char          *kind;
};

G_DEFINE_FINAL_TYPE (EsPlaneGroup, es_plane_group, G_TYPE_OBJECT)

EsPlaneGroup *
es_plane_group_new (const char *title, EsPlaneSource *source, const char *reference, const char *kind)
{
  EsPlaneGroup *self;

  g_return_val_if_fail (title != NULL, NULL);
  g_return_val_if_fail (ES_IS_PLANE_SOURCE (source), NULL);

  self = g_object_new (ES_TYPE_PLANE_GROUP, NULL);
  self->title = g_strdup (title);
  self->source = g_object_ref (source);
  self->reference = g_strdup (reference);
  self->kind = g_strdup (kind);
  return self;
}

const char *
es_plane_group_get_title (EsPlaneGroup *self)
{
  g_return_val_if_fail (ES_IS_PLANE_GROUP (self), NULL);
  return self->title;
}

EsPlaneSource *
es_plane_group_get_source (EsPlaneGroup *self)
{
  g_return_val_if_fail (ES_IS_PLANE_GROUP (self), NULL);
  return self->source;
}

const char *
es_plane_group_get_reference (EsPlaneGroup *self)
{
  g_return_val_if_fail (ES_IS_PLANE_GROUP (self), NULL);
  return self->reference;
}

const char *
es_plane_group_get_kind (EsPlaneGroup *self)
{
  g_return_val_if_fail (ES_IS_PLANE_GROUP (self), NULL);
  return self->kind;
}

GObject *
es_plane_group_get_data (EsPlaneGroup *self)
{
  g_return_val_if_fail (ES_IS_PLANE_GROUP (self), NULL);
  return es_plane_source_get_data (self->source);
}

EsPlaneGroup *
es_plane_groups_find (GListModel *groups, GObject *data)
{
  for (guint i = 0; groups != NULL && i < g_list_model_get_n_items (groups); i++)
    {
      g_autoptr (EsPlaneGroup) group = g_list_model_get_item (groups, i);

      if (es_plane_group_get_data (group) == data)
        return group;
    }
  return NULL;
}

EsPlaneGroup *
es_plane_groups_find_again (GListModel *groups, const char *reference)
{
  for (guint i = 0; groups != NULL && reference != NULL && i < g_list_model_get_n_items (groups); i++)
    {
      g_autoptr (EsPlaneGroup) group = g_list_model_get_item (groups, i);

      if (g_strcmp0 (group->reference, reference) == 0)
        return group;
    }
  return NULL;
}

static void
es_plane_group_finalize (GObject *object)
{
  EsPlaneGroup *self = ES_PLANE_GROUP (object);

  g_free (self->title);
  g_clear_object (&self->source);
  g_free (self->reference);
  g_free (self->kind);
  G_OBJECT_CLASS (es_plane_group_parent_class)->finalize (object);
}

static void
es_plane_group_class_init (EsPlaneGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_plane_group_finalize;
}

static void
es_plane_group_init (EsPlaneGroup *self)
{
}
