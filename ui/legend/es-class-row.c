/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-class-row.h"

G_DEFINE_FINAL_TYPE (EsClassRow, es_class_row, G_TYPE_OBJECT)

static void
es_class_row_finalize (GObject *object)
{
  g_free (ES_CLASS_ROW (object)->name);
  G_OBJECT_CLASS (es_class_row_parent_class)->finalize (object);
}

static void
es_class_row_class_init (EsClassRowClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_class_row_finalize;
}

static void
es_class_row_init (EsClassRow *self)
{
}

EsClassRow *
es_class_row_new (gint64 value, char *name, guint32 colour)
{
  EsClassRow *self = g_object_new (ES_TYPE_CLASS_ROW, NULL);

  self->value = value;
  self->name = name;
  self->colour = colour;
  return self;
}
