/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reconstructions that follow the switches and the threshold, and regions that become parameters. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "inspector/es-inspector.h"
#include "result/es-operation.h"
#include "files/es-region-store.h"

/* At most one reconstruction is under way, and one waits: the newest that was asked for. */
struct _EsWindowQuality
{
  EsInspector *inspector;        /* borrowed from the window */
  EsJob       *job;              /* borrowed from the session, cleared when it ends */
  EsResult    *source;           /* of the job */
  EsResult    *next_source;      /* of what waits; NULL: nothing does */
  char        *next_components;
};

static EsInspector *
inspector_of (EsWindow *self)
{
  return ES_INSPECTOR (es_viewer_get_inspector (self->viewer));
}

/* ---- reconstructions ---- */

static void start (EsWindow *self, EsResult *source, const char *components);

static void
show_busy (EsWindow *self)
{
  EsWindowQuality *quality = self->quality;

  es_inspector_set_reconstructing (quality->inspector, quality->next_source != NULL ? quality->next_source
                                                                                    : quality->source);
}

static void
on_job_state (EsWindow *self, GParamSpec *pspec, EsJob *job)
{
  EsWindowQuality *quality = self->quality;
  g_autoptr (EsResult) source = NULL;
  g_autofree char *components = NULL;

  if (quality == NULL || job != quality->job || es_session_is_under_way (self->session, job))
    return;
  g_signal_handlers_disconnect_by_func (job, on_job_state, self);
  quality->job = NULL;
  g_clear_object (&quality->source);
  source = g_steal_pointer (&quality->next_source);
  components = g_steal_pointer (&quality->next_components);
  if (source != NULL)
    start (self, source, components);
  show_busy (self);
}

/* Where the result was computed, if that was chosen by hand. */
static EsDevice *
device_of (EsResult *result)
{
  EsDevice *device = es_result_is_device_automatic (result) ? NULL : es_result_get_device (result);

  return device != NULL && !es_device_is_lost (device) ? device : NULL;
}

