/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-component-item.h"

#include <math.h>

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsComponentItem, es_component_item, G_TYPE_OBJECT)

EsComponentItem *
es_component_item_new (guint plane, const char *title)
{
  EsComponentItem *self = g_object_new (ES_TYPE_COMPONENT_ITEM, NULL);

  self->plane = plane;
  self->title = g_strdup (title);
  self->label = self->title;
  return self;
}

void
es_component_item_changed (EsComponentItem *self)
{
  g_return_if_fail (ES_IS_COMPONENT_ITEM (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
es_component_item_finalize (GObject *object)
{
  g_free (ES_COMPONENT_ITEM (object)->title);
  G_OBJECT_CLASS (es_component_item_parent_class)->finalize (object);
}

static void
es_component_item_class_init (EsComponentItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_component_item_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_component_item_init (EsComponentItem *self)
{
  self->kept = TRUE;
  self->value = self->share = self->snr = self->coherence = self->entropy = NAN;
}
