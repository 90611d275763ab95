/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a profile is set, for sessions; and its values, for a file. */

#include "es-profile-pane-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-task.h"
#include "widgets/es-export.h"
#include "writers/es-writer.h"

static const char * const kind_ids[ES_N_PROFILE_KINDS] = { "row", "column", "line" };

JsonNode *
es_profile_pane_tell (EsProfilePane *self)
{
  JsonObject *object;

  g_return_val_if_fail (ES_IS_PROFILE_PANE (self), NULL);

  if (self->kind == ES_PROFILE_ROW && self->line == NULL && self->sampling == ES_PROFILE_NEAREST && self->width == 1
      && !self->metres && !self->all)
    return NULL;
  object = json_object_new ();
  json_object_set_string_member (object, "along", kind_ids[self->kind]);
  json_object_set_string_member (object, "sampling", es_profile_sampling_id (self->sampling));
  json_object_set_int_member (object, "width", self->width);
  json_object_set_boolean_member (object, "metres", self->metres);
  json_object_set_boolean_member (object, "all_bands", self->all);
  if (self->line != NULL)
    {
      g_autofree char *text = es_profile_line_format (self->line);

      json_object_set_string_member (object, "line", text);
    }
  return json_node_init_object (json_node_alloc (), g_steal_pointer (&object));
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

/* A line that does not lie in the picture is left out once that is there. */
void
es_profile_pane_take (EsProfilePane *self, JsonNode *told)
{
  JsonObject *object = told != NULL && JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  JsonNode *width, *metres, *all;
  const char *along, *line;

  g_return_if_fail (ES_IS_PROFILE_PANE (self));

  if (object == NULL)
    return;
  width = json_object_get_member (object, "width");
  metres = json_object_get_member (object, "metres");
  all = json_object_get_member (object, "all_bands");
  along = get_string (object, "along");
  line = get_string (object, "line");
  if (width != NULL && JSON_NODE_HOLDS_VALUE (width) && json_node_get_int (width) >= 1
      && json_node_get_int (width) <= ES_PROFILE_MOST_WIDTH && json_node_get_int (width) % 2 == 1)
    self->width = (guint) json_node_get_int (width);
  if (metres != NULL && JSON_NODE_HOLDS_VALUE (metres))
    self->metres = json_node_get_boolean (metres);
  if (all != NULL && JSON_NODE_HOLDS_VALUE (all))
    self->all = json_node_get_boolean (all);
  es_profile_sampling_find (get_string (object, "sampling"), &self->sampling);
  if (line != NULL)
    {
      g_clear_pointer (&self->line, es_profile_line_free);
      self->line = es_profile_line_parse (line, NULL);
    }
  if (self->line != NULL)
    {
      self->line->sampling = self->sampling;
      self->line->width = self->width;
    }
  for (guint i = 0; along != NULL && i < ES_N_PROFILE_KINDS; i++)
    if (g_str_equal (along, kind_ids[i]))
      self->kind = (EsProfileKind) i;
  _es_profile_pane_update_controls (self);
  _es_profile_pane_update (self);
  g_signal_emit_by_name (self, "changed");
}

/* ---- a file ---- */

static void
write_in_thread (GTask *task, gpointer source, gpointer curve, GCancellable *cancellable)
{
  GFile *target = g_object_get_data (G_OBJECT (task), "es-target");
  GError *error = NULL;

  if (es_write_curve_csv (curve, target, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_written (GObject *pane, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!g_task_propagate_boolean (G_TASK (result), &error) && gtk_widget_get_root (GTK_WIDGET (pane)) != NULL)
    es_export_report (GTK_WIDGET (pane), error->message);
}

void
es_profile_pane_save_csv (EsProfilePane *self, GFile *target)
{
  EsPlaneSource *source;
  const char *unit = NULL;
  guint planes[3], n;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (ES_IS_PROFILE_PANE (self));
  g_return_if_fail (G_IS_FILE (target));

  source = es_display_get_source (self->display);
  if (self->profile == NULL || self->titles == NULL || source == NULL)
    return;
  n = es_display_get_planes (self->display, planes);
  if (self->bands == NULL && _es_profile_is_mixed (source, n, planes))
    unit = NULL;
  else if (self->bands != NULL || es_plane_source_get_cube (source) != NULL)
    unit = self->cube != NULL ? es_cube_name_unit (self->cube) : NULL;
  else
    unit = es_plane_source_get_unit (source);
  task = g_task_new (self, NULL, on_written, NULL);
  g_task_set_source_tag (task, es_profile_pane_save_csv);
  g_object_set_data_full (G_OBJECT (task), "es-target", g_object_ref (target), g_object_unref);
  g_task_set_task_data (task, es_profile_to_curve (self->profile, (const char * const *) self->titles, unit),
                        g_object_unref);
  es_task_run_in_thread (task, write_in_thread);
}

static void
save_to (GtkWidget *widget, GFile *file, const char *choice, gpointer data)
{
  es_profile_pane_save_csv (ES_PROFILE_PANE (widget), file);
}

static void
save (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsProfilePane *self = ES_PROFILE_PANE (widget);
  g_autofree char *words = es_profile_pane_describe (self);
  g_autofree char *file = NULL;

  if (words == NULL)
    return;
  file = g_strdup_printf ("%s, %s", self->cube != NULL ? es_dataset_get_name (ES_DATASET (self->cube)) : _("profile"),
                          words);
  es_export_ask_file (widget, _("Save Profile"), file, "csv", save_to, NULL);
}

typedef struct
{
  EsProfileLine *line;
  EsCube        *cube;
  guint          n, planes[3];
} Command;

static void
command_free (gpointer data)
{
  Command *command = data;

  es_profile_line_free (command->line);
  g_object_unref (command->cube);
  g_free (command);
}

static void
make_command (GTask *task, gpointer pane, gpointer data, GCancellable *cancellable)
{
  const Command *command = data;

  g_task_return_pointer (task, es_profile_to_command (command->line, command->cube, command->n, command->planes),
                         g_free);
}

static void
on_command (GObject *pane, GAsyncResult *result, gpointer data)
{
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), NULL);

  if (text == NULL || gtk_widget_get_root (GTK_WIDGET (pane)) == NULL)
    return;
  es_export_copy_text (GTK_WIDGET (pane), text);
  es_export_report (GTK_WIDGET (pane), _("Command copied"));
}

static void
copy_command (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsProfilePane *self = ES_PROFILE_PANE (widget);
  g_autoptr (GTask) task = NULL;
  Command *command;

  if (self->of == NULL || self->cube == NULL)
    return;
  command = g_new0 (Command, 1);
  command->line = es_profile_line_copy (self->of);
  command->cube = g_object_ref (self->cube);
  /* All of them: those that take part, which the line tells as well. */
  command->n = self->bands != NULL ? 0 : es_display_get_planes (self->display, command->planes);
  task = g_task_new (self, NULL, on_command, NULL);
  g_task_set_source_tag (task, copy_command);
  g_task_set_task_data (task, command, command_free);
  es_task_run_in_thread (task, make_command);
}

void
_es_profile_pane_install_actions (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "profile.save-csv", NULL, save);
  gtk_widget_class_install_action (klass, "profile.copy-command", NULL, copy_command);
}
