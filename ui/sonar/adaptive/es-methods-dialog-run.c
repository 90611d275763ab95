/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-methods-dialog-private.h"

#include "analyse/es-outlook.h"
#include "base/es-task.h"
#include "widgets/es-export.h"

typedef struct
{
  EsRecording    *recording;
  EsArray        *array;
  EsBeamSettings *settings;
  EsDevice       *device;
  guint64         frame;
  double          most_seconds;
} Measuring;

static void
measuring_free (gpointer data)
{
  Measuring *measuring = data;

  g_object_unref (measuring->recording);
  es_array_unref (measuring->array);
  es_beam_settings_free (measuring->settings);
  g_object_unref (measuring->device);
  g_free (measuring);
}

static void
free_routes (gpointer routes)
{
  es_adaptive_routes_free (routes);
}

static void
measure_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Measuring *measuring = data;
  GError *error = NULL;
  EsAdaptiveRoute *routes;

  es_outlook_enter ();
  routes = es_adaptive_compare (measuring->recording, measuring->array, measuring->settings, measuring->device,
                                measuring->frame, measuring->most_seconds, cancellable, &error);
  es_outlook_leave ();
  if (routes != NULL)
    g_task_return_pointer (task, routes, free_routes);
  else
    g_task_return_error (task, error);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsMethodsDialog) self = data;
  g_autoptr (GError) error = NULL;
  EsAdaptiveRoute *routes = g_task_propagate_pointer (G_TASK (result), &error);

  g_clear_object (&self->cancellable);
  if (self->recording == NULL)
    {
      g_clear_pointer (&routes, es_adaptive_routes_free);
      return;
    }
  if (routes != NULL)
    {
      g_clear_pointer (&self->routes, es_adaptive_routes_free);
      self->routes = routes;
    }
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_export_report (self->run, error->message);
  _es_methods_dialog_update (self);
}

void
es_methods_dialog_run (EsMethodsDialog *self)
{
  g_autoptr (GTask) task = NULL;
  Measuring *measuring;

  g_return_if_fail (ES_IS_METHODS_DIALOG (self));

  if (self->cancellable != NULL)
    return;
  self->cancellable = g_cancellable_new ();
  measuring = g_new0 (Measuring, 1);
  measuring->recording = g_object_ref (self->recording);
  measuring->array = es_array_ref (self->array);
  measuring->settings = es_beam_settings_copy (self->settings);
  measuring->device = g_object_ref (self->device);
  measuring->frame = self->frame;
  measuring->most_seconds = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->most));
  task = g_task_new (NULL, self->cancellable, on_measured, g_object_ref (self));
  g_task_set_source_tag (task, es_methods_dialog_run);
  g_task_set_task_data (task, measuring, measuring_free);
  g_task_set_check_cancellable (task, FALSE);
  es_task_run_in_thread (task, measure_in_thread);
  _es_methods_dialog_update (self);
}
