/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What stands in the place of the displays without an array, and beside them; the layer of a result they begin with. */

#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sonar-view-private.h"

GtkWidget *
_es_sonar_workspace_make_empty (void)
{
  GtkWidget *page = adw_status_page_new ();
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *describe = gtk_button_new_with_mnemonic (_("_Describe the Array…"));
  GtkWidget *open = gtk_button_new_with_mnemonic (_("Open _Positions…"));

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "es-recording-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), _("Where Are the Hydrophones?"));
  adw_status_page_set_description (ADW_STATUS_PAGE (page),
                                   _("Beams need the places of the hydrophones, and this recording does not tell them. "
                                     "Describe a line by its spacing, or drop a file of positions here."));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (describe), "win.describe-array");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.open-positions");
  gtk_widget_add_css_class (describe, "pill");
  gtk_widget_add_css_class (describe, "suggested-action");
  gtk_widget_add_css_class (open, "pill");
  gtk_widget_set_halign (buttons, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (buttons), describe);
  gtk_box_append (GTK_BOX (buttons), open);
  adw_status_page_set_child (ADW_STATUS_PAGE (page), buttons);
  return page;
}

GtkWidget *
_es_sonar_workspace_get_large (EsWorkspace *workspace)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  /* A recording without an array has something to be done first. */
  return self->view != NULL && self->shown && gtk_stack_get_visible_child (self->middle) == GTK_WIDGET (self->view)
         ? es_sonar_view_get_large (self->view) : NULL;
}

static void
on_enlarged (EsSonarWorkspace *self)
{
  es_workspace_layout (ES_WORKSPACE (self));
  es_shell_update (_es_sonar_workspace_get_shell (self));
}

/* ---- what a result lists ---- */

/* The peaks of a moment; NULL: those that are listed are of no time, or of all of it. Transfer full. */
static EsTable *
make_peaks_now (EsSonarWorkspace *self, guint64 row)
{
  g_autoptr (EsNavigation) navigation = es_recording_dup_navigation (self->recording);
  const double time = es_sonar_cursor_get_time (self->view->cursor);

  return isnan (time) ? NULL
         : es_beam_history_make_peaks (self->view->history, (guint) row,
                                       navigation != NULL ? es_navigation_get_heading (navigation, time) : NAN);
}

static char *
name_stretch (EsSonarView *view, EsTable *now, guint64 row)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (view->source);
  const guint64 end = es_sonar_source_get_end (view->source);
  const EsBeamKind kind = es_beam_history_get_tracked (view->history);
  g_autofree char *first = NULL, *last = NULL;

  if (now != NULL)
    {
      first = es_sonar_display_format_time (view->display, es_sonar_source_get_row_time_of (view->source, kind, row),
                                            0.1);
      return g_strdup_printf (settings->n_ranges > 1 ? _("At %s, far away") : _("At %s"), first);
    }
  first = es_sonar_display_format_time (view->display, es_sonar_source_get_row_begin (view->source, 0), 1);
  last = es_sonar_display_format_time (view->display, es_sonar_source_get_row_end (view->source, end - 1), 1);
  return g_strdup_printf (_("Mean of %s to %s"), first, last);
}

void
_es_sonar_workspace_update_table (EsSonarWorkspace *self)
{
  EsResult *result = es_sonar_view_get_result (self->view);
  gboolean timed = result != NULL && self->listed != NULL && self->view->history != NULL
                   && es_result_find_layer (result, "btr") != NULL
                   && es_result_find_layer (result, "peaks") == ES_LAYER (self->listed);
  g_autoptr (EsTable) now = NULL;
  g_autofree char *words = NULL;
  guint64 row = 0;

  timed = timed && es_sonar_cursor_get_row (self->view->cursor, &row);
  if (timed)
    {
      now = make_peaks_now (self, row);
      words = name_stretch (self->view, now, row);
      gtk_label_set_text (GTK_LABEL (self->table_of), words);
    }
  gtk_widget_set_visible (self->table_line, timed);
  gtk_widget_set_sensitive (self->table_mean, now != NULL);
  es_table_view_set_table (self->table, now != NULL ? now : self->listed);
}

static void
on_display_changed (EsSonarWorkspace *self, guint change)
{
  if (self->listed != NULL
      && (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_WRITING)) != 0)
    _es_sonar_workspace_update_table (self);
}

