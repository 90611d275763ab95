/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-activity.h"

struct _EsActivity
{
  GObject       parent_instance;

  char         *title;
  GCancellable *cancellable;
  double        fraction;          /* as notified; main context only */

  /* Under the lock. */
  GMutex        lock;
  double        reported;
  gboolean      notify_queued;
};

enum { PROP_0, PROP_TITLE, PROP_FRACTION, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsActivity, es_activity, G_TYPE_OBJECT)

static void
es_activity_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsActivity *self = ES_ACTIVITY (object);

  switch (id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_FRACTION:
      g_value_set_double (value, self->fraction);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_activity_finalize (GObject *object)
{
  EsActivity *self = ES_ACTIVITY (object);

  g_free (self->title);
  g_object_unref (self->cancellable);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (es_activity_parent_class)->finalize (object);
}

static void
es_activity_class_init (EsActivityClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = es_activity_get_property;
  object_class->finalize = es_activity_finalize;

  properties[PROP_TITLE] =
    g_param_spec_string ("title", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_FRACTION] =
    g_param_spec_double ("fraction", NULL, NULL, -1, 1, -1, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_activity_init (EsActivity *self)
{
  g_mutex_init (&self->lock);
  self->cancellable = g_cancellable_new ();
  self->fraction = -1;
}

EsActivity *
es_activity_new (const char *title)
{
  EsActivity *self = g_object_new (ES_TYPE_ACTIVITY, NULL);

  self->title = g_strdup (title);
  return self;
}

const char *
es_activity_get_title (EsActivity *self)
{
  g_return_val_if_fail (ES_IS_ACTIVITY (self), NULL);
  return self->title;
}

double
es_activity_get_fraction (EsActivity *self)
{
  g_return_val_if_fail (ES_IS_ACTIVITY (self), -1);
  return self->fraction;
}

GCancellable *
es_activity_get_cancellable (EsActivity *self)
{
  g_return_val_if_fail (ES_IS_ACTIVITY (self), NULL);
  return self->cancellable;
}

static gboolean
notify_idle (gpointer data)
{
  EsActivity *self = data;

  g_mutex_lock (&self->lock);
  self->notify_queued = FALSE;
  self->fraction = self->reported;
  g_mutex_unlock (&self->lock);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRACTION]);
  return G_SOURCE_REMOVE;
}

void
es_activity_report (double fraction, gpointer data)
{
  EsActivity *self = data;
  gboolean queue;

  g_return_if_fail (ES_IS_ACTIVITY (self));

  g_mutex_lock (&self->lock);
  self->reported = CLAMP (fraction, -1, 1);
  queue = !self->notify_queued;
  self->notify_queued = TRUE;
  g_mutex_unlock (&self->lock);
  if (queue)
    g_idle_add_full (G_PRIORITY_LOW, notify_idle, g_object_ref (self), g_object_unref);
}
