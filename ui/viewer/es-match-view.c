/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-match-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "statistics/es-correlate.h"
#include "widgets/es-export.h"
#include "widgets/es-format.h"

#define LIST_WIDTH 250

struct _EsMatchView
{
  GtkWidget         parent_instance;

  /* children */
  GtkWidget        *box;
  GtkWidget        *title;
  GtkWidget        *summary;
  GtkWidget        *pages;       /* "busy", "matrix", "message" */
  GtkWidget        *message;
  GtkWidget        *spinner;
  EsMatrixView     *matrix;
  GtkWidget        *list;

  GObject          *rows, *columns;
  GCancellable     *cancellable; /* of what is being computed; nullable */
  EsComponentMatch *matches;
  guint             n_matches;
};

enum { PAIR_ACTIVATED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsMatchView, es_match_view, GTK_TYPE_WIDGET)

static void
clear_list (EsMatchView *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  g_clear_pointer (&self->matches, g_free);
  self->n_matches = 0;
}

static int
compare_matches (gconstpointer a, gconstpointer b)
{
  double x = fabs (((const EsComponentMatch *) a)->correlation);
  double y = fabs (((const EsComponentMatch *) b)->correlation);

  return (x < y) - (x > y);
}

/* Every component gets a partner, but below this absolute correlation they share next to nothing. */
#define LEAST_CORRELATION 0.3

static gboolean
is_meaningful (const EsComponentMatch *match)
{
  return fabs (match->correlation) >= LEAST_CORRELATION;
}

static void
add_row (EsMatchView *self, EsMatrix *matrix, const EsComponentMatch *match)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  g_autofree char *pair = g_strdup_printf ("%s – %s", es_matrix_get_row_title (matrix, match->row),
                                           es_matrix_get_column_title (matrix, match->column));
  g_autofree char *number = es_format_number (match->correlation, 2);
  GtkWidget *names = gtk_label_new (pair), *value = gtk_label_new (number);

  gtk_label_set_xalign (GTK_LABEL (names), 0);
  gtk_label_set_ellipsize (GTK_LABEL (names), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (names, TRUE);
  gtk_widget_set_tooltip_text (names, pair);
  gtk_widget_add_css_class (value, "numeric");
  if (!is_meaningful (match))
    {
      g_autofree char *weak = g_strdup_printf (_("%s: they have next to nothing in common"), pair);

      gtk_widget_set_tooltip_text (row, weak);
      gtk_widget_set_tooltip_text (names, weak);
      gtk_widget_add_css_class (names, "dim-label");
      gtk_widget_add_css_class (value, "dim-label");
    }
  gtk_box_append (GTK_BOX (row), names);
  gtk_box_append (GTK_BOX (row), value);
  gtk_list_box_append (GTK_LIST_BOX (self->list), row);
}

static void
show_matches (EsMatchView *self, EsMatrix *matrix)
{
  g_autofree int *columns = g_new (int, MAX (es_matrix_get_n_rows (matrix), 1));
  double sum = 0;

  self->matches = es_match_components (matrix, &self->n_matches);
  for (guint i = 0; i < es_matrix_get_n_rows (matrix); i++)
    columns[i] = -1;
  for (guint i = 0; i < self->n_matches; i++)
    {
      if (is_meaningful (&self->matches[i]))
        columns[self->matches[i].row] = (int) self->matches[i].column;
      sum += fabs (self->matches[i].correlation);
    }
  es_matrix_view_set_matches (self->matrix, columns);
  if (self->n_matches > 1)
    qsort (self->matches, self->n_matches, sizeof *self->matches, compare_matches);
  for (guint i = 0; i < self->n_matches; i++)
    add_row (self, matrix, &self->matches[i]);
  if (self->n_matches > 0)
    {
      g_autofree char *mean = es_format_number (sum / self->n_matches, 2);
      /* TRANSLATORS: of pairs of components; %s is the mean of their absolute correlations */
      g_autofree char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u pair, mean |r| %s",
                                                            "%u pairs, mean |r| %s", self->n_matches),
                                               self->n_matches, mean);

      gtk_label_set_text (GTK_LABEL (self->summary), text);
    }
  else
    gtk_label_set_text (GTK_LABEL (self->summary), _("no pairs"));
}

static void
on_correlated (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsMatchView) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMatrix) matrix = es_correlate_finish (result, &error);
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));

  /* A newer one is under way, or the view has gone. */
  if (cancellable != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  gtk_spinner_stop (GTK_SPINNER (self->spinner));
  if (matrix == NULL)
    {
      g_autofree char *shown = es_text_show_lines (error->message);

      gtk_label_set_text (GTK_LABEL (self->message), shown);
      gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "message");
      g_clear_object (&self->rows);
      g_clear_object (&self->columns);
      return;
    }
  es_matrix_view_set_matrix (self->matrix, matrix);
  clear_list (self);
  show_matches (self, matrix);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "matrix");
}

void
es_match_view_cancel (EsMatchView *self)
{
  g_return_if_fail (ES_IS_MATCH_VIEW (self));

  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->rows);
  g_clear_object (&self->columns);
}

