/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-analyse-panel-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "cube/es-cube.h"
#include "es-operation-list.h"
#include "layer/es-curve.h"
#include "recording/es-recording.h"
#include "widgets/es-settings.h"
#include "widgets/es-ui.h"
#include "operations/es-operations.h"

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsAnalysePanel, es_analyse_panel, GTK_TYPE_BOX)

static char *
describe_kept (EsResult *result, EsParams *params, const char **key)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      const EsParamSpec *spec;
      EsCurve *curve;
      guint n, m;

      if (es_layer_get_kind (layer) != ES_LAYER_CURVE || es_curve_get_threshold_key (ES_CURVE (layer)) == NULL)
        continue;
      curve = ES_CURVE (layer);
      n = es_curve_get_length (curve);
      spec = es_param_specs_find (es_params_get_specs (params), es_curve_get_threshold_key (curve));
      if (n < 1 || spec == NULL || spec->type != ES_PARAM_FLOAT || !es_params_is_visible (params, spec->key))
        continue;

      *key = spec->key;
      m = es_curve_count_kept (curve, g_strcmp0 (spec->unit, "%") == 0, es_params_get_value (params, spec->key));
      if (m > 0)
        return g_strdup_printf (ngettext ("Keeps %u component of %u", "Keeps %u components of %u", m), m, n);
    }
  return NULL;
}

static void
update_note (EsAnalysePanel *self)
{
  EsParams *params = es_analyse_panel_get_params (self);
  const char *key = NULL;
  g_autofree char *note = NULL;

  if (params == NULL)
    return;
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    es_param_panel_set_note (self->param_panel, spec->key, NULL);
  if (self->result == NULL || es_result_get_operation (self->result) != self->operation)
    return;
  note = describe_kept (self->result, params, &key);
  if (note != NULL)
    es_param_panel_set_note (self->param_panel, key, note);
}

/* A recording that cannot be computed with yet. */
static gboolean
lacks_array (EsDataset *dataset)
{
  g_autoptr (EsArray) array = ES_IS_RECORDING (dataset) ? es_recording_get_array (ES_RECORDING (dataset)) : NULL;

  return ES_IS_RECORDING (dataset) && array == NULL;
}

/* A row of drawn pixels that is shown and has none: a run would be refused. NULL: there is none. */
static const EsParamSpec *
find_needed (EsAnalysePanel *self)
{
  EsParams *params = es_analyse_panel_get_params (self);

  if (self->dataset == NULL || params == NULL)
    return NULL;
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (spec->type == ES_PARAM_REGION && es_params_is_visible (params, spec->key)
        && *es_params_get_text (params, spec->key) == '\0')
      return spec;
  return NULL;
}

