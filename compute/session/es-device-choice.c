/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-device-choice.h"

#include <string.h>

#include "device/es-device-internal.h"

#define AUTOMATIC "auto"

struct _EsDeviceChoice
{
  GObject parent_instance;

  char   *wanted;              /* id */
};

G_DEFINE_FINAL_TYPE (EsDeviceChoice, es_device_choice, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
es_device_choice_finalize (GObject *object)
{
  g_free (ES_DEVICE_CHOICE (object)->wanted);
  G_OBJECT_CLASS (es_device_choice_parent_class)->finalize (object);
}

static void
es_device_choice_class_init (EsDeviceChoiceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_device_choice_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_device_choice_init (EsDeviceChoice *self)
{
  self->wanted = g_strdup (AUTOMATIC);
}

EsDeviceChoice *
es_device_choice_new (void)
{
  return g_object_new (ES_TYPE_DEVICE_CHOICE, NULL);
}

void
es_device_choice_want (EsDeviceChoice *self, const char *id)
{
  g_return_if_fail (ES_IS_DEVICE_CHOICE (self) && id != NULL);

  g_free (self->wanted);
  self->wanted = g_strdup (id);
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
is_automatic (EsDeviceChoice *self)
{
  return *self->wanted == '\0' || strcmp (self->wanted, AUTOMATIC) == 0;
}

gboolean
es_device_choice_is_known (EsDeviceChoice *self)
{
  g_return_val_if_fail (ES_IS_DEVICE_CHOICE (self), TRUE);
  return is_automatic (self) || es_devices_are_known () || es_device_choice_get_device (self) != NULL;
}

EsDevice *
es_device_choice_get_device (EsDeviceChoice *self)
{
  GListModel *devices = es_devices_get ();

  g_return_val_if_fail (ES_IS_DEVICE_CHOICE (self), NULL);
  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      /* The list keeps it. */
      if (strcmp (es_device_get_id (device), self->wanted) == 0 && !es_device_is_lost (device))
        return device;
    }
  return NULL;
}

EsDevice *
es_device_choice_find_device (EsDeviceChoice *self)
{
  EsDevice *device = es_device_choice_get_device (self);

  if (device == NULL && !is_automatic (self))
    device = es_device_find (self->wanted, NULL);
  return device;
}