void
es_match_view_compute (EsMatchView *self, GObject *rows, const char *rows_title, GObject *columns,
                       const char *columns_title)
{
  g_autofree char *title = NULL;

  g_return_if_fail (ES_IS_MATCH_VIEW (self));
  g_return_if_fail (G_IS_OBJECT (rows) && G_IS_OBJECT (columns));

  if (rows == self->rows && columns == self->columns)
    return;
  es_match_view_cancel (self);
  g_set_object (&self->rows, rows);
  g_set_object (&self->columns, columns);
  self->cancellable = g_cancellable_new ();
  /* TRANSLATORS: what is correlated with what: "PCA 5 of 218 · Components with True abundances" */
  title = g_strdup_printf (_("%s with %s"), rows_title, columns_title);
  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_widget_set_tooltip_text (self->title, title);
  gtk_label_set_text (GTK_LABEL (self->summary), "");
  gtk_spinner_start (GTK_SPINNER (self->spinner));
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "busy");
  es_correlate_async (rows, columns, rows_title, columns_title, self->cancellable, on_correlated,
                      g_object_ref (self));
}

gboolean
es_match_view_is_busy (EsMatchView *self)
{
  g_return_val_if_fail (ES_IS_MATCH_VIEW (self), FALSE);
  return self->cancellable != NULL;
}

EsMatrixView *
es_match_view_get_matrix_view (EsMatchView *self)
{
  g_return_val_if_fail (ES_IS_MATCH_VIEW (self), NULL);
  return self->matrix;
}

guint
es_match_view_get_n_matches (EsMatchView *self)
{
  g_return_val_if_fail (ES_IS_MATCH_VIEW (self), 0);
  return self->n_matches;
}

static void
on_cell (EsMatchView *self, guint row, guint column)
{
  g_signal_emit (self, signals[PAIR_ACTIVATED], 0, row, column);
}

static void
on_row_activated (EsMatchView *self, GtkListBoxRow *row)
{
  guint at = (guint) gtk_list_box_row_get_index (row);

  if (at >= self->n_matches)
    return;
  es_matrix_view_select (self->matrix, self->matches[at].row, self->matches[at].column);
  g_signal_emit (self, signals[PAIR_ACTIVATED], 0, self->matches[at].row, self->matches[at].column);
}

/* ---- the widget ---- */

static GtkWidget *
make_heading (EsMatchView *self)
{
  GtkWidget *heading = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *back = gtk_button_new_with_label (_("Pictures"));

  self->title = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (self->title), 0);
  gtk_widget_set_hexpand (self->title, TRUE);
  gtk_widget_add_css_class (self->title, "heading");
  self->summary = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->summary, "dim-label");
  gtk_widget_add_css_class (self->summary, "numeric");
  gtk_widget_set_tooltip_text (back, _("Back to the pictures"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "view.correlate");
  gtk_widget_add_css_class (heading, "match-heading");
  gtk_box_append (GTK_BOX (heading), self->title);
  gtk_box_append (GTK_BOX (heading), self->summary);
  gtk_box_append (GTK_BOX (heading), back);
  return heading;
}

static GtkWidget *
make_columns (EsMatchView *self)
{
  GtkWidget *columns = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->matrix = ES_MATRIX_VIEW (es_matrix_view_new ());
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_NONE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Matched pairs"), -1);
  gtk_widget_add_css_class (self->list, "match-list");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  gtk_widget_set_size_request (scroller, LIST_WIDTH, -1);
  gtk_box_append (GTK_BOX (columns), GTK_WIDGET (self->matrix));
  gtk_box_append (GTK_BOX (columns), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (columns), scroller);
  g_signal_connect_object (self->matrix, "cell-activated", G_CALLBACK (on_cell), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (on_row_activated), self, G_CONNECT_SWAPPED);
  return columns;
}

static GtkWidget *
make_busy (EsMatchView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);

  self->spinner = gtk_spinner_new ();
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), self->spinner);
  gtk_box_append (GTK_BOX (box), gtk_label_new (_("Correlating…")));
  return box;
}

static void
es_match_view_dispose (GObject *object)
{
  EsMatchView *self = ES_MATCH_VIEW (object);

  es_match_view_cancel (self);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->rows);
  g_clear_object (&self->columns);
  g_clear_pointer (&self->matches, g_free);
  self->n_matches = 0;
  G_OBJECT_CLASS (es_match_view_parent_class)->dispose (object);
}

static void
es_match_view_class_init (EsMatchViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_match_view_dispose;
  signals[PAIR_ACTIVATED] = g_signal_new ("pair-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "matchview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_match_view_init (EsMatchView *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->box), make_heading (self));
  self->pages = gtk_stack_new ();
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_stack_add_named (GTK_STACK (self->pages), make_busy (self), "busy");
  gtk_stack_add_named (GTK_STACK (self->pages), make_columns (self), "matrix");
  self->message = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->message), TRUE);
  gtk_stack_add_named (GTK_STACK (self->pages), self->message, "message");
  gtk_box_append (GTK_BOX (self->box), self->pages);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_match_view_new (void)
{
  return g_object_new (ES_TYPE_MATCH_VIEW, NULL);
}