/* From the newest outlook, which comes a moment after what it is about has changed. */
static void
update_cost (EsAnalysePanel *self)
{
  const EsOutlook *outlook = es_device_chooser_get_outlook (self->device_chooser);
  g_autofree char *seconds = NULL;
  g_autofree char *about = NULL;
  g_autofree char *hedged = NULL;
  g_autofree char *bytes = NULL;
  g_autofree char *device_bytes = NULL;
  g_autofree char *text = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *read = NULL;
  const EsParamSpec *needed = find_needed (self);
  const EsPlan *plan;

  if (needed != NULL)
    {
      /* TRANSLATORS: in the place of what a run will cost: the name of a parameter, "“Region” is needed" */
      text = g_strdup_printf (_("“%s” is needed"), _(needed->label));
      tooltip = g_strdup (_("Draw a region in the picture and use it from there."));
      gtk_label_set_label (self->cost, text);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->cost), tooltip);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->cost), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tooltip, -1);
      return;
    }
  /* Parameters that cannot be used cost nothing. */
  if (self->dataset == NULL || outlook == NULL || !outlook->has_plan || lacks_array (self->dataset)
      || (outlook->plan.memory == 0 && outlook->plan.read_bytes == 0))
    {
      gtk_label_set_label (self->cost, "");
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->cost), NULL);
      return;
    }

  plan = &outlook->plan;
  seconds = es_ui_format_seconds (plan->seconds);
  /* TRANSLATORS: how long a run will take; goes on in "The run will take %s and 120 MB of memory" */
  about = plan->seconds < 1e-3 ? g_strdup (_("less than 1 ms")) : g_strdup_printf (_("about %s"), seconds);
  hedged = es_plan_hedge (plan, seconds);
  bytes = es_ui_format_bytes (plan->memory);
  read = es_ui_format_bytes (plan->read_bytes);
  tooltip = g_strdup_printf (ngettext ("The run will take %s and %s of memory, and read %s in %u pass.",
                                       "The run will take %s and %s of memory, and read %s in %u passes.",
                                       plan->passes),
                             about, bytes, read, plan->passes);
  if (plan->device_memory > 0)
    {
      g_autofree char *host = g_steal_pointer (&tooltip);

      device_bytes = es_ui_format_bytes (plan->device_memory);
      /* TRANSLATORS: what a run on a GPU will cost: time and memory there, "0.1 s, 3.2 GB on GPU" */
      text = g_strdup_printf (_("%s, %s on GPU"), hedged, device_bytes);
      tooltip = g_strdup_printf (_("%s It will take about %s of GPU memory."), host, device_bytes);
    }
  else
    {
      /* TRANSLATORS: what a run will cost: time and memory, "0.4 s, 120 MB" */
      text = g_strdup_printf (_("%s, %s"), hedged, bytes);
    }
  if (plan->guessed > 0)
    {
      g_autofree char *sure = g_steal_pointer (&tooltip);

      tooltip = g_strdup_printf (ngettext ("%s The time counts on %u iteration: how many it takes nobody knows before.",
                                           "%s The time counts on %u iterations: how many it takes nobody knows "
                                           "before.", plan->guessed), sure, plan->guessed);
    }
  gtk_label_set_label (self->cost, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->cost), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->cost), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tooltip, -1);
}

static void
update_question (EsAnalysePanel *self)
{
  EsParams *params = es_analyse_panel_get_params (self);
  gboolean any = self->dataset != NULL && params != NULL;

  es_device_chooser_set_question (self->device_chooser, any ? self->operation : NULL, self->dataset, params);
  update_cost (self);
}

static void
store_params (EsAnalysePanel *self)
{
  GHashTableIter iter;
  gpointer id, params;

  g_clear_handle_id (&self->store_source, g_source_remove);
  g_hash_table_iter_init (&iter, self->params);
  self->storing = TRUE;
  while (g_hash_table_iter_next (&iter, &id, &params))
    es_settings_store_params (params, id);
  self->storing = FALSE;
}

static gboolean
on_store_timeout (gpointer data)
{
  EsAnalysePanel *self = data;

  self->store_source = 0;
  store_params (self);
  return G_SOURCE_REMOVE;
}

/* A slider that moves is not written at every step. */
static void
store_later (EsAnalysePanel *self)
{
  if (self->store_source == 0)
    self->store_source = g_timeout_add (500, on_store_timeout, self);
}

