/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-jobs-popover.h"

#include <glib/gi18n-lib.h>

#include "es-progress-row.h"

struct _EsJobsPopover
{
  GtkPopover         parent_instance;

  /* Template widgets. */
  GtkScrolledWindow *scrolled;
  GtkListBox        *list;
};

G_DEFINE_FINAL_TYPE (EsJobsPopover, es_jobs_popover, GTK_TYPE_POPOVER)

static GtkWidget *
create_row (gpointer item, gpointer data)
{
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), es_progress_row_new (item));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, es_progress_get_title (item), -1);
  return row;
}

static void
on_map (EsJobsPopover *self)
{
  GtkAdjustment *scroll = gtk_scrolled_window_get_vadjustment (self->scrolled);

  /* The newest is at the end. */
  gtk_adjustment_set_value (scroll, gtk_adjustment_get_upper (scroll));
}

static void
es_jobs_popover_class_init (EsJobsPopoverClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-jobs-popover.ui");
  gtk_widget_class_bind_template_child (widget_class, EsJobsPopover, scrolled);
  gtk_widget_class_bind_template_child (widget_class, EsJobsPopover, list);
}

static void
es_jobs_popover_init (EsJobsPopover *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self, "map", G_CALLBACK (on_map), NULL);
}

void
es_jobs_popover_set_model (EsJobsPopover *self, GListModel *work)
{
  g_return_if_fail (ES_IS_JOBS_POPOVER (self) && G_IS_LIST_MODEL (work));

  gtk_list_box_bind_model (self->list, work, create_row, NULL, NULL);
}
