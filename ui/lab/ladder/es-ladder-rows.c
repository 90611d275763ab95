/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-rows.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-ladder-bar.h"
#include "es-ladder-row.h"

struct _EsLadderRows
{
  GtkWidget      parent_instance;

  EsLadderWalk  *walk;
  EsLadderSheet *sheet, *beside;     /* those that the rows are of; nullable */
  GtkWidget     *box, *heading, *axis, *list, *published;
  GtkWidget     *titles[ES_LADDER_N_COLUMNS];
  gboolean       selecting;
};

G_DEFINE_FINAL_TYPE (EsLadderRows, es_ladder_rows, GTK_TYPE_WIDGET)

/* ---- the axis ---- */

static void
extend (double seconds, double *least, double *most)
{
  if (!isfinite (seconds) || seconds <= 0)
    return;
  *least = fmin (*least, seconds);
  *most = fmax (*most, seconds);
}

/* Whole decades round what may be seen: nothing of what may not. */
static void
find_range (EsLadderRows *self, double *from, double *to)
{
  double least = INFINITY, most = 0;

  for (guint i = 0; i < es_ladder_sheet_get_n (self->sheet); i++)
    {
      const EsSheetRung *rung = es_ladder_sheet_get (self->sheet, i);
      const int other = self->beside != NULL ? es_ladder_sheet_find (self->beside, rung->id) : -1;

      if (!es_ladder_walk_is_seen (self->walk, i) || rung->refused != NULL || rung->wrong != NULL)
        continue;
      extend (rung->seconds, &least, &most);
      extend (rung->published, &least, &most);
      if (other >= 0)
        extend (es_ladder_sheet_get (self->beside, (guint) other)->seconds, &least, &most);
    }
  *from = *to = NAN;
  if (most <= 0 || !self->sheet->measured)
    return;
  *from = pow (10, floor (log10 (least / 1.3)));
  *to = pow (10, ceil (log10 (most)));
}

/* ---- what is seen ---- */

static guint
list_columns (EsLadderRows *self)
{
  gboolean published = FALSE;
  guint columns = 1u << ES_LADDER_COLUMN_TITLE | 1u << ES_LADDER_COLUMN_BAR;

  for (guint i = 0; i < es_ladder_sheet_get_n (self->sheet); i++)
    published = published || isfinite (es_ladder_sheet_get (self->sheet, i)->published);
  if (self->sheet != NULL && self->sheet->measured)
    columns |= 1u << ES_LADDER_COLUMN_TIME | 1u << ES_LADDER_COLUMN_BELOW | 1u << ES_LADDER_COLUMN_FIRST;
  if (published)
    columns |= 1u << ES_LADDER_COLUMN_PUBLISHED;
  if (es_ladder_walk_is_on (self->walk))
    columns |= 1u << ES_LADDER_COLUMN_GUESS;
  return columns;
}

static void
update (EsLadderRows *self)
{
  const guint columns = list_columns (self);
  double from, to;

  find_range (self, &from, &to);
  es_ladder_bar_set_range (ES_LADDER_BAR (self->axis), from, to);
  gtk_label_set_label (GTK_LABEL (self->titles[ES_LADDER_COLUMN_TITLE]),
                       self->sheet != NULL && self->sheet->size != NULL ? self->sheet->size : _("Rung"));
  for (guint c = ES_LADDER_COLUMN_TIME; c < ES_LADDER_N_COLUMNS; c++)
    gtk_widget_set_visible (self->titles[c], (columns & (1u << c)) != 0);
  for (guint i = 0; i < es_ladder_sheet_get_n (self->sheet); i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i);
      const int other = self->beside != NULL
                        ? es_ladder_sheet_find (self->beside, es_ladder_sheet_get (self->sheet, i)->id) : -1;

      es_ladder_row_update (ES_LADDER_ROW (row), self->walk, from, to,
                            other >= 0 ? es_ladder_sheet_get (self->beside, (guint) other) : NULL, columns);
    }
}