static void
on_params_changed (EsAnalysePanel *self)
{
  update_question (self);
  update_note (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* What was last set for it, or its defaults. */
EsParams *
_es_analyse_panel_ensure_params (EsAnalysePanel *self, const EsOperation *operation)
{
  EsParams *params = g_hash_table_lookup (self->params, operation->id);

  if (params == NULL)
    {
      params = es_params_new (operation->params);
      es_settings_restore_params (params, operation->id);
      g_signal_connect_object (params, "changed", G_CALLBACK (store_later), self, G_CONNECT_SWAPPED);
      g_hash_table_insert (self->params, g_strdup (operation->id), params);
    }
  return params;
}

void
_es_analyse_panel_show_operation (EsAnalysePanel *self, const EsOperation *operation)
{
  EsParams *params = NULL;

  self->operation = operation;
  gtk_label_set_label (self->heading, self->made != NULL ? _("Result Parameters") : _("Analyse"));
  gtk_stack_set_visible_child_name (self->own_stack, self->made != NULL ? "own" : "none");
  if (operation != NULL)
    {
      params = self->made != NULL ? self->made : _es_analyse_panel_ensure_params (self, operation);
      gtk_widget_set_tooltip_text (GTK_WIDGET (self->operation_choice), _(operation->summary));
    }
  es_param_panel_set_params (self->param_panel, params);
  g_signal_group_set_target (self->params_signals, params);
  update_question (self);
  update_note (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Of each kind of data the last choice is remembered. */
static const char *
operation_setting (EsAnalysePanel *self)
{
  switch (self->dataset != NULL ? es_dataset_get_kind (self->dataset) : ES_DATASET_CUBE)
    {
    case ES_DATASET_RECORDING:
      return "recording-operation";
    case ES_DATASET_DEVICE:
      return "device-operation";
    case ES_DATASET_MATRIX:
      return "matrix-operation";
    case ES_DATASET_CUBE:
    default:
      return "operation";
    }
}

static void
on_operation_selected (EsAnalysePanel *self)
{
  guint selected = gtk_drop_down_get_selected (self->operation_choice);

  if (self->filling || selected >= self->operations->len)
    return;
  g_clear_object (&self->made);
  _es_analyse_panel_show_operation (self, g_ptr_array_index (self->operations, selected));
  g_settings_set_string (es_settings_get (), operation_setting (self), self->operation->id);
}

/* The operations that take this kind of data; the one chosen last stays chosen where it can. */
static void
fill_operations (EsAnalysePanel *self)
{
  g_autofree char *wanted = g_settings_get_string (es_settings_get (), operation_setting (self));
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  EsDatasetKind kind = self->dataset != NULL ? es_dataset_get_kind (self->dataset) : ES_DATASET_CUBE;
  guint selected = 0;

  self->filling = TRUE;
  g_ptr_array_set_size (self->operations, 0);
  for (const EsOperation * const *at = es_operations_get (); *at != NULL; at++)
    if (((*at)->takes & kind) && !(*at)->of_result)
      {
        if (strcmp ((*at)->id, wanted) == 0)
          selected = self->operations->len;
        gtk_string_list_append (titles, _((*at)->title));
        g_ptr_array_add (self->operations, (gpointer) *at);
      }
  gtk_drop_down_set_model (self->operation_choice, G_LIST_MODEL (titles));
  if (self->operations->len > 0)
    gtk_drop_down_set_selected (self->operation_choice, selected);
  self->filling = FALSE;
  _es_analyse_panel_show_operation (self, self->operations->len > 0 ? g_ptr_array_index (self->operations, selected)
                                                                   : NULL);
}

/* A region is one of the pixels of one data set. */
static void
forget_regions (EsAnalysePanel *self)
{
  GHashTableIter iter;
  gpointer params;

  g_hash_table_iter_init (&iter, self->params);
  while (g_hash_table_iter_next (&iter, NULL, &params))
    for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
      if (spec->type == ES_PARAM_REGION)
        es_params_reset_key (params, spec->key);
}

/* Reset in the preferences: what is shown follows. */
static void
on_parameters_setting (EsAnalysePanel *self)
{
  g_autoptr (GVariant) all = g_settings_get_value (es_settings_get (), "parameters");
  GHashTableIter iter;
  gpointer params;

  if (self->params == NULL || self->storing || g_variant_n_children (all) > 0)
    return;
  g_hash_table_iter_init (&iter, self->params);
  while (g_hash_table_iter_next (&iter, NULL, &params))
    es_params_reset (params);
}

/* Labels of the drop-downs: cut where the column is narrow. */
static void
setup_item (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  gtk_list_item_set_child (item, label);
}

static void
bind_item (GtkSignalListItemFactory *factory, GtkListItem *list_item)
{
  GtkStringObject *item = gtk_list_item_get_item (list_item);

  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (list_item)), gtk_string_object_get_string (item));
}

static GtkDropDown *
make_choice (const char *accessible_name)
{
  GtkDropDown *choice = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_item), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_item), NULL);
  gtk_drop_down_set_factory (choice, factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, accessible_name, -1);
  return choice;
}

