/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-row.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-ladder-bar.h"
#include "lab/es-shown-unit.h"
#include "widgets/es-format.h"
#include "widgets/es-wheel.h"
#include "widgets/es-wrap-layout.h"

/* A guess within this factor of the truth is as good as right. */
#define RIGHT 1.1

struct _EsLadderRow
{
  GtkListBoxRow  parent_instance;

  EsLadderSheet *sheet;
  guint          rung;
  GtkWidget     *title, *bar, *words;      /* in the place of the bar: why there is none */
  GtkWidget     *cells[ES_LADDER_N_COLUMNS];
};

G_DEFINE_FINAL_TYPE (EsLadderRow, es_ladder_row, GTK_TYPE_LIST_BOX_ROW)

/* ---- texts ---- */

char *
es_ladder_format_gain (double gain)
{
  g_autofree char *number = NULL;

  if (!isfinite (gain))
    return NULL;
  number = gain >= 100 ? g_strdup_printf ("%.0f", gain) : gain >= 10 ? g_strdup_printf ("%.1f", gain)
           : g_strdup_printf ("%.2f", gain);
  /* TRANSLATORS: times as fast as another one: "3.41×" */
  return g_strdup_printf (_("%s×"), number);
}

char *
es_ladder_judge_guess (double guess, double truth)
{
  g_autofree char *off = NULL;

  if (!isfinite (guess) || !isfinite (truth) || truth <= 0)
    return NULL;
  if (truth < guess * RIGHT && guess < truth * RIGHT)
    return g_strdup (_("correct"));
  off = es_ladder_format_gain (fmax (truth / guess, guess / truth));
  /* TRANSLATORS: of a guess: "1.70× too little" */
  return guess < truth ? g_strdup_printf (_("%s too little"), off) : g_strdup_printf (_("%s too much"), off);
}

static const char *
mark_word (EsSheetMark mark)
{
  return mark == ES_SHEET_PRODUCTION ? _("what Eigenscope uses") : mark == ES_SHEET_LIBRARY ? _("library") : NULL;
}

/* ---- parts ---- */

static GtkWidget *
make_chip (EsLadderSheet *sheet, const char *id, gboolean added)
{
  const EsSheetStrategy *strategy = es_ladder_sheet_find_strategy (sheet, id);
  GtkWidget *chip = gtk_label_new (id);
  g_autofree char *words = NULL;

  gtk_widget_add_css_class (chip, "es-chip");
  if (added)
    gtk_widget_add_css_class (chip, "es-added");
  gtk_widget_set_valign (chip, GTK_ALIGN_CENTER);
  if (strategy == NULL)
    return chip;
  words = strategy->text != NULL ? g_strdup_printf ("%s\n%s", strategy->title, strategy->text)
                                 : g_strdup (strategy->title);
  es_set_tooltip (chip, words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (chip), GTK_ACCESSIBLE_PROPERTY_LABEL, strategy->title, -1);
  return chip;
}

/* Whether it is what a step adds to the one below it. */
static gboolean
is_added (EsLadderSheet *sheet, const EsSheetRung *rung, const char *strategy)
{
  return rung->mark == ES_SHEET_STEP && rung->below >= 0
         && !es_sheet_rung_has (es_ladder_sheet_get (sheet, (guint) rung->below), strategy);
}

/* What it is called, and behind it, or below where there is no room, its strategies. */
static GtkWidget *
make_title (EsLadderRow *self)
{
  const EsSheetRung *rung = es_ladder_sheet_get (self->sheet, self->rung);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  g_autofree char *markup = g_strcmp0 (rung->name, rung->title) == 0
                            ? g_markup_printf_escaped ("<b>%s</b>", rung->title)
                            : g_markup_printf_escaped ("<b>%s</b>  %s", rung->name, rung->title);
  const char *word = mark_word (rung->mark);

  gtk_widget_set_layout_manager (box, es_wrap_layout_new (5, 3));
  self->title = gtk_label_new (NULL);
  gtk_label_set_markup (GTK_LABEL (self->title), markup);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_label_set_wrap (GTK_LABEL (self->title), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->title), PANGO_WRAP_WORD_CHAR);
  gtk_box_append (GTK_BOX (box), self->title);
  if (word != NULL)
    {
      GtkWidget *label = gtk_label_new (word);

      gtk_widget_add_css_class (label, "es-chip");
      gtk_widget_add_css_class (label, rung->mark == ES_SHEET_PRODUCTION ? "es-production" : "es-library");
      gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
      gtk_box_append (GTK_BOX (box), label);
    }
  for (guint i = 0; rung->strategies[i] != NULL; i++)
    gtk_box_append (GTK_BOX (box), make_chip (self->sheet, rung->strategies[i],
                                              is_added (self->sheet, rung, rung->strategies[i])));
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  return box;
}