/* Of whom the thin bars are, and of how much work: times of another size do not compare. */
static void
add_beside (EsLadderRows *self, GString *text)
{
  const EsLadderSheet *beside = self->beside;

  if (beside == NULL || beside->of == NULL)
    return;
  g_string_append (text, text->len > 0 ? "\n" : "");
  if (beside->size != NULL)
    /* TRANSLATORS: below bars of two machines: another machine, and the size of what it did */
    g_string_append_printf (text, _("Thin bars: %s, %s"), beside->of, beside->size);
  else
    g_string_append_printf (text, _("Thin bars: %s"), beside->of);
}

/* On what was published, each hardware once, and on what is drawn beside. */
static void
tell_below (EsLadderRows *self)
{
  g_autoptr (GPtrArray) seen = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < es_ladder_sheet_get_n (self->sheet); i++)
    {
      const EsSheetRung *rung = es_ladder_sheet_get (self->sheet, i);

      if (rung->hardware == NULL || g_ptr_array_find_with_equal_func (seen, rung->hardware, g_str_equal, NULL))
        continue;
      g_ptr_array_add (seen, rung->hardware);
      g_string_append_printf (text, "%s◇ %s%s%s", text->len > 0 ? "\n" : "",
                              rung->source_of != NULL ? rung->source_of : "", rung->source_of != NULL ? ": " : "",
                              rung->hardware);
    }
  if (text->len > 0 && self->sheet->published_size != NULL)
    /* TRANSLATORS: below the times of a ladder and published ones: the size of what was published */
    g_string_append_printf (text, _("\n◇ Published of %s: gains compare, times do not."), self->sheet->published_size);
  add_beside (self, text);
  gtk_label_set_label (GTK_LABEL (self->published), text->str);
  gtk_widget_set_visible (self->published, text->len > 0);
}

/* As far as it takes to see all of a row in what scrolls around it. */
static void
scroll_to (EsLadderRows *self, GtkWidget *row)
{
  GtkWidget *scroller = gtk_widget_get_ancestor (GTK_WIDGET (self), GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t bounds;
  GtkAdjustment *adjustment;
  double over;

  if (scroller == NULL || !gtk_widget_compute_bounds (row, scroller, &bounds) || bounds.size.height <= 0)
    return;
  adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (scroller));
  over = bounds.origin.y < 0 ? bounds.origin.y
         : fmax (bounds.origin.y + bounds.size.height - gtk_widget_get_height (scroller), 0);
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + over);
}

static void
on_selected (EsLadderRows *self)
{
  const int selected = es_ladder_walk_get_selected (self->walk);
  GtkListBoxRow *row = selected >= 0 ? gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), selected) : NULL;

  if (self->selecting || row == NULL)
    return;
  self->selecting = TRUE;
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
  self->selecting = FALSE;
  if (es_ladder_walk_is_on (self->walk))
    scroll_to (self, GTK_WIDGET (row));
}

static void
on_changed (EsLadderRows *self)
{
  EsLadderSheet *sheet = es_ladder_walk_get_sheet (self->walk);

  if (sheet != self->sheet)
    {
      GtkWidget *row;

      self->selecting = TRUE;
      while ((row = gtk_widget_get_first_child (self->list)) != NULL)
        gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
      self->selecting = FALSE;
      es_ladder_sheet_unref (self->sheet);
      self->sheet = sheet != NULL ? es_ladder_sheet_ref (sheet) : NULL;
      for (guint i = 0; i < es_ladder_sheet_get_n (sheet); i++)
        gtk_list_box_append (GTK_LIST_BOX (self->list), es_ladder_row_new (sheet, i));
    }
  update (self);
  tell_below (self);
  on_selected (self);
}

void
es_ladder_rows_set_beside (EsLadderRows *self, EsLadderSheet *beside)
{
  EsLadderSheet *old = self->beside;

  g_return_if_fail (ES_IS_LADDER_ROWS (self));

  self->beside = beside != NULL ? es_ladder_sheet_ref (beside) : NULL;
  es_ladder_sheet_unref (old);
  update (self);
  tell_below (self);
}

/* ---- by hand ---- */

static void
on_row_selected (GtkListBox *list, GtkListBoxRow *row, EsLadderRows *self)
{
  if (self->selecting || row == NULL)
    return;
  self->selecting = TRUE;
  es_ladder_walk_select (self->walk, (guint) gtk_list_box_row_get_index (row));
  self->selecting = FALSE;
}

