/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-switches.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-wheel.h"
#include "widgets/es-wrap-layout.h"

struct _EsLadderSwitches
{
  GtkWidget      parent_instance;

  EsLadderWalk  *walk;
  EsLadderSheet *sheet;              /* that the buttons are of; nullable */
  GtkWidget     *box;
  GPtrArray     *buttons;            /* of each strategy of the sheet; borrowed */
  gboolean       updating;
};

G_DEFINE_FINAL_TYPE (EsLadderSwitches, es_ladder_switches, GTK_TYPE_WIDGET)

static const EsSheetStrategy *
strategy_of (EsLadderSwitches *self, guint i)
{
  return &g_array_index (self->sheet->strategies, EsSheetStrategy, i);
}

/* "Shared memory: ...", and where it leads, or why nowhere. */
static char *
describe (EsLadderSwitches *self, guint i, gboolean on, int other)
{
  const EsSheetStrategy *strategy = strategy_of (self, i);
  g_autofree char *way = NULL;

  if (other >= 0)
    {
      const EsSheetRung *rung = es_ladder_sheet_get (self->sheet, (guint) other);

      way = on ? g_strdup_printf (_("Without it: %s, %s"), rung->name, rung->title)
               : g_strdup_printf (_("With it: %s, %s"), rung->name, rung->title);
    }
  else
    way = g_strdup (on ? _("No variant of this ladder is as this one but without it.")
                       : _("No variant of this ladder is as this one but with it."));
  return g_strdup_printf ("%s%s%s\n%s", strategy->title, strategy->text != NULL ? "\n" : "",
                          strategy->text != NULL ? strategy->text : "", way);
}

static void
update (EsLadderSwitches *self)
{
  const int selected = es_ladder_walk_get_selected (self->walk);
  const EsSheetRung *rung = selected >= 0 ? es_ladder_sheet_get (self->sheet, (guint) selected) : NULL;

  self->updating = TRUE;
  for (guint i = 0; rung != NULL && i < self->buttons->len; i++)
    {
      GtkWidget *button = g_ptr_array_index (self->buttons, i);
      const char *id = strategy_of (self, i)->id;
      const gboolean on = es_sheet_rung_has (rung, id);
      const int other = es_ladder_sheet_find_other (self->sheet, (guint) selected, id);
      g_autofree char *words = describe (self, i, on, other);

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), on);
      gtk_widget_set_sensitive (button, other >= 0);
      es_set_tooltip (button, words);
    }
  self->updating = FALSE;
}

static void
on_toggled (GtkToggleButton *button, EsLadderSwitches *self)
{
  const int selected = es_ladder_walk_get_selected (self->walk);
  guint i;

  if (self->updating || selected < 0 || !g_ptr_array_find (self->buttons, button, &i))
    return;
  const int other = es_ladder_sheet_find_other (self->sheet, (guint) selected, strategy_of (self, i)->id);
  if (other >= 0)
    es_ladder_walk_select (self->walk, (guint) other);
  else
    update (self);
}

static void
on_changed (EsLadderSwitches *self)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);
  GtkWidget *child;

  if (sheet == self->sheet)
    return;
  g_ptr_array_set_size (self->buttons, 0);
  while ((child = gtk_widget_get_first_child (self->box)) != NULL)
    gtk_box_remove (GTK_BOX (self->box), child);
  es_ladder_sheet_unref (self->sheet);
  self->sheet = sheet != NULL ? es_ladder_sheet_ref (sheet) : NULL;
  for (guint i = 0; sheet != NULL && i < sheet->strategies->len; i++)
    {
      const EsSheetStrategy *strategy = strategy_of (self, i);
      g_autofree char *text = g_strdup_printf ("%s  %s", strategy->id, strategy->title);
      GtkWidget *button = gtk_toggle_button_new_with_label (text);

      gtk_label_set_ellipsize (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (button, "es-switch");
      g_signal_connect (button, "toggled", G_CALLBACK (on_toggled), self);
      gtk_box_append (GTK_BOX (self->box), button);
      g_ptr_array_add (self->buttons, button);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), self->buttons->len > 0);
  update (self);
}

GtkWidget *
es_ladder_switches_get (EsLadderSwitches *self, const char *strategy)
{
  g_return_val_if_fail (ES_IS_LADDER_SWITCHES (self), NULL);

  for (guint i = 0; i < self->buttons->len; i++)
    if (g_str_equal (strategy_of (self, i)->id, strategy))
      return g_ptr_array_index (self->buttons, i);
  return NULL;
}

static void
es_ladder_switches_dispose (GObject *object)
{
  EsLadderSwitches *self = ES_LADDER_SWITCHES (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->sheet, es_ladder_sheet_unref);
  g_clear_pointer (&self->buttons, g_ptr_array_unref);
  g_clear_object (&self->walk);
  G_OBJECT_CLASS (es_ladder_switches_parent_class)->dispose (object);
}

static void
es_ladder_switches_class_init (EsLadderSwitchesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_switches_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_ladder_switches_init (EsLadderSwitches *self)
{
  self->buttons = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->box, es_wrap_layout_new (6, 6));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Strategies"), -1);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_ladder_switches_new (EsLadderWalk *walk)
{
  EsLadderSwitches *self = g_object_new (ES_TYPE_LADDER_SWITCHES, NULL);

  self->walk = g_object_ref (walk);
  g_signal_connect_object (walk, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (walk, "selected", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}
