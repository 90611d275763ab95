/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-diff-view.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "widgets/es-wheel.h"

#define AROUND 3               /* lines beside a change that are shown with it */
#define HIGHEST 460
#define MARGIN 6

struct _EsLadderDiffView
{
  GtkWidget          parent_instance;

  const EsSheetRung *rung, *below;   /* nullable */
  GtkWidget         *box, *heading, *whole, *frame, *none;
  GtkWidget         *numbers, *text; /* GtkTextView, side by side, scrolled together */
};

G_DEFINE_FINAL_TYPE (EsLadderDiffView, es_ladder_diff_view, GTK_TYPE_WIDGET)

static gboolean
is_whole (EsLadderDiffView *self)
{
  return self->below == NULL || gtk_check_button_get_active (GTK_CHECK_BUTTON (self->whole));
}

/* ---- what is written ---- */

static const EsSheetLine *
line_of (EsLadderDiffView *self, guint i)
{
  return &g_array_index (self->rung->lines, EsSheetLine, i);
}

/* Whether a line has a change near it. */
static gboolean
is_near (EsLadderDiffView *self, guint i)
{
  const guint from = i > AROUND ? i - AROUND : 0, to = MIN (i + AROUND + 1, self->rung->lines->len);

  for (guint k = from; k < to; k++)
    if (line_of (self, k)->change != ES_SHEET_SAME)
      return TRUE;
  return FALSE;
}

static const char *
tag_of (EsSheetChange change)
{
  return change == ES_SHEET_ADDED ? "added" : change == ES_SHEET_REMOVED ? "removed" : NULL;
}

/* Lines of one kind go to a buffer together: each insertion has its price. */
typedef struct
{
  GtkTextBuffer *buffer;
  GString       *text;
  const char    *tag;                /* nullable */
} Writer;

static void
flush (Writer *self)
{
  GtkTextIter end;

  if (self->text->len == 0)
    return;
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  if (self->tag != NULL)
    gtk_text_buffer_insert_with_tags_by_name (self->buffer, &end, self->text->str, (int) self->text->len, self->tag,
                                              NULL);
  else
    gtk_text_buffer_insert (self->buffer, &end, self->text->str, (int) self->text->len);
  g_string_truncate (self->text, 0);
}

/* The end of a line is what its colour reaches to. */
static void
append_line (Writer *self, const char *text, const char *tag)
{
  if (g_strcmp0 (tag, self->tag) != 0)
    flush (self);
  self->tag = tag;
  /* A line with nothing in it would have no colour. */
  g_string_append (self->text, *text == '\0' && tag != NULL ? " " : text);
  g_string_append_c (self->text, '\n');
}

/* Behind the last line there is none. */
static void
finish (Writer *self)
{
  if (self->text->len > 0)
    g_string_truncate (self->text, self->text->len - 1);
  flush (self);
  g_string_free (self->text, TRUE);
}

/* A text view does not ask for the width of its lines before they are on the screen. */
static void
set_gutter (EsLadderDiffView *self, gboolean compared, int width)
{
  g_autofree char *widest = g_strnfill (compared ? 2 * width + 3 : width, '0');
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (self->numbers, widest);
  int pixels;

  pango_layout_get_pixel_size (layout, &pixels, NULL);
  gtk_widget_set_size_request (self->numbers, pixels + 2 * MARGIN + 2, -1);
}

/* "  12   13 +", with blanks where a line is not in one of them. */
static char *
format_numbers (const EsSheetLine *line, gboolean compared, int width)
{
  g_autofree char *old = line->old > 0 ? g_strdup_printf ("%u", line->old) : g_strdup ("");
  g_autofree char *new = line->new > 0 ? g_strdup_printf ("%u", line->new) : g_strdup ("");

  if (!compared)
    return g_strdup_printf ("%*s", width, new);
  return g_strdup_printf ("%*s %*s %s", width, old, width, new,
                          line->change == ES_SHEET_ADDED ? "+" : line->change == ES_SHEET_REMOVED ? "−" : " ");
}

static Writer
begin (GtkWidget *view)
{
  Writer self = { gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), g_string_new (NULL), NULL };

  gtk_text_buffer_set_text (self.buffer, "", -1);
  return self;
}