static void
on_row_activated (GtkListBox *list, GtkListBoxRow *row, EsLadderRows *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "ladder.reveal", NULL);
}

/* ---- the widget ---- */

static void
add_heading (EsLadderRows *self)
{
  const char *const titles[ES_LADDER_N_COLUMNS] = {
    [ES_LADDER_COLUMN_TITLE] = _("Rung"), [ES_LADDER_COLUMN_TIME] = _("Time"),
    /* TRANSLATORS: above a column of speed-ups over the rung below */
    [ES_LADDER_COLUMN_BELOW] = _("Over\nbelow"),
    /* TRANSLATORS: above a column of speed-ups over the first rung; ◇ is how published times are drawn */
    [ES_LADDER_COLUMN_FIRST] = _("Over\nfirst"), [ES_LADDER_COLUMN_PUBLISHED] = _("◇ Published"),
    [ES_LADDER_COLUMN_GUESS] = _("Guess"),
  };

  self->heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->heading, es_ladder_line_layout_new ());
  gtk_widget_add_css_class (self->heading, "es-rung-heading");
  self->axis = es_ladder_bar_new_axis ();
  for (guint c = 0; c < ES_LADDER_N_COLUMNS; c++)
    {
      const gboolean left = c == ES_LADDER_COLUMN_TITLE || c == ES_LADDER_COLUMN_GUESS;

      self->titles[c] = c == ES_LADDER_COLUMN_BAR ? self->axis : gtk_label_new (titles[c]);
      gtk_widget_set_valign (self->titles[c], GTK_ALIGN_END);
      gtk_box_append (GTK_BOX (self->heading), self->titles[c]);
      if (c == ES_LADDER_COLUMN_BAR)
        continue;
      gtk_label_set_xalign (GTK_LABEL (self->titles[c]), left ? 0 : 1);
      gtk_label_set_wrap (GTK_LABEL (self->titles[c]), c == ES_LADDER_COLUMN_TITLE);
      gtk_label_set_justify (GTK_LABEL (self->titles[c]), left ? GTK_JUSTIFY_LEFT : GTK_JUSTIFY_RIGHT);
      gtk_widget_add_css_class (self->titles[c], "caption");
      gtk_widget_add_css_class (self->titles[c], "dim-label");
    }
  gtk_box_append (GTK_BOX (self->box), self->heading);
}

static void
es_ladder_rows_dispose (GObject *object)
{
  EsLadderRows *self = ES_LADDER_ROWS (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->sheet, es_ladder_sheet_unref);
  g_clear_pointer (&self->beside, es_ladder_sheet_unref);
  g_clear_object (&self->walk);
  G_OBJECT_CLASS (es_ladder_rows_parent_class)->dispose (object);
}

static void
es_ladder_rows_class_init (EsLadderRowsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_rows_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "ladderrows");
}

static void
es_ladder_rows_init (EsLadderRows *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  add_heading (self);
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_BROWSE);
  gtk_list_box_set_activate_on_single_click (GTK_LIST_BOX (self->list), FALSE);
  gtk_widget_add_css_class (self->list, "es-rungs");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Rungs"), -1);
  g_signal_connect (self->list, "row-selected", G_CALLBACK (on_row_selected), self);
  g_signal_connect (self->list, "row-activated", G_CALLBACK (on_row_activated), self);
  gtk_box_append (GTK_BOX (self->box), self->list);
  self->published = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->published), 0);
  gtk_label_set_wrap (GTK_LABEL (self->published), TRUE);
  gtk_widget_add_css_class (self->published, "caption");
  gtk_widget_add_css_class (self->published, "dim-label");
  gtk_widget_add_css_class (self->published, "es-rung-heading");
  gtk_box_append (GTK_BOX (self->box), self->published);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_ladder_rows_new (EsLadderWalk *walk)
{
  EsLadderRows *self = g_object_new (ES_TYPE_LADDER_ROWS, NULL);

  self->walk = g_object_ref (walk);
  g_signal_connect_object (walk, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (walk, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  on_changed (self);
  return GTK_WIDGET (self);
}
