/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shell-sections-private.h"

typedef struct
{
  const EsShellSection *section;
  GWeakRef              owner;
} Part;

struct _EsShellSections
{
  GPtrArray  *parts;             /* of Part */
  JsonObject *unknown;           /* sections of others: of a part that is not built in, or of a later version */
};

static void
part_free (gpointer data)
{
  Part *part = data;

  g_weak_ref_clear (&part->owner);
  g_free (part);
}

EsShellSections *
_es_shell_sections_new (void)
{
  EsShellSections *self = g_new0 (EsShellSections, 1);

  self->parts = g_ptr_array_new_with_free_func (part_free);
  return self;
}

void
_es_shell_sections_free (EsShellSections *self)
{
  g_ptr_array_unref (self->parts);
  g_clear_pointer (&self->unknown, json_object_unref);
  g_free (self);
}

void
_es_shell_sections_add (EsShellSections *self, const EsShellSection *section, GObject *owner)
{
  Part *part = g_new0 (Part, 1);

  part->section = section;
  g_weak_ref_init (&part->owner, owner);
  g_ptr_array_add (self->parts, part);
}

static void
add_unknown (JsonObject *object, const char *name, JsonNode *node, gpointer data)
{
  json_object_set_member (data, name, json_node_copy (node));
}

JsonNode *
_es_shell_sections_tell (EsShellSections *self)
{
  JsonNode *root = json_node_init_object (json_node_alloc (), NULL);
  g_autoptr (JsonObject) all = json_object_new ();

  if (self->unknown != NULL)
    json_object_foreach_member (self->unknown, add_unknown, all);
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);
      g_autoptr (GObject) owner = g_weak_ref_get (&part->owner);
      JsonNode *told = owner != NULL ? part->section->tell (owner) : NULL;

      if (told != NULL)
        json_object_set_member (all, part->section->name, told);
    }
  json_node_set_object (root, all);
  return root;
}

gboolean
_es_shell_sections_has_work (EsShellSections *self)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);
      g_autoptr (GObject) owner = g_weak_ref_get (&part->owner);

      if (owner != NULL && part->section->is_work != NULL && part->section->is_work (owner))
        return TRUE;
    }
  return FALSE;
}

static Part *
find (EsShellSections *self, const char *name)
{
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);

      if (g_str_equal (part->section->name, name))
        return part;
    }
  return NULL;
}

void
_es_shell_sections_take (EsShellSections *self, JsonObject *told)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  g_clear_pointer (&self->unknown, json_object_unref);
  self->unknown = json_object_new ();
  if (told == NULL)
    return;
  json_object_iter_init (&iter, told);
  while (json_object_iter_next (&iter, &name, &node))
    if (find (self, name) == NULL)
      json_object_set_member (self->unknown, name, json_node_copy (node));
  /* In the order in which they were added. */
  for (guint i = 0; i < self->parts->len; i++)
    {
      Part *part = g_ptr_array_index (self->parts, i);
      g_autoptr (GObject) owner = g_weak_ref_get (&part->owner);

      if (owner != NULL && json_object_has_member (told, part->section->name))
        part->section->take (owner, json_object_get_member (told, part->section->name));
    }
}
