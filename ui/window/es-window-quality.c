/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Reconstructions that follow the switches and the threshold, and regions that become parameters. */

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "inspector/es-inspector.h"
#include "result/es-operation.h"
#include "files/es-region-store.h"

static EsInspector *
inspector_of (EsWindow *self)
{
  return ES_INSPECTOR (es_viewer_get_inspector (self->viewer));
}

/* ---- reconstructions ---- */

static void
on_reconstruct (EsWindow *self, EsResult *judged, const char *components)
{
  es_judge_reconstruct (self->judge, judged, components);
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
  EsInspector *inspector = inspector_of (self);

  self->judge = es_judge_new (self->session);
  g_signal_connect_object (self->judge, "changed", G_CALLBACK (es_window_update_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "reconstruct", G_CALLBACK (on_reconstruct), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "show-layer", G_CALLBACK (on_show_layer), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "noise-region", G_CALLBACK (on_noise_region), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_session_get_datasets (self->session), "items-changed", G_CALLBACK (on_datasets_changed),
                           self, G_CONNECT_SWAPPED);
}

void
es_window_leave_quality (EsWindow *self)
{
  if (self->judge == NULL)
    return;
  g_clear_object (&self->judge);
  es_region_store_flush ();
}
