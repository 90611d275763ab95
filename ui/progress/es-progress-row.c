/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-progress-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "es-activity.h"
#include "job/es-job.h"
#include "widgets/es-format.h"
#include "widgets/es-ui.h"

struct _EsProgressRow
{
  GtkBox          parent_instance;

  GtkLabel       *title;
  GtkLabel       *detail;
  GtkProgressBar *bar;
  GtkWidget      *cancel;

  GObject        *work;
};

G_DEFINE_FINAL_TYPE (EsProgressRow, es_progress_row, GTK_TYPE_BOX)

const char *
es_progress_get_title (GObject *work)
{
  return ES_IS_JOB (work) ? es_job_get_title (ES_JOB (work)) : es_activity_get_title (ES_ACTIVITY (work));
}

gboolean
es_progress_is_active (GObject *work)
{
  return ES_IS_ACTIVITY (work) || es_job_is_active (ES_JOB (work));
}

double
es_progress_get_fraction (GObject *work)
{
  return ES_IS_JOB (work) ? es_job_get_progress (ES_JOB (work)) : es_activity_get_fraction (ES_ACTIVITY (work));
}

void
es_progress_cancel (GObject *work)
{
  if (ES_IS_JOB (work))
    es_job_cancel (ES_JOB (work));
  else
    g_cancellable_cancel (es_activity_get_cancellable (ES_ACTIVITY (work)));
}

static char *
describe_running (EsJob *job)
{
  const char *stage = es_job_get_stage (job);
  double remaining = es_job_get_remaining (job);
  g_autoptr (GString) text = g_string_new (stage != NULL ? stage : _("Starting"));

  g_string_append (text, ", ");
  g_string_append_printf (text, _("%.0f %%"), floor (es_job_get_progress (job) * 100));
  /* A figure that is gone before it is read helps nobody. */
  if (remaining >= 2)
    {
      g_autofree char *seconds = es_ui_format_seconds (remaining);

      g_string_append (text, ", ");
      g_string_append_printf (text, _("about %s left"), seconds);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
es_progress_describe (GObject *work)
{
  g_autofree char *seconds = NULL;

  if (ES_IS_ACTIVITY (work))
    {
      double fraction = es_activity_get_fraction (ES_ACTIVITY (work));

      return fraction >= 0 ? g_strdup_printf (_("%.0f %%"), floor (fraction * 100)) : g_strdup ("");
    }

  switch (es_job_get_state (ES_JOB (work)))
    {
    case ES_JOB_PENDING:
      return g_strdup (_("Waiting"));
    case ES_JOB_RUNNING:
      return describe_running (ES_JOB (work));
    case ES_JOB_DONE:
      seconds = es_ui_format_seconds (es_job_get_elapsed (ES_JOB (work)));
      return g_strdup_printf (_("Done in %s"), seconds);
    case ES_JOB_FAILED:
      return es_text_show_lines (es_job_get_error (ES_JOB (work))->message);
    case ES_JOB_CANCELLED:
      return g_strdup (_("Cancelled"));
    default:
      return g_strdup ("");
    }
}

static void
update (EsProgressRow *self)
{
  gboolean active = es_progress_is_active (self->work);
  double fraction = es_progress_get_fraction (self->work);
  g_autofree char *detail = es_progress_describe (self->work);
  g_autofree char *title = es_format_shorten (es_progress_get_title (self->work), 160);

  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->detail, detail);
  gtk_widget_set_visible (GTK_WIDGET (self->detail), detail[0] != '\0');
  gtk_widget_set_visible (GTK_WIDGET (self->bar), active);
  gtk_widget_set_visible (self->cancel, active);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (self->bar, fraction);
  else
    gtk_progress_bar_pulse (self->bar);
}

static void
on_cancel (EsProgressRow *self)
{
  es_progress_cancel (self->work);
}

static void
es_progress_row_dispose (GObject *object)
{
  g_clear_object (&ES_PROGRESS_ROW (object)->work);
  G_OBJECT_CLASS (es_progress_row_parent_class)->dispose (object);
}

static void
es_progress_row_class_init (EsProgressRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_progress_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-progress-row.ui");
  gtk_widget_class_bind_template_child (widget_class, EsProgressRow, title);
  gtk_widget_class_bind_template_child (widget_class, EsProgressRow, detail);
  gtk_widget_class_bind_template_child (widget_class, EsProgressRow, bar);
  gtk_widget_class_bind_template_child (widget_class, EsProgressRow, cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
}

static void
es_progress_row_init (EsProgressRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
es_progress_row_new (GObject *work)
{
  EsProgressRow *self = g_object_new (ES_TYPE_PROGRESS_ROW, NULL);

  self->work = g_object_ref (work);
  g_signal_connect_object (work, "notify", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
