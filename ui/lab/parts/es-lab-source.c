/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-source.h"

#include <glib/gi18n-lib.h>

#define HIGHEST 480

struct _EsLabSource
{
  GtkWidget           parent_instance;

  const EsExperiment *experiment;
  EsMachine          *machine;
  GtkWidget          *box, *scroller, *view;
};

G_DEFINE_FINAL_TYPE (EsLabSource, es_lab_source, GTK_TYPE_WIDGET)

/* The module of the laboratory is loaded for it: not before somebody looks. */
static void
es_lab_source_map (GtkWidget *widget)
{
  EsLabSource *self = ES_LAB_SOURCE (widget);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));

  if (self->experiment->example != NULL && gtk_text_buffer_get_char_count (buffer) == 0)
    {
      const char *source = es_experiment_get_source (self->experiment, self->machine);

      gtk_text_buffer_set_text (buffer, source != NULL ? source : _("Its source is not in this build."), -1);
    }
  GTK_WIDGET_CLASS (es_lab_source_parent_class)->map (widget);
}

static void
es_lab_source_dispose (GObject *object)
{
  EsLabSource *self = ES_LAB_SOURCE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->machine);
  G_OBJECT_CLASS (es_lab_source_parent_class)->dispose (object);
}

static void
es_lab_source_class_init (EsLabSourceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_lab_source_dispose;
  GTK_WIDGET_CLASS (class)->map = es_lab_source_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_lab_source_init (EsLabSource *self)
{
  GtkTextView *view;

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  self->view = gtk_text_view_new ();
  view = GTK_TEXT_VIEW (self->view);
  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_cursor_visible (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_left_margin (view, 12);
  gtk_text_view_set_right_margin (view, 12);
  gtk_text_view_set_top_margin (view, 12);
  gtk_text_view_set_bottom_margin (view, 12);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Source of what runs"), -1);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), HIGHEST);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  gtk_widget_add_css_class (self->scroller, "card");
  gtk_widget_set_overflow (self->scroller, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_lab_source_new (const EsExperiment *experiment, EsMachine *machine)
{
  EsLabSource *self = g_object_new (ES_TYPE_LAB_SOURCE, NULL);
  GtkWidget *how = gtk_label_new (_(experiment->how));

  self->experiment = experiment;
  self->machine = g_object_ref (machine);
  gtk_label_set_xalign (GTK_LABEL (how), 0);
  gtk_label_set_wrap (GTK_LABEL (how), TRUE);
  gtk_label_set_selectable (GTK_LABEL (how), TRUE);
  gtk_box_append (GTK_BOX (self->box), how);
  gtk_box_append (GTK_BOX (self->box), self->scroller);
  /* Of a ladder every rung has its own, above. */
  gtk_widget_set_visible (self->scroller, experiment->example != NULL);
  return GTK_WIDGET (self);
}