static void
fill (EsLadderDiffView *self)
{
  Writer numbers = begin (self->numbers), text = begin (self->text);
  const gboolean whole = is_whole (self);
  const int width = self->rung != NULL && self->rung->lines->len >= 1000 ? 4 : 3;
  gboolean gap = FALSE, begun = FALSE;

  set_gutter (self, self->below != NULL, width);
  for (guint i = 0; self->rung != NULL && i < self->rung->lines->len; i++)
    {
      const EsSheetLine *line = line_of (self, i);
      g_autofree char *number = NULL;

      if (!whole && !is_near (self, i))
        {
          gap = TRUE;
          continue;
        }
      if (gap && begun)
        {
          append_line (&numbers, "⋯", "gap");
          append_line (&text, "", "gap");
        }
      gap = FALSE;
      begun = TRUE;
      number = format_numbers (line, self->below != NULL, width);
      append_line (&numbers, number, tag_of (line->change));
      append_line (&text, line->text, tag_of (line->change));
    }
  finish (&numbers);
  finish (&text);
}

static void
update (EsLadderDiffView *self)
{
  const gboolean has = self->rung != NULL && self->rung->lines->len > 0;
  guint added = 0, removed = 0;
  g_autofree char *heading = NULL;

  for (guint i = 0; has && i < self->rung->lines->len; i++)
    {
      added += line_of (self, i)->change == ES_SHEET_ADDED;
      removed += line_of (self, i)->change == ES_SHEET_REMOVED;
    }
  if (has && self->below != NULL)
    /* TRANSLATORS: lines that were put into a source and taken out of it: "Beside V1: +12 −3 lines" */
    heading = g_strdup_printf (_("Beside %s: +%u −%u lines"), self->below->name, added, removed);
  gtk_label_set_label (GTK_LABEL (self->heading), heading != NULL ? heading : _("Source"));
  gtk_widget_set_visible (self->whole, has && self->below != NULL);
  gtk_widget_set_visible (self->frame, has);
  gtk_widget_set_visible (self->none, !has);
  fill (self);
}

/* ---- colours ---- */

/* Behind a text that keeps its own colour, so that it can be read in both styles. */
static void
set_colors (EsLadderDiffView *self)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const GdkRGBA added = { 0.15f, 0.64f, 0.41f, dark ? 0.30f : 0.20f };
  const GdkRGBA removed = { 0.88f, 0.11f, 0.14f, dark ? 0.30f : 0.15f };
  const GdkRGBA gap = { 0.5f, 0.5f, 0.5f, 0.15f };
  GtkWidget *views[] = { self->numbers, self->text };

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      GtkTextTagTable *table = gtk_text_buffer_get_tag_table (gtk_text_view_get_buffer (GTK_TEXT_VIEW (views[i])));

      g_object_set (gtk_text_tag_table_lookup (table, "added"), "paragraph-background-rgba", &added, NULL);
      g_object_set (gtk_text_tag_table_lookup (table, "removed"), "paragraph-background-rgba", &removed, NULL);
      g_object_set (gtk_text_tag_table_lookup (table, "gap"), "paragraph-background-rgba", &gap, NULL);
    }
}

/* ---- the widget ---- */

static GtkWidget *
make_text (const char *label)
{
  GtkWidget *widget = gtk_text_view_new ();
  GtkTextView *view = GTK_TEXT_VIEW (widget);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);

  gtk_text_view_set_editable (view, FALSE);
  gtk_text_view_set_cursor_visible (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_text_view_set_left_margin (view, MARGIN);
  gtk_text_view_set_right_margin (view, MARGIN);
  gtk_text_view_set_top_margin (view, MARGIN);
  gtk_text_view_set_bottom_margin (view, MARGIN);
  gtk_text_buffer_create_tag (buffer, "added", NULL);
  gtk_text_buffer_create_tag (buffer, "removed", NULL);
  gtk_text_buffer_create_tag (buffer, "gap", NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_add_css_class (widget, "es-diff");
  return widget;
}

static GtkWidget *
make_scroller (GtkWidget *child, GtkPolicyType across, GtkPolicyType down)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), across, down);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), HIGHEST);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), child);
  return scroller;
}

