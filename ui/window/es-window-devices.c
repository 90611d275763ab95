/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the window has to do with GPUs: one that is lost is told of, and what it has left undone may be repeated. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "analyse/es-outlook.h"
#include "widgets/es-settings.h"

/* On a banner: the device that it tells of, which lives as long as the program. */
#define DEVICE "es-window-device"

/* Jobs of windows that are gone, which end a moment later. */
static GPtrArray *ending;

/* ---- banners ---- */

static EsBanner *
find_banner (EsWindow *self, EsDevice *device)
{
  for (GtkWidget *at = gtk_widget_get_first_child (GTK_WIDGET (self->device_banners)); at != NULL;
       at = gtk_widget_get_next_sibling (at))
    if (g_object_get_data (G_OBJECT (at), DEVICE) == device)
      return ES_BANNER (at);
  return NULL;
}

static void
on_lost (EsWindow *self, GParamSpec *pspec, EsDevice *device)
{
  EsBanner *banner;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;

  /* All GPUs together are lost with the first of them, which tells more. */
  if (es_device_get_kind (device) != ES_DEVICE_GPU || !es_device_is_lost (device)
      || find_banner (self, device) != NULL)
    return;
  name = es_outlook_name_device (device);
  text = g_strdup_printf (_("%s failed and is not used until Eigenscope is started again."), name);
  banner = g_object_new (ES_TYPE_BANNER, NULL);
  g_object_set_data (G_OBJECT (banner), DEVICE, device);
  gtk_box_append (self->device_banners, GTK_WIDGET (banner));
  es_banner_set_text (banner, text);
}

/* The sentence of the job that met with it says more than that it is lost. */
static void
tell_reason (EsWindow *self, EsJob *job)
{
  EsDevice *device = es_job_get_device (job);
  const GError *error = es_job_get_error (job);

  for (guint i = 0; device != NULL && error != NULL && i < es_device_get_n_members (device); i++)
    {
      EsDevice *member = es_device_get_member (device, i);

      if (!es_device_is_lost (member))
        continue;
      on_lost (self, NULL, member);
      if (find_banner (self, member) != NULL)
        es_banner_set_details (find_banner (self, member), error->message);
    }
}

static void
on_devices_changed (EsWindow *self)
{
  GListModel *devices = es_devices_get ();

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      g_signal_handlers_disconnect_by_func (device, on_lost, self);
      g_signal_connect_object (device, "notify::lost", G_CALLBACK (on_lost), self, G_CONNECT_SWAPPED);
      on_lost (self, NULL, device);
    }
}

/* ---- what it has left undone ---- */

static void
repeat_jobs (EsWindow *self)
{
  g_autoptr (GPtrArray) jobs = g_steal_pointer (&self->lost_jobs);

  self->lost_jobs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < jobs->len; i++)
    es_window_repeat_job (self, g_ptr_array_index (jobs, i), es_device_get_cpu ());
}

static void
on_fallback_response (AdwMessageDialog *dialog, const char *response, EsWindow *self)
{
  self->fallback_dialog = NULL;
  if (g_strcmp0 (response, "always") == 0)
    g_settings_set_string (es_settings_get (), "gpu-fallback", "always");
  if (g_strcmp0 (response, "cancel") == 0)
    g_ptr_array_set_size (self->lost_jobs, 0);
  else
    repeat_jobs (self);
}

/* One question, however many jobs waited for the GPU. */
static void
ask_to_repeat (EsWindow *self, EsJob *job)
{
  EsDevice *device = es_job_get_device (job);
  g_autofree char *heading = NULL;
  g_autofree char *body = NULL;
  AdwMessageDialog *dialog;

  g_ptr_array_add (self->lost_jobs, g_object_ref (job));
  if (self->fallback_dialog != NULL)
    return;

  heading = g_strdup_printf (_("%s Failed"), es_device_get_name (device));
  body = g_strdup_printf (_("%s\n\n%s was not finished. The CPU can compute it with the same parameters."),
                          es_job_get_error (job)->message, es_job_get_title (job));
  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (GTK_WINDOW (self), heading, body));
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "always", _("_Always"),
                                    "cpu", _("Compute on the C_PU"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "cpu", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "cpu");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_fallback_response), self, 0);
  self->fallback_dialog = GTK_WIDGET (dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}

gboolean
es_window_take_lost_job (EsWindow *self, EsJob *job)
{
  g_autofree char *fallback = NULL;

  if (!es_job_failed_on_lost_device (job))
    return FALSE;
  tell_reason (self, job);
  fallback = g_settings_get_string (es_settings_get (), "gpu-fallback");
  if (g_str_equal (fallback, "never"))
    return FALSE;
  if (g_str_equal (fallback, "always"))
    /* It began before this was chosen. */
    es_window_repeat_job (self, job, es_device_get_cpu ());
  else
    ask_to_repeat (self, job);
  return TRUE;
}

static void
on_fallback_setting (EsWindow *self)
{
  g_autofree char *fallback = g_settings_get_string (es_settings_get (), "gpu-fallback");

  es_session_set_cpu_fallback (self->session, g_str_equal (fallback, "always"));
}

void
es_window_connect_devices (EsWindow *self)
{
  self->lost_jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_signal_connect_object (es_settings_get (), "changed::gpu-fallback", G_CALLBACK (on_fallback_setting), self,
                           G_CONNECT_SWAPPED);
  on_fallback_setting (self);
  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (on_devices_changed), self,
                           G_CONNECT_SWAPPED);
  on_devices_changed (self);
}

/* ---- the end of the program ---- */

void
es_window_leave_jobs (EsWindow *self)
{
  GListModel *jobs = es_session_get_jobs (self->session);

  es_session_cancel_all (self->session);
  if (ending == NULL)
    ending = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items (jobs); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      if (es_job_is_active (job))
        g_ptr_array_add (ending, g_steal_pointer (&job));
    }
}

void
es_window_wait_for_jobs (void)
{
  const gint64 latest = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;

  for (guint i = 0; ending != NULL && i < ending->len; i++)
    es_job_wait (g_ptr_array_index (ending, i), latest);
  g_clear_pointer (&ending, g_ptr_array_unref);
}
