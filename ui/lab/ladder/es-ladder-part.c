/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-part.h"

#include <glib/gi18n-lib.h>

#include "es-ladder-fill.h"
#include "es-ladder-shelf.h"
#include "es-ladder-view.h"

#define SPACING 12

struct _EsLadderPart
{
  GtkWidget     parent_instance;

  EsLadderWalk *walk;
  GtkWidget    *box, *why, *view;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (EsLadderPart, es_ladder_part, GTK_TYPE_WIDGET)

/* ---- what is shown ---- */

static void
free_sheet (gpointer data)
{
  es_ladder_sheet_unref (data);
}

/* One sheet a result: who comes back to it is where they were. */
static EsLadderSheet *
dup_sheet_of (EsResult *result, const EsLadderClimb *climb)
{
  static const char key[] = "es-ladder-sheet";
  EsLadderSheet *sheet = g_object_get_data (G_OBJECT (result), key);

  if (sheet != NULL)
    return es_ladder_sheet_ref (sheet);
  sheet = es_ladder_sheet_new_from (climb);
  g_object_set_data_full (G_OBJECT (result), key, es_ladder_sheet_ref (sheet), free_sheet);
  return sheet;
}

static void
tell (EsLadderPart *self, const char *why)
{
  gtk_label_set_label (GTK_LABEL (self->why), why != NULL ? why : "");
  gtk_widget_set_visible (self->why, why != NULL);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsLadderPart) self = data;
  g_autoptr (EsLadderSheet) own = NULL;
  g_autofree char *why = NULL;
  g_autoptr (GPtrArray) others = es_ladder_shelf_read_finish (result, &own, &why);
  EsLadderSheet *shown = es_ladder_walk_get_sheet (self->walk);

  if (others == NULL || self->view == NULL)
    return;
  if (own != NULL)
    es_ladder_view_set_own (ES_LADDER_VIEW (self->view), own);
  for (guint i = 0; i < others->len; i++)
    es_ladder_view_add_sheet (ES_LADDER_VIEW (self->view), g_ptr_array_index (others, i));
  /* Where there is nothing of one's own, another one's is better than nothing. */
  if (own == NULL && es_ladder_sheet_get_n (shown) == 0)
    {
      tell (self, why);
      if (others->len > 0)
        es_ladder_view_show_sheet (ES_LADDER_VIEW (self->view), g_ptr_array_index (others, 0));
    }
}

/* ---- the widget ---- */

/* Nobody looks any more: whoever comes back gets another one. */
static void
es_ladder_part_unroot (GtkWidget *widget)
{
  g_cancellable_cancel (ES_LADDER_PART (widget)->cancellable);
  GTK_WIDGET_CLASS (es_ladder_part_parent_class)->unroot (widget);
}

static void
es_ladder_part_dispose (GObject *object)
{
  EsLadderPart *self = ES_LADDER_PART (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  self->view = NULL;
  g_clear_object (&self->walk);
  G_OBJECT_CLASS (es_ladder_part_parent_class)->dispose (object);
}

static void
es_ladder_part_class_init (EsLadderPartClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_part_dispose;
  GTK_WIDGET_CLASS (class)->unroot = es_ladder_part_unroot;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_ladder_part_init (EsLadderPart *self)
{
  self->cancellable = g_cancellable_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  self->why = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->why), 0);
  gtk_label_set_wrap (GTK_LABEL (self->why), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->why), TRUE);
  gtk_widget_set_visible (self->why, FALSE);
  gtk_widget_add_css_class (self->why, "dim-label");
  gtk_box_append (GTK_BOX (self->box), self->why);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_ladder_part_new (EsLadderWalk *walk, const EsLadder *ladder, EsMachine *machine, EsResult *result)
{
  EsLadderPart *self = g_object_new (ES_TYPE_LADDER_PART, NULL);
  const char *name = es_dataset_get_name (ES_DATASET (machine));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsLadderClimb) climb = result != NULL ? es_ladder_climb_new_from (result, &error) : NULL;
  g_autoptr (EsLadderSheet) sheet = climb != NULL ? dup_sheet_of (result, climb) : NULL;
  g_autoptr (EsLadderSheet) published = climb != NULL ? es_ladder_sheet_new_published (climb) : NULL;

  self->walk = g_object_ref (walk);
  if (error != NULL)
    tell (self, error->message);
  if (sheet == NULL)
    sheet = es_ladder_sheet_new (g_dgettext (GETTEXT_PACKAGE, ladder->title), name);
  self->view = es_ladder_view_new (walk, sheet, ladder->operation);
  if (published != NULL)
    es_ladder_view_add_sheet (ES_LADDER_VIEW (self->view), published);
  gtk_box_append (GTK_BOX (self->box), self->view);
  es_ladder_shelf_read_async (ladder, machine, result == NULL, self->cancellable, on_read, g_object_ref (self));
  return GTK_WIDGET (self);
}
