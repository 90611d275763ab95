/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a result was made with: shown with it, beside one's own parameters, which stay as they were. */

#include "es-analyse-panel-private.h"

/* Silently: nobody has chosen it. */
static void
select_operation (EsAnalysePanel *self, const EsOperation *operation)
{
  guint i;

  self->filling = TRUE;
  if (g_ptr_array_find (self->operations, operation, &i))
    gtk_drop_down_set_selected (self->operation_choice, i);
  self->filling = FALSE;
  _es_analyse_panel_show_operation (self, operation);
}

void
es_analyse_panel_show_own (EsAnalysePanel *self)
{
  g_return_if_fail (ES_IS_ANALYSE_PANEL (self));

  if (self->made == NULL)
    return;
  g_clear_object (&self->made);
  select_operation (self, self->own_operation);
}

void
es_analyse_panel_make_own (EsAnalysePanel *self)
{
  g_autoptr (EsParams) made = NULL;
  EsParams *own;

  g_return_if_fail (ES_IS_ANALYSE_PANEL (self));

  g_clear_object (&self->ran);
  if (es_analyse_panel_get_params (self) != NULL)
    self->ran = es_params_copy (es_analyse_panel_get_params (self));
  if (self->made == NULL)
    return;
  made = g_steal_pointer (&self->made);
  own = _es_analyse_panel_ensure_params (self, self->operation);
  for (const EsParamSpec *spec = es_params_get_specs (made); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_key_default (made, spec->key))
      es_params_reset_key (own, spec->key);
    else if (es_param_type_is_text (spec->type))
      es_params_set_text (own, spec->key, es_params_get_text (made, spec->key));
    else
      es_params_set_value (own, spec->key, es_params_get_value (made, spec->key));
  select_operation (self, self->operation);
}

gboolean
es_analyse_panel_shows_result (EsAnalysePanel *self)
{
  g_return_val_if_fail (ES_IS_ANALYSE_PANEL (self), FALSE);
  return self->made != NULL;
}

void
_es_analyse_panel_show_made (EsAnalysePanel *self)
{
  const EsOperation *operation = self->result != NULL ? es_result_get_operation (self->result) : NULL;
  EsParams *params = self->result != NULL ? es_result_get_params (self->result) : NULL;

  es_analyse_panel_show_own (self);
  /* What was run from here: what was changed meanwhile stays under the hands of who changes it. */
  if (self->ran != NULL && params != NULL && es_params_get_specs (self->ran) == es_params_get_specs (params)
      && es_params_equal (self->ran, params))
    {
      g_clear_object (&self->ran);
      return;
    }
  /* Where they are one's own, there is nothing to be told. */
  if (operation == NULL || params == NULL || !g_ptr_array_find (self->operations, operation, NULL)
      || es_params_get_specs (params) != operation->params
      || (operation == self->operation
          && es_params_equal (_es_analyse_panel_ensure_params (self, operation), params)))
    return;
  self->own_operation = self->operation;
  self->made = es_params_copy (params);
  select_operation (self, operation);
}
