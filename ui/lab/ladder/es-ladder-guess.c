/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-guess.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-ladder-row.h"
#include "lab/es-shown-unit.h"
#include "widgets/es-format.h"
#include "widgets/es-wrap-layout.h"

struct _EsLadderGuess
{
  GtkWidget     parent_instance;

  EsLadderWalk *walk;
  int           next;                /* that the entry is about; -1: none */
  GtkWidget    *box, *ask, *entry, *reveal, *all, *restart, *told;
};

G_DEFINE_FINAL_TYPE (EsLadderGuess, es_ladder_guess, GTK_TYPE_WIDGET)

/* ---- texts ---- */

static char *
ask_about (EsLadderGuess *self, int next)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);
  const EsSheetRung *rung = next >= 0 ? es_ladder_sheet_get (sheet, (guint) next) : NULL;

  if (rung == NULL)
    return g_strdup (_("All rungs are revealed."));
  if (rung->below < 0)
    return g_strdup_printf (_("Next is %s, %s."), rung->name, rung->title);
  return g_strdup_printf (_("Next is %s, %s. How many times as fast as %s?"), rung->name, rung->title,
                          es_ladder_sheet_get (sheet, (guint) rung->below)->name);
}

/* Of the rung that was revealed last. NULL: there is nothing to say. */
static char *
judge_last (EsLadderGuess *self, int next)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);
  const int last = next >= 0 ? next - 1 : (int) es_ladder_sheet_get_n (sheet) - 1;
  const EsSheetRung *rung = last >= 0 ? es_ladder_sheet_get (sheet, (guint) last) : NULL;
  g_autofree char *gain = rung != NULL ? es_ladder_format_gain (rung->over_below) : NULL;
  g_autofree char *judged = NULL, *guessed = NULL;

  if (rung == NULL || !es_ladder_walk_is_on (self->walk))
    return NULL;
  if (rung->refused != NULL || rung->wrong != NULL)
    return g_strdup_printf ("%s: %s", rung->name, rung->refused != NULL ? rung->refused : rung->wrong);
  if (gain == NULL)
    return NULL;
  judged = es_ladder_judge_guess (es_ladder_walk_get_guess (self->walk, (guint) last), rung->over_below);
  if (judged == NULL)
    return g_strdup_printf ("%s: %s", rung->name, gain);
  guessed = es_shown_digits (es_ladder_walk_get_guess (self->walk, (guint) last));
  /* TRANSLATORS: a rung, its speed-up, what was guessed, how far off that was: "V2: 3.41×, guessed 2×: 1.70× too
   * little" */
  return g_strdup_printf (_("%s: %s, guessed %s×: %s"), rung->name, gain, guessed, judged);
}

static void
update (EsLadderGuess *self)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);
  const int next = es_ladder_walk_get_next (self->walk);
  g_autofree char *ask = ask_about (self, next), *told = judge_last (self, next);

  gtk_label_set_label (GTK_LABEL (self->ask), ask);
  gtk_label_set_label (GTK_LABEL (self->told), told != NULL ? told : "");
  if (next != self->next)
    {
      gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
      gtk_widget_remove_css_class (self->entry, "error");
    }
  self->next = next;
  /* Where nothing can be guessed Enter still reveals. */
  gtk_editable_set_editable (GTK_EDITABLE (self->entry),
                             next >= 0 && es_ladder_walk_can_guess (self->walk, (guint) next));
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->entry),
                                  /* TRANSLATORS: an example of a guess: twice as fast */
                                  gtk_editable_get_editable (GTK_EDITABLE (self->entry)) ? _("2×") : "–");
  gtk_button_set_label (GTK_BUTTON (self->reveal), sheet != NULL && !sheet->measured ? _("_Run") : _("Re_veal"));
  gtk_widget_set_sensitive (self->reveal, next >= 0);
  gtk_widget_set_sensitive (self->all, next >= 0 && sheet != NULL && sheet->measured);
}

/* ---- by hand ---- */

gboolean
es_ladder_guess_take (EsLadderGuess *self)
{
  const char *text;
  double value = NAN;

  g_return_val_if_fail (ES_IS_LADDER_GUESS (self), FALSE);

  text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  /* Nothing is no guess, and no mistake. */
  if (*text != '\0' && (!es_format_parse (text, &value) || !(value > 0)))
    {
      gtk_widget_add_css_class (self->entry, "error");
      gtk_widget_grab_focus (self->entry);
      return FALSE;
    }
  gtk_widget_remove_css_class (self->entry, "error");
  if (*text != '\0')
    es_ladder_walk_guess (self->walk, value);
  return TRUE;
}

static void
on_entered (EsLadderGuess *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "ladder.reveal", NULL);
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, EsLadderGuess *self)
{
  const int selected = es_ladder_walk_get_selected (self->walk);
  const int step = key == GDK_KEY_Up || key == GDK_KEY_KP_Up ? -1
                   : key == GDK_KEY_Down || key == GDK_KEY_KP_Down ? 1 : 0;

  if (step == 0 || selected < 0)
    return GDK_EVENT_PROPAGATE;
  if (selected + step >= 0)
    es_ladder_walk_select (self->walk, (guint) (selected + step));
  return GDK_EVENT_STOP;
}

/* ---- the widget ---- */

/* Who begins to climb begins to type. */
static void
es_ladder_guess_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (es_ladder_guess_parent_class)->map (widget);
  gtk_widget_grab_focus (ES_LADDER_GUESS (widget)->entry);
}

static void
es_ladder_guess_dispose (GObject *object)
{
  EsLadderGuess *self = ES_LADDER_GUESS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->walk);
  G_OBJECT_CLASS (es_ladder_guess_parent_class)->dispose (object);
}

static void
es_ladder_guess_class_init (EsLadderGuessClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_guess_dispose;
  GTK_WIDGET_CLASS (class)->map = es_ladder_guess_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_button (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
es_ladder_guess_init (EsLadderGuess *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->next = -2;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->ask = gtk_label_new (NULL);
  self->told = gtk_label_new (NULL);
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *label = i == 0 ? self->ask : self->told;

      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_wrap (GTK_LABEL (label), TRUE);
    }
  gtk_widget_add_css_class (self->told, "heading");
  self->entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (self->entry), 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("How many times as fast"), -1);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (on_entered), self);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (self->entry, keys);
  self->reveal = make_button (_("Re_veal"), "ladder.reveal");
  gtk_widget_add_css_class (self->reveal, "suggested-action");
  self->all = make_button (_("Reveal _All"), "ladder.reveal-all");
  self->restart = make_button (_("Star_t Over"), "ladder.restart");
  gtk_widget_set_layout_manager (row, es_wrap_layout_new (6, 6));
  gtk_box_append (GTK_BOX (row), self->entry);
  gtk_box_append (GTK_BOX (row), self->reveal);
  gtk_box_append (GTK_BOX (row), self->all);
  gtk_box_append (GTK_BOX (row), self->restart);
  gtk_box_append (GTK_BOX (self->box), self->ask);
  gtk_box_append (GTK_BOX (self->box), row);
  gtk_box_append (GTK_BOX (self->box), self->told);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_ladder_guess_new (EsLadderWalk *walk)
{
  EsLadderGuess *self = g_object_new (ES_TYPE_LADDER_GUESS, NULL);

  self->walk = g_object_ref (walk);
  g_signal_connect_object (walk, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return GTK_WIDGET (self);
}