static GtkWidget *
make_cell (EsLadderColumn column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), column == ES_LADDER_COLUMN_GUESS ? 0 : 1);
  gtk_label_set_justify (GTK_LABEL (label), column == ES_LADDER_COLUMN_GUESS ? GTK_JUSTIFY_LEFT : GTK_JUSTIFY_RIGHT);
  gtk_widget_set_valign (label, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (label, "numeric");
  if (column == ES_LADDER_COLUMN_PUBLISHED || column == ES_LADDER_COLUMN_GUESS)
    gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  return label;
}

static GtkWidget *
make_words (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_lines (GTK_LABEL (label), 3);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, ES_LADDER_BAR_EDGE);
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
es_ladder_row_dispose (GObject *object)
{
  EsLadderRow *self = ES_LADDER_ROW (object);

  g_clear_pointer (&self->sheet, es_ladder_sheet_unref);
  G_OBJECT_CLASS (es_ladder_row_parent_class)->dispose (object);
}

static void
es_ladder_row_class_init (EsLadderRowClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_row_dispose;
}

static void
es_ladder_row_init (EsLadderRow *self)
{
}

GtkWidget *
es_ladder_row_new (EsLadderSheet *sheet, guint rung)
{
  EsLadderRow *self = g_object_new (ES_TYPE_LADDER_ROW, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  const EsSheetRung *its = es_ladder_sheet_get (sheet, rung);

  self->sheet = es_ladder_sheet_ref (sheet);
  self->rung = rung;
  self->cells[ES_LADDER_COLUMN_TITLE] = make_title (self);
  gtk_box_append (GTK_BOX (box), self->cells[ES_LADDER_COLUMN_TITLE]);
  self->bar = es_ladder_bar_new (its->mark);
  self->words = make_words (its->refused != NULL ? its->refused : its->wrong != NULL ? its->wrong : its->text);
  gtk_widget_set_hexpand (place, TRUE);
  gtk_box_append (GTK_BOX (place), self->bar);
  gtk_box_append (GTK_BOX (place), self->words);
  self->cells[ES_LADDER_COLUMN_BAR] = place;
  gtk_box_append (GTK_BOX (box), place);
  for (guint c = ES_LADDER_COLUMN_TIME; c < ES_LADDER_N_COLUMNS; c++)
    {
      self->cells[c] = make_cell (c);
      gtk_box_append (GTK_BOX (box), self->cells[c]);
    }
  gtk_widget_set_layout_manager (box, es_ladder_line_layout_new ());
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), box);
  gtk_widget_add_css_class (GTK_WIDGET (self), "es-rung");
  return GTK_WIDGET (self);
}

/* ---- what is seen ---- */

static void
set_cell (EsLadderRow *self, EsLadderColumn column, const char *text, const char *tooltip)
{
  gtk_label_set_label (GTK_LABEL (self->cells[column]), text != NULL ? text : "");
  es_set_tooltip (self->cells[column], tooltip);
}

static void
set_time (EsLadderRow *self, const EsSheetRung *rung, gboolean seen)
{
  g_autofree char *time = es_format_value (rung->seconds, "s"), *low = es_format_value (rung->low, "s");
  g_autofree char *high = es_format_value (rung->high, "s");
  /* TRANSLATORS: the shortest and the longest of several times */
  g_autofree char *spread = g_strdup_printf (_("%s to %s"), low, high);
  g_autofree char *below = es_ladder_format_gain (rung->over_below), *first = es_ladder_format_gain (rung->over_first);
  const gboolean counts = seen && isfinite (rung->seconds) && rung->refused == NULL;
  const EsSheetRung *under = rung->below >= 0 ? es_ladder_sheet_get (self->sheet, (guint) rung->below) : NULL;
  g_autofree char *over = under != NULL ? g_strdup_printf (_("Times as fast as %s"), under->name) : NULL;

  set_cell (self, ES_LADDER_COLUMN_TIME, counts ? time : seen ? "" : "?",
            counts && isfinite (rung->low) && isfinite (rung->high) ? spread : NULL);
  set_cell (self, ES_LADDER_COLUMN_BELOW, counts && rung->wrong == NULL ? below : NULL, counts ? over : NULL);
  set_cell (self, ES_LADDER_COLUMN_FIRST, counts && rung->wrong == NULL ? first : NULL, NULL);
}

