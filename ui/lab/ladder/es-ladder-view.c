/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-view.h"

#include <glib/gi18n-lib.h>

#include "es-ladder-columns.h"
#include "es-ladder-detail.h"
#include "es-ladder-guess.h"
#include "es-ladder-roofs.h"
#include "es-ladder-rows.h"
#include "es-ladder-switches.h"
#include "widgets/es-wheel.h"
#include "widgets/es-wrap-layout.h"

#define SPACING 18
#define WIDE 1160              /* the source and the roofline side by side: a small screen whose column is folded */
#define PLOT_HEIGHT 400

struct _EsLadderView
{
  GtkWidget     parent_instance;

  EsLadderWalk *walk;
  char         *operation;
  GPtrArray    *sheets;              /* EsLadderSheet: of the machine itself, then of others */
  GtkWidget    *box, *bar, *climb, *of, *beside, *guess, *rows, *roofs, *roofs_card, *strategies_card;
  GPtrArray    *of_buttons, *beside_sheets;  /* of each sheet; of each line of the list but the first; borrowed */
  gboolean      updating;
};

G_DEFINE_FINAL_TYPE (EsLadderView, es_ladder_view, GTK_TYPE_WIDGET)

/* ---- whose ladder ---- */

static gboolean
has_rungs_of (EsLadderSheet *self, EsLadderSheet *other)
{
  guint n = 0;

  for (guint i = 0; i < es_ladder_sheet_get_n (other); i++)
    n += es_ladder_sheet_find (self, es_ladder_sheet_get (other, i)->id) >= 0;
  return n >= 2;
}

/* Beside what is shown: nothing, or another one that has been measured. */
static void
fill_beside (EsLadderView *self)
{
  EsLadderSheet *shown = es_ladder_walk_get_sheet (self->walk);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  self->updating = TRUE;
  /* TRANSLATORS: no other machine's ladder is drawn beside */
  gtk_string_list_append (names, _("Nothing beside"));
  g_ptr_array_set_size (self->beside_sheets, 0);
  for (guint i = 0; i < self->sheets->len; i++)
    {
      EsLadderSheet *sheet = g_ptr_array_index (self->sheets, i);
      g_autofree char *name = NULL;

      if (sheet == shown || !sheet->measured || !has_rungs_of (sheet, shown))
        continue;
      /* TRANSLATORS: a machine whose times are drawn beside others */
      name = g_strdup_printf (_("Beside: %s"), i > 0 ? es_ladder_sheet_get_label (sheet) : _("this machine"));
      gtk_string_list_append (names, name);
      g_ptr_array_add (self->beside_sheets, sheet);
    }
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->beside), G_LIST_MODEL (names));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->beside), 0);
  gtk_widget_set_visible (self->beside, self->beside_sheets->len > 0);
  self->updating = FALSE;
  es_ladder_rows_set_beside (ES_LADDER_ROWS (self->rows), NULL);
}

static void
on_beside (EsLadderView *self)
{
  const guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->beside));

  if (self->updating)
    return;
  es_ladder_rows_set_beside (ES_LADDER_ROWS (self->rows), selected > 0 && selected - 1 < self->beside_sheets->len
                             ? g_ptr_array_index (self->beside_sheets, selected - 1) : NULL);
}

static void
on_of (GtkToggleButton *button, EsLadderView *self)
{
  guint i;

  if (self->updating || !gtk_toggle_button_get_active (button) || !g_ptr_array_find (self->of_buttons, button, &i))
    return;
  es_ladder_walk_set_sheet (self->walk, g_ptr_array_index (self->sheets, i));
  fill_beside (self);
}

void
es_ladder_view_add_sheet (EsLadderView *self, EsLadderSheet *sheet)
{
  GtkWidget *button;

  g_return_if_fail (ES_IS_LADDER_VIEW (self) && sheet != NULL);

  for (guint i = 1; i < self->sheets->len; i++)
    if (g_str_equal (es_ladder_sheet_get_label (g_ptr_array_index (self->sheets, i)),
                     es_ladder_sheet_get_label (sheet)))
      return;
  button = gtk_toggle_button_new_with_label (self->sheets->len == 0 ? _("This machine")
                                             : es_ladder_sheet_get_label (sheet));
  es_set_tooltip (button, sheet->of);
  gtk_widget_set_sensitive (button, es_ladder_sheet_get_n (sheet) > 0);
  if (self->of_buttons->len > 0)
    gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), g_ptr_array_index (self->of_buttons, 0));
  g_ptr_array_add (self->sheets, es_ladder_sheet_ref (sheet));
  g_ptr_array_add (self->of_buttons, button);
  self->updating = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), sheet == es_ladder_walk_get_sheet (self->walk));
  self->updating = FALSE;
  g_signal_connect (button, "toggled", G_CALLBACK (on_of), self);
  gtk_box_append (GTK_BOX (self->of), button);
  gtk_widget_set_visible (self->of, self->sheets->len > 1);
  fill_beside (self);
}

