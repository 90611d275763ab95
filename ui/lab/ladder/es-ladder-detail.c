/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-detail.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-ladder-diff-view.h"
#include "lab/parts/es-lab-cards.h"
#include "widgets/es-format.h"

struct _EsLadderDetail
{
  GtkWidget      parent_instance;

  EsLadderWalk  *walk;
  EsLadderSheet *sheet;              /* whose rungs the source is of; nullable */
  GtkWidget     *box, *title, *text, *found, *numbers, *diff;
};

G_DEFINE_FINAL_TYPE (EsLadderDetail, es_ladder_detail, GTK_TYPE_WIDGET)

static GtkWidget *
make_label (const char *class)
{
  GtkWidget *label = es_lab_label_new (NULL, class);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  return label;
}

static GtkWidget *
make_number (const EsSheetNumber *number)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *above = make_label ("caption"), *below = make_label (NULL);
  g_autofree char *value = isfinite (number->value) ? es_format_value (number->value, number->unit) : NULL;
  g_autofree char *text = value != NULL && number->text != NULL ? g_strdup_printf ("%s %s", value, number->text)
                          : g_strdup (value != NULL ? value : number->text != NULL ? number->text : "–");

  gtk_widget_add_css_class (above, "dim-label");
  gtk_widget_add_css_class (below, "numeric");
  gtk_label_set_label (GTK_LABEL (above), number->title);
  gtk_label_set_label (GTK_LABEL (below), text);
  gtk_label_set_selectable (GTK_LABEL (above), FALSE);
  gtk_label_set_max_width_chars (GTK_LABEL (above), 22);
  gtk_label_set_max_width_chars (GTK_LABEL (below), 22);
  gtk_box_append (GTK_BOX (box), above);
  gtk_box_append (GTK_BOX (box), below);
  return box;
}

static void
fill_numbers (EsLadderDetail *self, const EsSheetRung *rung, gboolean seen)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (self->numbers)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->numbers), child);
  for (guint i = 0; seen && i < rung->numbers->len; i++)
    {
      const EsSheetNumber *number = &g_array_index (rung->numbers, EsSheetNumber, i);

      gtk_flow_box_append (GTK_FLOW_BOX (self->numbers), make_number (number));
      gtk_widget_set_focusable (gtk_widget_get_last_child (self->numbers), FALSE);
    }
  gtk_widget_set_visible (self->numbers, seen && rung->numbers->len > 0);
}

static void
set_label (GtkWidget *label, const char *text)
{
  gtk_label_set_label (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL && *text != '\0');
}

static void
update (EsLadderDetail *self)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk), *old = self->sheet;
  const int selected = es_ladder_walk_get_selected (self->walk);
  const EsSheetRung *rung = selected >= 0 ? es_ladder_sheet_get (sheet, (guint) selected) : NULL;
  const gboolean seen = rung != NULL && es_ladder_walk_is_seen (self->walk, (guint) selected);
  g_autofree char *title = NULL;

  if (rung == NULL)
    es_ladder_diff_view_show (ES_LADDER_DIFF_VIEW (self->diff), NULL, NULL);
  else
    es_ladder_diff_view_show (ES_LADDER_DIFF_VIEW (self->diff), rung,
                              rung->below >= 0 ? es_ladder_sheet_get (sheet, (guint) rung->below) : NULL);
  self->sheet = sheet != NULL ? es_ladder_sheet_ref (sheet) : NULL;
  es_ladder_sheet_unref (old);
  gtk_widget_set_visible (self->box, rung != NULL);
  if (rung == NULL)
    return;
  title = g_strcmp0 (rung->name, rung->title) == 0 ? g_strdup (rung->title)
                                                   : g_strdup_printf ("%s · %s", rung->name, rung->title);
  set_label (self->title, title);
  set_label (self->text, rung->text);
  set_label (self->found, !seen ? NULL : rung->refused != NULL ? rung->refused
                          : rung->wrong != NULL ? rung->wrong : rung->found);
  fill_numbers (self, rung, seen);
}

static void
es_ladder_detail_dispose (GObject *object)
{
  EsLadderDetail *self = ES_LADDER_DETAIL (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->sheet, es_ladder_sheet_unref);
  g_clear_object (&self->walk);
  G_OBJECT_CLASS (es_ladder_detail_parent_class)->dispose (object);
}

static void
es_ladder_detail_class_init (EsLadderDetailClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_detail_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_ladder_detail_init (EsLadderDetail *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  self->title = make_label ("title-4");
  self->text = make_label (NULL);
  self->found = make_label (NULL);
  gtk_widget_add_css_class (self->found, "es-found");
  self->numbers = gtk_flow_box_new ();
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->numbers), GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->numbers), 6);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (self->numbers), 3);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (self->numbers), TRUE);
  gtk_widget_add_css_class (self->numbers, "es-rung-numbers");
  self->diff = es_ladder_diff_view_new ();
  gtk_box_append (GTK_BOX (self->box), self->title);
  gtk_box_append (GTK_BOX (self->box), self->text);
  gtk_box_append (GTK_BOX (self->box), self->found);
  gtk_box_append (GTK_BOX (self->box), self->numbers);
  gtk_box_append (GTK_BOX (self->box), self->diff);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_ladder_detail_new (EsLadderWalk *walk)
{
  EsLadderDetail *self = g_object_new (ES_TYPE_LADDER_DETAIL, NULL);

  self->walk = g_object_ref (walk);
  g_signal_connect_object (walk, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (walk, "selected", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
