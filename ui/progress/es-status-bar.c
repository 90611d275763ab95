/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-status-bar.h"

#include <glib/gi18n-lib.h>

#include "job/es-job.h"
#include "es-jobs-popover.h"
#include "es-progress-row.h"
#include "widgets/es-format.h"

struct _EsStatusBar
{
  GtkBox          parent_instance;

  /* Template widgets. */
  GtkLabel       *text;
  GtkMenuButton  *jobs_button;
  EsJobsPopover  *jobs;
  GtkStack       *jobs_stack;
  GtkWidget      *idle_icon;
  GtkWidget      *running_box;
  GtkLabel       *progress_text;
  GtkProgressBar *bar;
  GtkWidget      *cancel;

  GListModel     *work;
  GObject        *current;           /* what the line speaks of; nullable */
  gulong          current_handler;
  guint           pulse_source;
};

enum { PROP_0, PROP_TEXT, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsStatusBar, es_status_bar, GTK_TYPE_BOX)

static gboolean
on_pulse (gpointer data)
{
  gtk_progress_bar_pulse (ES_STATUS_BAR (data)->bar);
  return G_SOURCE_CONTINUE;
}

static void
set_pulsing (EsStatusBar *self, gboolean pulsing)
{
  if (pulsing && self->pulse_source == 0)
    self->pulse_source = g_timeout_add (100, on_pulse, self);
  else if (!pulsing)
    g_clear_handle_id (&self->pulse_source, g_source_remove);
}

static void
update_progress (EsStatusBar *self)
{
  g_autofree char *detail = NULL;
  g_autofree char *text = NULL;
  g_autofree char *title = NULL;
  double fraction;

  if (self->current == NULL)
    return;
  title = es_format_shorten (es_progress_get_title (self->current), 160);

  detail = es_progress_describe (self->current);
  fraction = es_progress_get_fraction (self->current);
  if (ES_IS_JOB (self->current))
    text = g_strdup (detail);
  else if (detail[0] != '\0')
    text = g_strdup_printf ("%s, %s", title, detail);
  else
    text = g_strdup (title);
  gtk_label_set_label (self->progress_text, text);
  gtk_widget_set_tooltip_text (self->running_box, title);
  set_pulsing (self, fraction < 0);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction (self->bar, fraction);
}

static void
set_current (EsStatusBar *self, GObject *current)
{
  if (self->current != current)
    {
      if (self->current != NULL)
        g_clear_signal_handler (&self->current_handler, self->current);
      g_set_object (&self->current, current);
      if (current != NULL)
        self->current_handler = g_signal_connect_swapped (current, "notify", G_CALLBACK (update_progress), self);
    }
  gtk_stack_set_visible_child (self->jobs_stack, current != NULL ? self->running_box : self->idle_icon);
  gtk_widget_set_visible (self->cancel, current != NULL);
  if (current == NULL)
    {
      set_pulsing (self, FALSE);
      gtk_label_set_label (self->progress_text, "");
    }
  update_progress (self);
}

/* The oldest that is still active. */
static void
update_current (EsStatusBar *self)
{
  guint n = g_list_model_get_n_items (self->work);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) work = g_list_model_get_item (self->work, i);

      if (es_progress_is_active (work))
        {
          set_current (self, work);
          gtk_widget_set_visible (GTK_WIDGET (self->jobs_button), TRUE);
          return;
        }
    }
  set_current (self, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->jobs_button), n > 0);
}

static void
on_work_changed (EsStatusBar *self, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (GObject) work = g_list_model_get_item (self->work, i);

      if (ES_IS_JOB (work))
        g_signal_connect_object (work, "notify::state", G_CALLBACK (update_current), self, G_CONNECT_SWAPPED);
    }
  update_current (self);
}

static void
on_cancel (EsStatusBar *self)
{
  if (self->current != NULL)
    es_progress_cancel (self->current);
}

static void
es_status_bar_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_TEXT:
      g_value_set_string (value, es_status_bar_get_text (ES_STATUS_BAR (object)));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_status_bar_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_TEXT:
      es_status_bar_set_text (ES_STATUS_BAR (object), g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_status_bar_dispose (GObject *object)
{
  EsStatusBar *self = ES_STATUS_BAR (object);

  g_clear_handle_id (&self->pulse_source, g_source_remove);
  if (self->current != NULL)
    g_clear_signal_handler (&self->current_handler, self->current);
  g_clear_object (&self->current);
  g_clear_object (&self->work);
  G_OBJECT_CLASS (es_status_bar_parent_class)->dispose (object);
}

static void
es_status_bar_class_init (EsStatusBarClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = es_status_bar_dispose;
  object_class->get_property = es_status_bar_get_property;
  object_class->set_property = es_status_bar_set_property;

  properties[PROP_TEXT] =
    g_param_spec_string ("text", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (ES_TYPE_JOBS_POPOVER);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-status-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, text);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, jobs_button);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, jobs);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, jobs_stack);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, idle_icon);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, running_box);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, progress_text);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, bar);
  gtk_widget_class_bind_template_child (widget_class, EsStatusBar, cancel);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
}

static void
es_status_bar_init (EsStatusBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
es_status_bar_set_model (EsStatusBar *self, GListModel *work)
{
  g_return_if_fail (ES_IS_STATUS_BAR (self) && self->work == NULL && G_IS_LIST_MODEL (work));

  self->work = g_object_ref (work);
  g_signal_connect_object (work, "items-changed", G_CALLBACK (on_work_changed), self, G_CONNECT_SWAPPED);
  es_jobs_popover_set_model (self->jobs, work);
  on_work_changed (self, 0, 0, g_list_model_get_n_items (work));
}

void
es_status_bar_set_text (EsStatusBar *self, const char *text)
{
  g_return_if_fail (ES_IS_STATUS_BAR (self));

  gtk_label_set_label (self->text, text != NULL ? text : "");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

const char *
es_status_bar_get_text (EsStatusBar *self)
{
  g_return_val_if_fail (ES_IS_STATUS_BAR (self), NULL);
  return gtk_label_get_label (self->text);
}

const char *
es_status_bar_get_progress_text (EsStatusBar *self)
{
  g_return_val_if_fail (ES_IS_STATUS_BAR (self), NULL);
  return gtk_label_get_label (self->progress_text);
}

void
es_status_bar_show_jobs (EsStatusBar *self)
{
  g_return_if_fail (ES_IS_STATUS_BAR (self));

  if (gtk_widget_get_visible (GTK_WIDGET (self->jobs_button)))
    gtk_menu_button_popup (self->jobs_button);
}