static void
on_device_changed (EsAnalysePanel *self)
{
  update_cost (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* Left out is left out of every run: it stands where one begins. */
static void
on_selection (EsAnalysePanel *self)
{
  g_autoptr (EsSelection) selection = ES_IS_CUBE (self->dataset) ? es_cube_dup_selection (ES_CUBE (self->dataset))
                                                                 : NULL;
  const gboolean any = !es_selection_is_everything (selection);
  g_autofree char *text = any ? es_selection_describe (selection) : NULL;
  g_autofree char *sentence = any ? g_strdup_printf (_("Takes part: %s"), text) : NULL;

  gtk_label_set_label (self->part, any ? sentence : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->part), sentence);
  gtk_widget_set_visible (GTK_WIDGET (self->part), any);
  update_question (self);
}

static void
es_analyse_panel_dispose (GObject *object)
{
  EsAnalysePanel *self = ES_ANALYSE_PANEL (object);

  if (self->store_source != 0)
    store_params (self);
  g_clear_object (&self->params_signals);
  g_clear_object (&self->dataset_signals);
  g_clear_object (&self->dataset);
  g_clear_object (&self->result);
  g_clear_object (&self->made);
  g_clear_object (&self->ran);
  g_clear_pointer (&self->operations, g_ptr_array_unref);
  g_clear_pointer (&self->params, g_hash_table_unref);
  G_OBJECT_CLASS (es_analyse_panel_parent_class)->dispose (object);
}

static void
es_analyse_panel_class_init (EsAnalysePanelClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_analyse_panel_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);

  g_type_ensure (ES_TYPE_PARAM_PANEL);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-analyse-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, param_panel);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, part);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, cost);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, run_stack);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, run);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, cancel);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, heading);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, own_stack);
  gtk_widget_class_bind_template_child (widget_class, EsAnalysePanel, own);
}

static void
es_analyse_panel_init (EsAnalysePanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->operations = g_ptr_array_new ();
  self->params = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->dataset_signals = g_signal_group_new (ES_TYPE_CUBE);
  g_signal_group_connect_swapped (self->dataset_signals, "notify::selection", G_CALLBACK (on_selection), self);
  self->params_signals = g_signal_group_new (ES_TYPE_PARAMS);
  g_signal_group_connect_swapped (self->params_signals, "changed", G_CALLBACK (on_params_changed), self);

  self->operation_choice = make_choice (_("Operation"));
  es_operation_list_install (self->operation_choice, self->operations);
  es_param_panel_add_control (self->param_panel, ES_PARAM_GROUP_ALGORITHM, NULL,
                              GTK_WIDGET (self->operation_choice), NULL);
  self->device_chooser = ES_DEVICE_CHOOSER (es_device_chooser_new ());
  es_param_panel_add_control (self->param_panel, ES_PARAM_GROUP_DEVICE, NULL, GTK_WIDGET (self->device_chooser), NULL);

  g_signal_connect_object (self->own, "clicked", G_CALLBACK (es_analyse_panel_show_own), self, G_CONNECT_SWAPPED);
  fill_operations (self);
  g_signal_connect_swapped (self->operation_choice, "notify::selected", G_CALLBACK (on_operation_selected), self);
  g_signal_connect_object (self->device_chooser, "changed", G_CALLBACK (on_device_changed), self,
                           G_CONNECT_SWAPPED);

  g_signal_connect_object (es_settings_get (), "changed::parameters", G_CALLBACK (on_parameters_setting), self,
                           G_CONNECT_SWAPPED);
}