static void
es_ladder_diff_view_dispose (GObject *object)
{
  g_clear_pointer (&ES_LADDER_DIFF_VIEW (object)->box, gtk_widget_unparent);
  G_OBJECT_CLASS (es_ladder_diff_view_parent_class)->dispose (object);
}

static void
es_ladder_diff_view_class_init (EsLadderDiffViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_ladder_diff_view_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "ladderdiff");
}

static void
es_ladder_diff_view_init (EsLadderDiffView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *left, *right;

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->heading = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->heading), 0);
  gtk_label_set_wrap (GTK_LABEL (self->heading), TRUE);
  gtk_widget_set_hexpand (self->heading, TRUE);
  gtk_widget_add_css_class (self->heading, "heading");
  self->whole = gtk_check_button_new_with_mnemonic (_("W_hole source"));
  g_signal_connect_object (self->whole, "toggled", G_CALLBACK (fill), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (bar), self->heading);
  gtk_box_append (GTK_BOX (bar), self->whole);

  self->numbers = make_text (_("Numbers of lines, and which were added (+) and taken out (−)"));
  gtk_widget_set_can_focus (self->numbers, FALSE);
  gtk_widget_set_can_target (self->numbers, FALSE);
  gtk_widget_add_css_class (self->numbers, "es-line-numbers");
  self->text = make_text (_("Source of the rung"));
  left = make_scroller (self->numbers, GTK_POLICY_NEVER, GTK_POLICY_EXTERNAL);
  right = make_scroller (self->text, GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_vadjustment (GTK_SCROLLED_WINDOW (left),
                                       gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (right)));
  gtk_widget_set_hexpand (right, TRUE);
  es_hand_on_wheel (right);
  self->frame = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->frame, "es-diff-frame");
  gtk_widget_set_overflow (self->frame, GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (self->frame), left);
  gtk_box_append (GTK_BOX (self->frame), right);

  self->none = gtk_label_new (_("There is no source to read: it is a library's, or not in this build."));
  gtk_label_set_xalign (GTK_LABEL (self->none), 0);
  gtk_label_set_wrap (GTK_LABEL (self->none), TRUE);
  gtk_widget_add_css_class (self->none, "dim-label");
  gtk_box_append (GTK_BOX (self->box), bar);
  gtk_box_append (GTK_BOX (self->box), self->frame);
  gtk_box_append (GTK_BOX (self->box), self->none);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  set_colors (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (set_colors), self,
                           G_CONNECT_SWAPPED);
  update (self);
}

GtkWidget *
es_ladder_diff_view_new (void)
{
  return g_object_new (ES_TYPE_LADDER_DIFF_VIEW, NULL);
}

void
es_ladder_diff_view_show (EsLadderDiffView *self, const EsSheetRung *rung, const EsSheetRung *below)
{
  g_return_if_fail (ES_IS_LADDER_DIFF_VIEW (self));

  if (self->rung == rung && self->below == below)
    return;
  self->rung = rung;
  self->below = rung != NULL && rung->lines->len > 0 ? below : NULL;
  update (self);
}

void
es_ladder_diff_view_set_whole (EsLadderDiffView *self, gboolean whole)
{
  g_return_if_fail (ES_IS_LADDER_DIFF_VIEW (self));

  gtk_check_button_set_active (GTK_CHECK_BUTTON (self->whole), whole);
}

char *
es_ladder_diff_view_get_text (EsLadderDiffView *self)
{
  g_return_val_if_fail (ES_IS_LADDER_DIFF_VIEW (self), NULL);

  GString *all = g_string_new (NULL);

  for (guint i = 0; self->rung != NULL && i < self->rung->lines->len; i++)
    if (is_whole (self) || is_near (self, i))
      g_string_append_printf (all, "%s %s\n", line_of (self, i)->change == ES_SHEET_ADDED ? "+"
                              : line_of (self, i)->change == ES_SHEET_REMOVED ? "-" : " ", line_of (self, i)->text);
  return g_string_free (all, FALSE);
}