static void
on_mean (EsSonarWorkspace *self)
{
  es_sonar_cursor_set_time (self->view->cursor, NAN);
}

static void
make_table_line (EsSonarWorkspace *self)
{
  self->table_line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->table_of = gtk_label_new (NULL);
  self->table_mean = gtk_button_new_with_label (_("Mean"));
  gtk_widget_set_tooltip_text (self->table_mean, _("The peaks of the mean over all of the time"));
  gtk_label_set_xalign (GTK_LABEL (self->table_of), 0);
  gtk_label_set_wrap (GTK_LABEL (self->table_of), TRUE);
  gtk_widget_set_hexpand (self->table_of, TRUE);
  gtk_widget_add_css_class (self->table_of, "caption");
  gtk_widget_add_css_class (self->table_of, "numeric");
  gtk_widget_add_css_class (self->table_line, "es-list-line");
  gtk_widget_set_valign (self->table_mean, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_start (self->table_line, 12);
  gtk_widget_set_margin_end (self->table_line, 6);
  gtk_box_append (GTK_BOX (self->table_line), self->table_of);
  gtk_box_append (GTK_BOX (self->table_line), self->table_mean);
  g_signal_connect_object (self->table_mean, "clicked", G_CALLBACK (on_mean), self, G_CONNECT_SWAPPED);
}

void
_es_sonar_workspace_make_side (EsSonarWorkspace *self)
{
  GtkWidget *inspector = es_sonar_view_get_inspector (self->view), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->side = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_set_vexpand (inspector, TRUE);
  g_signal_connect_object (self->view, "enlarged", G_CALLBACK (on_enlarged), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (self->side), inspector);
  self->table = ES_TABLE_VIEW (es_table_view_new (180));
  es_table_view_set_compact (self->table, TRUE);
  make_table_line (self);
  gtk_box_append (GTK_BOX (box), self->table_line);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  self->table_section = ES_SECTION (es_section_new ("sonar-table", _("List"), box));
  gtk_widget_add_css_class (GTK_WIDGET (self->table_section), "es-list-section");
  gtk_widget_set_visible (GTK_WIDGET (self->table_section), FALSE);
  gtk_box_append (GTK_BOX (self->side), GTK_WIDGET (self->table_section));
  g_signal_connect_object (self->view->display, "changed", G_CALLBACK (on_display_changed), self, G_CONNECT_SWAPPED);
}

void
_es_sonar_workspace_show_table (EsSonarWorkspace *self, EsResult *result, EsLayer *chosen)
{
  GListModel *layers = result != NULL ? es_result_get_layers (result) : NULL;
  EsLayer *table = result != NULL ? es_result_find_layer (result, "peaks") : NULL;

  if (chosen != NULL && ES_IS_TABLE (chosen))
    table = chosen;

  for (guint i = 0; layers != NULL && table == NULL && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (ES_IS_TABLE (layer) && es_table_get_n_rows (ES_TABLE (layer)) > 0)
        table = layer;
    }
  if (table != NULL && (!ES_IS_TABLE (table) || es_table_get_n_rows (ES_TABLE (table)) == 0))
    table = NULL;
  g_set_object (&self->listed, (EsTable *) table);
  _es_sonar_workspace_update_table (self);
  es_section_set_detail (self->table_section, table != NULL ? es_layer_get_title (table) : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->table_section), table != NULL);
}

static gboolean
is_map (EsLayer *layer)
{
  return layer != NULL && (es_layer_get_kind (layer) == ES_LAYER_FIELD
                           || es_layer_get_kind (layer) == ES_LAYER_WATERFALL);
}

EsLayer *
_es_sonar_workspace_first_map (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  if (es_result_find_layer (result, "btr") != NULL)
    return NULL;
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (is_map (layer))
        return layer;
    }
  return NULL;
}

/* ---- what it is asked for ---- */

EsShell *
_es_sonar_workspace_get_shell (EsSonarWorkspace *self)
{
  return es_workspace_get_shell (ES_WORKSPACE (self));
}

EsAnalysePanel *
_es_sonar_workspace_get_panel (EsSonarWorkspace *self)
{
  return es_shell_get_analyse (_es_sonar_workspace_get_shell (self));
}

gboolean
_es_sonar_workspace_is_live (EsSonarWorkspace *self)
{
  return es_shown_get_result (es_workspace_get_shown (ES_WORKSPACE (self))) == NULL;
}