void
es_ladder_view_set_own (EsLadderView *self, EsLadderSheet *own)
{
  EsLadderSheet *old;
  gboolean shown;

  g_return_if_fail (ES_IS_LADDER_VIEW (self) && own != NULL);

  old = g_ptr_array_index (self->sheets, 0);
  shown = es_ladder_walk_get_sheet (self->walk) == old;
  self->sheets->pdata[0] = es_ladder_sheet_ref (own);
  gtk_widget_set_sensitive (g_ptr_array_index (self->of_buttons, 0), es_ladder_sheet_get_n (own) > 0);
  if (shown)
    es_ladder_walk_set_sheet (self->walk, own);
  es_ladder_sheet_unref (old);
  fill_beside (self);
}

void
es_ladder_view_show_sheet (EsLadderView *self, EsLadderSheet *sheet)
{
  guint i;

  g_return_if_fail (ES_IS_LADDER_VIEW (self));

  if (g_ptr_array_find (self->sheets, sheet, &i))
    gtk_toggle_button_set_active (g_ptr_array_index (self->of_buttons, i), TRUE);
}

gboolean
es_ladder_view_tells_all (EsLadderView *self)
{
  g_return_val_if_fail (ES_IS_LADDER_VIEW (self), TRUE);
  return es_ladder_walk_is_all_seen (self->walk);
}

/* ---- climbing ---- */

static void
on_changed (EsLadderView *self)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);
  const gboolean on = es_ladder_walk_is_on (self->walk);

  gtk_widget_set_visible (self->guess, on);
  gtk_widget_set_visible (self->roofs_card, sheet != NULL && sheet->roofs->len > 0);
  gtk_widget_set_visible (self->strategies_card, sheet != NULL && sheet->strategies->len > 0);
  self->updating = TRUE;
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->climb), on);
  self->updating = FALSE;
}

static void
on_climb (EsLadderView *self)
{
  if (!self->updating)
    es_ladder_walk_set_on (self->walk, gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->climb)));
}

static void
activate_climb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsLadderView *self = ES_LADDER_VIEW (widget);

  es_ladder_walk_set_on (self->walk, !es_ladder_walk_is_on (self->walk));
}

static void
activate_reveal (GtkWidget *widget, const char *name, GVariant *parameter)
{
  EsLadderView *self = ES_LADDER_VIEW (widget);
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);

  if (!es_ladder_walk_is_on (self->walk) || sheet == NULL || !es_ladder_guess_take (ES_LADDER_GUESS (self->guess)))
    return;
  if (sheet->measured)
    es_ladder_walk_reveal (self->walk);
  else
    gtk_widget_activate_action (widget, "win.lab-run", "s", self->operation);
}

static void
activate_reveal_all (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_ladder_walk_reveal_all (ES_LADDER_VIEW (widget)->walk);
}

static void
activate_restart (GtkWidget *widget, const char *name, GVariant *parameter)
{
  es_ladder_walk_restart (ES_LADDER_VIEW (widget)->walk);
}

/* ---- the widget ---- */

static GtkWidget *
make_card (const char *heading, GtkWidget *child, const char *class)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *label = gtk_label_new (heading);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, class);
  gtk_widget_set_hexpand (child, TRUE);
  gtk_box_append (GTK_BOX (card), child);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), card);
  return box;
}