static void
on_shown_changed (EsAnalysePanel *self, EsResult *replaced, EsShown *shown)
{
  if (g_set_object (&self->dataset, es_shown_get_dataset (shown)))
    {
      g_clear_object (&self->made);
      forget_regions (self);
      fill_operations (self);
      /* A device measures itself, and nothing is to be chosen. */
      es_param_panel_set_group_visible (self->param_panel, ES_PARAM_GROUP_DEVICE,
                                        self->dataset == NULL || es_dataset_get_device_id (self->dataset) == NULL);
      g_signal_group_set_target (self->dataset_signals, ES_IS_CUBE (self->dataset) ? self->dataset : NULL);
      on_selection (self);
    }
  if (g_set_object (&self->result, es_shown_get_result (shown)))
    {
      /* One that takes another's place follows what is changed here, a moment late. */
      if (replaced == NULL)
        _es_analyse_panel_show_made (self);
      update_note (self);
    }
}

void
es_analyse_panel_set_shown (EsAnalysePanel *self, EsShown *shown)
{
  g_return_if_fail (ES_IS_ANALYSE_PANEL (self));
  g_return_if_fail (ES_IS_SHOWN (shown));

  g_signal_connect_object (shown, "changed", G_CALLBACK (on_shown_changed), self, G_CONNECT_SWAPPED);
  on_shown_changed (self, NULL, shown);
}

void
es_analyse_panel_set_device_choice (EsAnalysePanel *self, EsDeviceChoice *choice)
{
  g_return_if_fail (ES_IS_ANALYSE_PANEL (self));
  es_device_chooser_set_choice (self->device_chooser, choice);
}

void
es_analyse_panel_set_running (EsAnalysePanel *self, gboolean running)
{
  GtkWidget *now;

  g_return_if_fail (ES_IS_ANALYSE_PANEL (self));

  now = running ? self->cancel : self->run;
  if (gtk_stack_get_visible_child (self->run_stack) != now)
    gtk_stack_set_visible_child (self->run_stack, now);
}

const EsOperation *
es_analyse_panel_get_operation (EsAnalysePanel *self)
{
  g_return_val_if_fail (ES_IS_ANALYSE_PANEL (self), NULL);
  return self->operation;
}

EsParams *
es_analyse_panel_get_params (EsAnalysePanel *self)
{
  g_return_val_if_fail (ES_IS_ANALYSE_PANEL (self), NULL);
  return self->made != NULL ? self->made
         : self->operation != NULL ? g_hash_table_lookup (self->params, self->operation->id) : NULL;
}

EsParams *
es_analyse_panel_get_params_of (EsAnalysePanel *self, const char *id)
{
  const EsOperation *operation;

  g_return_val_if_fail (ES_IS_ANALYSE_PANEL (self) && id != NULL, NULL);

  operation = es_operation_find (id, NULL);
  return operation != NULL ? _es_analyse_panel_ensure_params (self, operation) : NULL;
}

gboolean
es_analyse_panel_set_operation (EsAnalysePanel *self, const char *id)
{
  g_return_val_if_fail (ES_IS_ANALYSE_PANEL (self) && id != NULL, FALSE);

  for (guint i = 0; i < self->operations->len; i++)
    if (strcmp (((const EsOperation *) g_ptr_array_index (self->operations, i))->id, id) == 0)
      {
        gtk_drop_down_set_selected (self->operation_choice, i);
        return TRUE;
      }
  return FALSE;
}

const char *
es_analyse_panel_get_cost (EsAnalysePanel *self)
{
  g_return_val_if_fail (ES_IS_ANALYSE_PANEL (self), NULL);
  return gtk_label_get_label (self->cost);
}
