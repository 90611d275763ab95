/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-steps-view.h"

#include <glib/gi18n-lib.h>

#include "es-table-view.h"
#include "widgets/es-wheel.h"

/* What the table grows to before it scrolls. */
#define MOST_HEIGHT 320

struct _EsStepsView
{
  GtkBox       parent_instance;

  EsTableView *table;
  GtkLabel    *advice;
  GtkLabel    *computed_by;
};

G_DEFINE_FINAL_TYPE (EsStepsView, es_steps_view, GTK_TYPE_BOX)

/* "NVIDIA H200 (cuda:0), chosen automatically: expected 0.1 s, 1.9 s on the CPU" */
static char *
describe_device (EsResult *result)
{
  const char *id = es_result_get_device_id (result), *name = es_result_get_device_name (result);
  const char *reason = es_result_get_device_reason (result);
  g_autofree char *device = NULL;

  if (id == NULL && name == NULL)
    return NULL;
  device = id != NULL && name != NULL ? g_strdup_printf ("%s (%s)", name, id) : g_strdup (name != NULL ? name : id);
  if (!es_result_is_device_automatic (result))
    return g_strdup_printf (_("Computed by %s, chosen by hand"), device);
  if (reason == NULL || *reason == '\0')
    return g_strdup_printf (_("Computed by %s, chosen automatically"), device);
  return g_strdup_printf (_("Computed by %s, chosen automatically: %s"), device, reason);
}

/* Markup, a paragraph each. */
static char *
describe_advice (EsResult *result)
{
  GString *text = g_string_new (NULL);
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    if (stages[i].advice != NULL)
      {
        g_autofree char *paragraph = g_markup_printf_escaped ("<b>%s</b>  %s", stages[i].title, stages[i].advice);

        g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", paragraph);
      }
  return g_string_free (text, text->len == 0);
}

void
es_steps_view_set_result (EsStepsView *self, EsResult *result)
{
  g_autoptr (EsTable) table = NULL;
  g_autofree char *computed_by = NULL, *advice = NULL;

  g_return_if_fail (ES_IS_STEPS_VIEW (self));
  g_return_if_fail (result == NULL || ES_IS_RESULT (result));

  if (result != NULL)
    {
      table = es_result_make_step_table (result);
      computed_by = describe_device (result);
      advice = describe_advice (result);
    }
  es_table_view_set_table (self->table, table);
  gtk_label_set_markup (self->advice, advice != NULL ? advice : "");
  gtk_widget_set_visible (GTK_WIDGET (self->advice), advice != NULL);
  gtk_label_set_label (self->computed_by, computed_by != NULL ? computed_by : "");
  gtk_widget_set_visible (GTK_WIDGET (self->computed_by), computed_by != NULL);
}

static GtkLabel *
make_caption (void)
{
  GtkLabel *label = GTK_LABEL (gtk_label_new (NULL));

  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (label, 0);
  gtk_label_set_selectable (label, TRUE);
  es_keep_figures (label);
  gtk_widget_add_css_class (GTK_WIDGET (label), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (label), "computed-by");
  return label;
}

GtkWidget *
es_steps_view_new (gboolean compact)
{
  EsStepsView *self = g_object_new (ES_TYPE_STEPS_VIEW, NULL);

  es_table_view_set_compact (self->table, compact);
  return GTK_WIDGET (self);
}

static void
es_steps_view_class_init (EsStepsViewClass *klass)
{
}

static void
es_steps_view_init (EsStepsView *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->table = ES_TABLE_VIEW (es_table_view_new (MOST_HEIGHT));
  self->advice = make_caption ();
  self->computed_by = make_caption ();
  gtk_widget_add_css_class (GTK_WIDGET (self->computed_by), "dim-label");
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->table));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->advice));
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->computed_by));
}