static void
add_bar (EsLadderView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  gtk_widget_set_layout_manager (bar, es_wrap_layout_new (12, 6));
  self->climb = gtk_toggle_button_new_with_mnemonic (_("C_limb"));
  gtk_widget_set_tooltip_text (self->climb, _("Hides all times, and reveals one rung after the other once its speed-up"
                                              " has been guessed"));
  g_signal_connect_object (self->climb, "toggled", G_CALLBACK (on_climb), self, G_CONNECT_SWAPPED);
  self->of = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->of, "linked");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->of), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Whose ladder is shown"), -1);
  self->beside = gtk_drop_down_new (NULL, NULL);
  gtk_widget_set_tooltip_text (self->beside, _("Whose times are drawn below those that are shown"));
  g_signal_connect_object (self->beside, "notify::selected", G_CALLBACK (on_beside), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (bar), self->climb);
  gtk_box_append (GTK_BOX (bar), self->of);
  gtk_box_append (GTK_BOX (bar), self->beside);
  gtk_box_append (GTK_BOX (self->box), bar);
}

static void
fill (EsLadderView *self)
{
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *card;
  GtkWidget *right = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);

  add_bar (self);
  self->guess = es_ladder_guess_new (self->walk);
  card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->guess, "card");
  gtk_widget_add_css_class (self->guess, "es-lab-card");
  gtk_box_append (GTK_BOX (self->box), self->guess);
  self->rows = es_ladder_rows_new (self->walk);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "es-ladder-card");
  gtk_widget_set_hexpand (self->rows, TRUE);
  gtk_box_append (GTK_BOX (card), self->rows);
  gtk_box_append (GTK_BOX (self->box), card);

  self->strategies_card = make_card (_("Strategies"), es_ladder_switches_new (self->walk), "es-lab-card");
  self->roofs = es_ladder_roofs_new (self->walk, PLOT_HEIGHT);
  self->roofs_card = make_card (_("Roofline"), self->roofs, "es-lab-plot");
  gtk_box_append (GTK_BOX (right), self->roofs_card);
  gtk_box_append (GTK_BOX (right), self->strategies_card);
  gtk_widget_set_layout_manager (columns, es_ladder_columns_new (WIDE, SPACING));
  gtk_box_append (GTK_BOX (columns), make_card (_("The rung"), es_ladder_detail_new (self->walk), "es-lab-card"));
  gtk_box_append (GTK_BOX (columns), right);
  gtk_box_append (GTK_BOX (self->box), columns);
}

static void
es_ladder_view_dispose (GObject *object)
{
  EsLadderView *self = ES_LADDER_VIEW (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->sheets, g_ptr_array_unref);
  g_clear_pointer (&self->of_buttons, g_ptr_array_unref);
  g_clear_pointer (&self->beside_sheets, g_ptr_array_unref);
  g_clear_pointer (&self->operation, g_free);
  g_clear_object (&self->walk);
  G_OBJECT_CLASS (es_ladder_view_parent_class)->dispose (object);
}

static void
es_ladder_view_class_init (EsLadderViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);
  static const guint enter[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };

  G_OBJECT_CLASS (class)->dispose = es_ladder_view_dispose;
  gtk_widget_class_install_action (widget_class, "ladder.climb", NULL, activate_climb);
  gtk_widget_class_install_action (widget_class, "ladder.reveal", NULL, activate_reveal);
  gtk_widget_class_install_action (widget_class, "ladder.reveal-all", NULL, activate_reveal_all);
  gtk_widget_class_install_action (widget_class, "ladder.restart", NULL, activate_restart);
  for (guint i = 0; i < G_N_ELEMENTS (enter); i++)
    gtk_widget_class_add_binding_action (widget_class, enter[i], 0, "ladder.reveal", NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "ladderview");
}

static void
free_sheet (gpointer data)
{
  es_ladder_sheet_unref (data);
}

static void
es_ladder_view_init (EsLadderView *self)
{
  self->sheets = g_ptr_array_new_with_free_func (free_sheet);
  self->of_buttons = g_ptr_array_new ();
  self->beside_sheets = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_ladder_view_new (EsLadderWalk *walk, EsLadderSheet *own, const char *operation)
{
  EsLadderView *self;

  g_return_val_if_fail (ES_IS_LADDER_WALK (walk) && own != NULL, NULL);

  self = g_object_new (ES_TYPE_LADDER_VIEW, NULL);
  self->walk = g_object_ref (walk);
  self->operation = g_strdup (operation);
  es_ladder_walk_set_sheet (walk, own);
  fill (self);
  es_ladder_view_add_sheet (self, own);
  g_signal_connect_object (walk, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}