static void
set_published (EsLadderRow *self, const EsSheetRung *rung, gboolean seen)
{
  g_autofree char *time = es_format_value (rung->published, "s");

  g_autofree char *words = rung->source_of != NULL && rung->hardware != NULL
                           ? g_strdup_printf ("%s\n%s", rung->hardware, rung->source_of) : g_strdup (rung->hardware);

  set_cell (self, ES_LADDER_COLUMN_PUBLISHED, seen && isfinite (rung->published) ? time : NULL,
            seen && isfinite (rung->published) ? words : NULL);
}

/* "2×" and below it "1.70× too little". */
static void
set_guess (EsLadderRow *self, double guess, double truth)
{
  g_autofree char *guessed = isfinite (guess) ? es_shown_digits (guess) : NULL;
  g_autofree char *judged = es_ladder_judge_guess (guess, truth);
  g_autofree char *text = guessed != NULL ? g_strdup_printf ("%s×%s%s", guessed, judged != NULL ? "\n" : "",
                                                             judged != NULL ? judged : "") : NULL;

  set_cell (self, ES_LADDER_COLUMN_GUESS, text, NULL);
}

/* What somebody hears who does not see the bar. */
static void
tell_all (EsLadderRow *self, const EsSheetRung *rung, gboolean seen)
{
  g_autoptr (GString) words = g_string_new (NULL);
  g_autofree char *time = es_format_value (rung->seconds, "s"), *below = es_ladder_format_gain (rung->over_below);

  g_string_append_printf (words, "%s, %s", rung->name, rung->title);
  if (!seen)
    g_string_append_printf (words, ": %s", _("not revealed yet"));
  else if (rung->refused != NULL || rung->wrong != NULL)
    g_string_append_printf (words, ": %s", rung->refused != NULL ? rung->refused : rung->wrong);
  else if (isfinite (rung->seconds))
    g_string_append_printf (words, ": %s%s%s", time, below != NULL ? ", " : "", below != NULL ? below : "");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, words->str, -1);
}

static void
set_class (GtkWidget *widget, const char *class, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (widget, class);
  else
    gtk_widget_remove_css_class (widget, class);
}

void
es_ladder_row_update (EsLadderRow *self, EsLadderWalk *walk, double from, double to, const EsSheetRung *beside,
                      guint columns)
{
  const EsSheetRung *rung = es_ladder_sheet_get (self->sheet, self->rung);
  const gboolean seen = es_ladder_walk_is_seen (walk, self->rung);
  const gboolean lost = seen && (rung->refused != NULL || rung->wrong != NULL);
  es_ladder_bar_set_range (ES_LADDER_BAR (self->bar), from, to);
  es_ladder_bar_set_hidden (ES_LADDER_BAR (self->bar), !seen);
  es_ladder_bar_set_time (ES_LADDER_BAR (self->bar), seen ? rung->seconds : NAN, rung->low, rung->high);
  es_ladder_bar_set_others (ES_LADDER_BAR (self->bar), seen ? rung->published : NAN,
                            seen && beside != NULL ? beside->seconds : NAN);
  /* Before anything has been measured there is room for what it changes. */
  gtk_widget_set_visible (self->bar, !lost && self->sheet->measured);
  gtk_widget_set_visible (self->words, lost || !self->sheet->measured);
  set_class (self->cells[ES_LADDER_COLUMN_TITLE], "dim-label", lost);
  set_time (self, rung, seen);
  set_published (self, rung, seen);
  set_guess (self, es_ladder_walk_get_guess (walk, self->rung), seen ? rung->over_below : NAN);
  for (guint c = ES_LADDER_COLUMN_TIME; c < ES_LADDER_N_COLUMNS; c++)
    gtk_widget_set_visible (self->cells[c], (columns & (1u << c)) != 0);
  tell_all (self, rung, seen);
}
