/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-values-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-format.h"
#include "widgets/es-latest.h"
#include "charts/es-table-view.h"

typedef struct
{
  EsImageStack *stack;
  guint         x, y;
} Request;

struct _EsValuesPane
{
  GtkWidget    parent_instance;

  EsTableView *table;
  EsDisplay   *display;
  EsLatest    *reader;
  gboolean     selected;
  guint        x, y;
  gboolean     empty;
};

enum { PROP_0, PROP_EMPTY, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_TYPE (EsValuesPane, es_values_pane, GTK_TYPE_WIDGET)

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->stack);
  g_free (request);
}

static gpointer
read_values (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;
  guint n = es_image_stack_get_planes (request->stack);
  g_autofree float *values = g_new (float, n);

  for (guint i = 0; i < n; i++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !es_image_stack_read (request->stack, i, request->x, request->y, 1, 1, 1, &values[i], error))
      return NULL;
  return g_steal_pointer (&values);
}

static void
set_empty (EsValuesPane *self, gboolean empty)
{
  if (self->empty == empty)
    return;
  self->empty = empty;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_EMPTY]);
}

static void
values_read (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsValuesPane *self = ES_VALUES_PANE (user_data);
  Request *request = data;
  const float *values = answer;
  const char *unit = es_image_stack_get_unit (request->stack);
  g_autofree char *value_title = unit != NULL ? g_strdup_printf (_("Value (%s)"),
                                                                 unit) : g_strdup (_("Value"));
  const char *titles[2] = { _("Component"), value_title };
  const gboolean numeric[2] = { FALSE, TRUE };
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);
  guint n = values != NULL ? es_image_stack_get_planes (request->stack) : 0;
  double largest = 0;

  for (guint i = 0; i < n; i++)
    if (isfinite (values[i]))
      largest = fmax (largest, fabs (values[i]));
  for (guint i = 0; i < n; i++)
    {
      const char *title = es_image_stack_get_plane_title (request->stack, i);

      g_ptr_array_add (cells, title != NULL ? g_strdup (title) : g_strdup_printf ("%u", i + 1));
      g_ptr_array_add (cells, es_format_number (values[i], largest));
    }
  es_table_view_set_cells (self->table, 2, titles, numeric, n, (const char * const *) cells->pdata);
  set_empty (self, n == 0);
}

static void
update (EsValuesPane *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  EsImageStack *stack = source != NULL ? es_plane_source_get_stack (source) : NULL;
  Request *request;

  if (stack == NULL || !self->selected || self->x >= es_plane_source_get_width (source)
      || self->y >= es_plane_source_get_height (source))
    {
      es_latest_cancel (self->reader);
      set_empty (self, TRUE);
      return;
    }
  request = g_new0 (Request, 1);
  request->stack = g_object_ref (stack);
  request->x = self->x;
  request->y = self->y;
  es_latest_submit (self->reader, request);
}

void
es_values_pane_set_selected (EsValuesPane *self, gboolean any, guint x, guint y)
{
  g_return_if_fail (ES_IS_VALUES_PANE (self));

  self->selected = any;
  self->x = x;
  self->y = y;
  update (self);
}

gboolean
es_values_pane_is_empty (EsValuesPane *self)
{
  g_return_val_if_fail (ES_IS_VALUES_PANE (self), TRUE);
  return self->empty;
}

gboolean
es_values_pane_is_loading (EsValuesPane *self)
{
  g_return_val_if_fail (ES_IS_VALUES_PANE (self), FALSE);
  return es_latest_is_busy (self->reader);
}

GtkWidget *
es_values_pane_new (EsDisplay *display)
{
  EsValuesPane *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_VALUES_PANE, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_values_pane_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_EMPTY)
    g_value_set_boolean (value, ES_VALUES_PANE (object)->empty);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_values_pane_dispose (GObject *object)
{
  EsValuesPane *self = ES_VALUES_PANE (object);

  if (self->reader != NULL)
    es_latest_cancel (self->reader);
  g_clear_object (&self->reader);
  if (self->table != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->table));
  self->table = NULL;
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_values_pane_parent_class)->dispose (object);
}

static void
es_values_pane_class_init (EsValuesPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = es_values_pane_get_property;
  object_class->dispose = es_values_pane_dispose;
  properties[PROP_EMPTY] = g_param_spec_boolean ("empty", NULL, NULL, TRUE,
                                                 G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
es_values_pane_init (EsValuesPane *self)
{
  self->empty = TRUE;
  self->reader = es_latest_new (read_values, request_free, g_free, values_read, self);
  self->table = ES_TABLE_VIEW (es_table_view_new (220));
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_widget_set_parent (GTK_WIDGET (self->table), GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}
