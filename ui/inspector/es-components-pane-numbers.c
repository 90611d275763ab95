/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-components-pane-private.h"

#include <math.h>

#include "layer/es-component-numbers.h"

static void
take_numbers (EsComponentsPane *self, guint plane)
{
  const EsComponentNumbers *numbers = es_image_stack_get_numbers (self->stack, plane);
  g_autoptr (EsComponentItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), plane);

  if (numbers == NULL || item == NULL || item->has_numbers)
    return;
  item->has_numbers = TRUE;
  item->coherence = numbers->coherence;
  item->entropy = numbers->entropy;
  if (isnan (item->value))
    item->value = numbers->kurtosis;
  G_STATIC_ASSERT (G_N_ELEMENTS (item->histogram) == ES_COMPONENT_BINS);
  for (guint i = 0; i < ES_COMPONENT_BINS; i++)
    item->histogram[i] = (guint32) MIN (numbers->histogram[i], G_MAXUINT32);
  es_component_item_changed (item);
}

static void
on_plane_told (EsImageStack *stack, guint plane, gpointer user_data)
{
  EsComponentsPane *self = user_data;

  if (stack == self->stack)
    take_numbers (self, plane);
}

static void
on_numbers (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (EsComponentsPane) self = user_data;
  g_autoptr (GError) error = NULL;

  es_image_stack_fill_numbers_finish (ES_IMAGE_STACK (source), result, &error);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || ES_IMAGE_STACK (source) != self->stack)
    return;
  /* What could not be computed stays blank; the picture says why. */
  g_clear_object (&self->cancellable);
}

void
_es_components_pane_stop_numbers (EsComponentsPane *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

/* A folded section, or a folded column, computes nothing. */
void
_es_components_pane_want_numbers (EsComponentsPane *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items)), missing = 0;

  if (self->stack == NULL || self->cancellable != NULL || !gtk_widget_get_mapped (GTK_WIDGET (self))
      || !es_image_stack_is_complete (self->stack))
    return;
  for (guint i = 0; i < n; i++)
    {
      if (es_image_stack_get_numbers (self->stack, i) != NULL)
        take_numbers (self, i);
      else
        missing++;
    }
  if (missing == 0)
    return;
  self->cancellable = g_cancellable_new ();
  es_image_stack_fill_numbers_async (self->stack, on_plane_told, self, self->cancellable, on_numbers,
                                     g_object_ref (self));
}

gboolean
es_components_pane_is_loading (EsComponentsPane *self)
{
  g_return_val_if_fail (ES_IS_COMPONENTS_PANE (self), FALSE);
  return self->cancellable != NULL;
}