static void
start (EsWindow *self, EsResult *source, const char *components)
{
  EsWindowQuality *quality = self->quality;
  const EsOperation *operation = es_operation_find ("reconstruct", NULL);
  g_autoptr (EsParams) params = NULL;

  if (operation == NULL)
    return;
  params = es_params_new (operation->params);
  es_params_set_text (params, "components", components);
  g_set_object (&quality->source, source);
  self->starting_live = TRUE;
  quality->job = es_session_run_on_result (self->session, operation, source, params, device_of (source),
                                           es_inspector_get_reconstruction (source));
  self->starting_live = FALSE;
  if (quality->job == NULL)
    {
      g_clear_object (&quality->source);
      return;
    }
  g_signal_connect_object (quality->job, "notify::state", G_CALLBACK (on_job_state), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  es_window_update_actions (self);
}

/* hurry: what is under way is out of date. Otherwise it may end, or nothing ever would while a hand moves. */
static void
ask (EsWindow *self, EsResult *source, const char *components, gboolean hurry)
{
  EsWindowQuality *quality = self->quality;

  if (quality->job == NULL)
    {
      start (self, source, components);
    }
  else
    {
      g_set_object (&quality->next_source, source);
      g_free (quality->next_components);
      quality->next_components = g_strdup (components);
      if (hurry)
        es_job_cancel (quality->job);
    }
  show_busy (self);
}

static void
on_reconstruct (EsWindow *self, EsResult *judged, const char *components)
{
  ask (self, judged, components, TRUE);
}

/* The new one in the place of the old, where that was in view. */
static void
take_reconstruction (EsWindow *self, EsResult *result, EsResult *source)
{
  EsWindowQuality *quality = self->quality;
  g_autoptr (EsResult) before = es_inspector_get_reconstruction (source);

  if (before != NULL)
    g_object_ref (before);
  es_inspector_set_reconstruction (quality->inspector, source, result);
  if (before != NULL && es_shown_get_result (self->shown) == before)
    es_shown_replace (self->shown, result);
}

/* What was switched off stays so in the result that takes its place, and its reconstruction follows. */
static void
follow (EsWindow *self, EsResult *before, EsResult *result)
{
  EsWindowQuality *quality = self->quality;
  EsResult *reconstruction = es_inspector_get_reconstruction (before);
  gboolean asked = reconstruction != NULL || quality->source == before || quality->next_source == before;
  g_autofree char *components = NULL;

  es_inspector_inherit (before, result);
  if (!asked || es_result_get_model (result) == NULL)
    return;
  if (reconstruction != NULL)
    es_inspector_set_reconstruction (quality->inspector, result, reconstruction);
  components = es_inspector_format_kept (result);
  ask (self, result, components, FALSE);
}

gboolean
es_window_take_quality_result (EsWindow *self, EsResult *result, EsJob *job)
{
  EsWindowQuality *quality = self->quality;
  EsResult *before = job != NULL ? es_job_get_replaces (job) : NULL;

  if (quality == NULL)
    return FALSE;
  if (job != NULL && job == quality->job)
    {
      take_reconstruction (self, result, quality->source);
      es_window_update_actions (self);
      return TRUE;
    }
  if (before != NULL)
    follow (self, before, result);
  return FALSE;
}

void
es_window_cancel_quality (EsWindow *self)
{
  if (self->quality == NULL)
    return;
  g_clear_object (&self->quality->next_source);
  g_clear_pointer (&self->quality->next_components, g_free);
}

gboolean
es_window_is_reconstructing (EsWindow *self)
{
  return self->quality != NULL && self->quality->job != NULL
         && es_session_is_under_way (self->session, self->quality->job);
}

gboolean
es_window_is_judged (EsWindow *self, EsResult *result)
{
  return result != NULL && self->viewer != NULL && es_inspector_get_judged (inspector_of (self)) == result;
}

/* ---- what the inspector asks for ---- */

static void
on_show_layer (EsWindow *self, EsResult *result, EsLayer *layer, guint plane)
{
  es_shown_set (self->shown, es_result_get_dataset (result), result, layer);
  es_shown_set_plane (self->shown, plane);
}

static void
on_noise_region (EsWindow *self, const char *text)
{
  EsAnalysePanel *analyse = es_sidebar_get_analyse (self->sidebar);
  EsParams *params;

  if (!es_analyse_panel_set_operation (analyse, "mnf"))
    return;
  params = es_analyse_panel_get_params (analyse);
  if (!es_params_parse (params, "noise", "region", NULL) || !es_params_parse (params, "region", text, NULL))
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->sidebar), TRUE);
  es_window_say (self, _("MNF will estimate the noise from these pixels."));
}

/* ---- beginning and end ---- */

static void
on_datasets_changed (EsWindow *self, guint position, guint removed, guint added, GListModel *datasets)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);

      es_region_store_attach (dataset);
    }
}

void
es_window_connect_quality (EsWindow *self)
{
  EsWindowQuality *quality = g_new0 (EsWindowQuality, 1);

  self->quality = quality;
  quality->inspector = inspector_of (self);
  g_signal_connect_object (quality->inspector, "reconstruct", G_CALLBACK (on_reconstruct), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (quality->inspector, "show-layer", G_CALLBACK (on_show_layer), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (quality->inspector, "noise-region", G_CALLBACK (on_noise_region), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_session_get_datasets (self->session), "items-changed", G_CALLBACK (on_datasets_changed),
                           self, G_CONNECT_SWAPPED);
}

void
es_window_leave_quality (EsWindow *self)
{
  EsWindowQuality *quality = g_steal_pointer (&self->quality);

  if (quality == NULL)
    return;
  if (quality->job != NULL)
    g_signal_handlers_disconnect_by_func (quality->job, on_job_state, self);
  g_clear_object (&quality->source);
  g_clear_object (&quality->next_source);
  g_free (quality->next_components);
  g_free (quality);
  es_region_store_flush ();
}
