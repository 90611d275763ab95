/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-page.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "es-matrix-cards.h"
#include "es-matrix-facts.h"
#include "es-matrix-found.h"
#include "es-matrix-lengths.h"
#include "es-matrix-live.h"
#include "es-spy-view.h"
#include "lab/parts/es-lab-cards.h"
#include "widgets/es-capture.h"
#include "widgets/es-format.h"
#include "widgets/es-latest.h"
#include "widgets/es-wrap-layout.h"

#define WIDEST 1500
#define SPY_HEIGHT 460                 /* of the smallest window; a higher one shows it larger */
#define MOST_SPY 900
#define AROUND 190                     /* what stands above and below it in the window */
#define BESIDE 150                     /* what stands beside it and the facts */
#define SPY_WIDTH 420
#define FACTS_WIDTH 420
#define LENGTHS_HEIGHT 300
#define LONGEST_TITLE 120
#define SEEK_MS 60

struct _EsMatrixPage
{
  GtkWidget       parent_instance;

  EsSparseMatrix *matrix;            /* nullable, as the next */
  EsResult       *result;

  GtkWidget      *page;              /* what scrolls */
  GtkWidget      *body;              /* in it: what runs, and the column, which is made anew for what is shown */
  GtkWidget      *live, *column;
  int             spy_height;
  guint           size_source;
  GtkWidget      *spy;               /* kept while the matrix is shown, with what is seen of it; nullable */
  GtkWidget      *facts, *lengths;   /* where they come when the matrix has been gone through; NULL: it is not shown */
  EsLatest       *reading;           /* goes through the matrix */
  GPtrArray      *read;              /* of EsMatrixFact; NULL: not yet */

  GHashTable     *places;            /* EsLayer -> GtkWidget; borrowed */
  EsLayer        *sought;            /* where it is to be, once it has its size; borrowed of the result */
  guint           seek_source;
};

G_DEFINE_FINAL_TYPE (EsMatrixPage, es_matrix_page, GTK_TYPE_WIDGET)

/* ---- the matrix ---- */

static GtkWidget *
make_fact (const EsMatrixFact *fact)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = es_lab_label_new (fact->title, NULL), *value = es_lab_label_new (fact->value, "numeric");

  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_valign (title, GTK_ALIGN_START);
  gtk_label_set_xalign (GTK_LABEL (value), 1);
  gtk_label_set_justify (GTK_LABEL (value), GTK_JUSTIFY_RIGHT);
  gtk_label_set_selectable (GTK_LABEL (value), TRUE);
  gtk_widget_set_focusable (value, FALSE);
  gtk_box_append (GTK_BOX (line), title);
  if (fact->warns)
    {
      GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");

      gtk_widget_add_css_class (icon, "warning");
      gtk_widget_set_valign (icon, GTK_ALIGN_START);
      gtk_accessible_update_property (GTK_ACCESSIBLE (icon), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Mind this"), -1);
      gtk_box_append (GTK_BOX (line), icon);
    }
  gtk_box_append (GTK_BOX (line), value);
  gtk_box_append (GTK_BOX (box), line);
  if (fact->meaning != NULL)
    {
      GtkWidget *meaning = es_lab_label_new (fact->meaning, "dim-label");

      gtk_widget_add_css_class (meaning, "caption");
      gtk_label_set_width_chars (GTK_LABEL (meaning), 40);
      gtk_label_set_max_width_chars (GTK_LABEL (meaning), 46);
      gtk_box_append (GTK_BOX (box), meaning);
    }
  return box;
}

static void
clear_box (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static void
fill_facts (EsMatrixPage *self)
{
  clear_box (self->facts);
  if (self->read == NULL)
    gtk_box_append (GTK_BOX (self->facts), es_lab_label_new (_("Going through the matrix…"), "dim-label"));
  for (guint i = 0; self->read != NULL && i < self->read->len; i++)
    gtk_box_append (GTK_BOX (self->facts), make_fact (g_ptr_array_index (self->read, i)));
}

static void
fill_lengths (EsMatrixPage *self)
{
  g_autoptr (EsPlot) plot = NULL;
  GtkWidget *view;

  clear_box (self->lengths);
  if (self->read == NULL || es_sparse_matrix_get_n_nonzeros (self->matrix) == 0)
    return;
  plot = es_matrix_lengths_plot_new (self->matrix);
  es_plot_set_caption (plot, es_plot_get_title (plot), es_dataset_get_name (ES_DATASET (self->matrix)));
  view = es_plot_view_new (plot, LENGTHS_HEIGHT);
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  gtk_box_append (GTK_BOX (self->lengths), es_matrix_card_new (es_plot_get_title (plot), view, FALSE));
}

static gpointer
go_through (gpointer matrix, GCancellable *cancellable, GError **error)
{
  return es_matrix_facts_new (matrix);
}

static void
on_gone_through (gpointer matrix, gpointer facts, const GError *error, gpointer user_data)
{
  EsMatrixPage *self = user_data;

  if (facts != NULL && matrix == self->matrix)
    {
      g_clear_pointer (&self->read, g_ptr_array_unref);
      self->read = g_ptr_array_ref (facts);
      if (self->facts != NULL)
        {
          fill_facts (self);
          fill_lengths (self);
        }
    }
}

/* As large as the window is high and has room beside the facts; as wide as it is high. */
static void
size_spy (EsMatrixPage *self)
{
  const int room = MIN (gtk_widget_get_width (self->page), WIDEST) - FACTS_WIDTH - BESIDE;
  const int height = MIN (self->spy_height, MAX (room, SPY_HEIGHT));

  if (self->spy != NULL)
    es_spy_view_set_size (ES_SPY_VIEW (self->spy), MAX (MIN (room, height), SPY_WIDTH), height);
}

static GtkWidget *
make_spy (EsMatrixPage *self)
{
  if (self->spy == NULL)
    {
      self->spy = g_object_ref_sink (es_spy_view_new (self->matrix, SPY_HEIGHT));
      size_spy (self);
    }
  return self->spy;
}

static void
add_matrix (EsMatrixPage *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *facts, *spy;

  gtk_widget_set_layout_manager (row, es_wrap_layout_new (18, 18));
  if (es_sparse_matrix_get_n_rows (self->matrix) > 0 && es_sparse_matrix_get_n_columns (self->matrix) > 0)
    {
      spy = es_matrix_card_new (_("Where the nonzeros lie"), make_spy (self), TRUE);
      gtk_widget_set_hexpand (spy, TRUE);
      gtk_box_append (GTK_BOX (row), spy);
    }
  self->facts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  facts = es_matrix_card_new (_("What it is"), self->facts, TRUE);
  gtk_widget_set_size_request (facts, FACTS_WIDTH, -1);
  gtk_widget_set_hexpand (facts, TRUE);
  gtk_box_append (GTK_BOX (row), facts);
  self->lengths = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (self->column), row);
  gtk_box_append (GTK_BOX (self->column), self->lengths);
  fill_facts (self);
  fill_lengths (self);
}

/* ---- what was found ---- */

static void
add_head (EsMatrixPage *self)
{
  const char *name = es_dataset_get_name (ES_DATASET (self->matrix)), *title = es_result_get_title (self->result);
  GtkWidget *back = gtk_button_new (), *content = adw_button_content_new (), *label;
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  g_autofree char *took = es_format_value (es_result_get_total_ms (self->result) / 1000, "s");
  g_autofree char *shown = es_format_shorten (name, LONGEST_TITLE);
  g_autofree char *detail = NULL;

  adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), "go-previous-symbolic");
  adw_button_content_set_label (ADW_BUTTON_CONTENT (content), _("The _Matrix"));
  adw_button_content_set_use_underline (ADW_BUTTON_CONTENT (content), TRUE);
  gtk_button_set_child (GTK_BUTTON (back), content);
  gtk_widget_set_halign (back, GTK_ALIGN_START);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "win.matrix-back");
  gtk_box_append (GTK_BOX (self->column), back);
  label = es_lab_label_new (title, "title-2");
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_box_append (GTK_BOX (head), label);
  if (es_result_is_absent (self->result) || es_result_get_device_name (self->result) == NULL)
    detail = g_strdup (shown);
  else
    /* TRANSLATORS: a matrix, who computed, and how long it took: "poisson2d:1000x1000 · NVIDIA H100 · took 4 s" */
    detail = g_strdup_printf (_("%s · %s · took %s"), shown, es_result_get_device_name (self->result), took);
  gtk_box_append (GTK_BOX (head), es_lab_label_new (detail, "dim-label"));
  gtk_box_append (GTK_BOX (self->column), head);
}

static void
add_result (EsMatrixPage *self)
{
  add_head (self);
  if (es_result_is_absent (self->result))
    gtk_box_append (GTK_BOX (self->column),
                    es_lab_label_new (_("What it found was not kept. It can be run again."), "dim-label"));
  else
    es_matrix_found_add (GTK_BOX (self->column), self->matrix, self->result, self->places);
}

/* ---- what is shown ---- */

static void
fill (EsMatrixPage *self)
{
  GtkWidget *card = self->spy != NULL ? gtk_widget_get_parent (self->spy) : NULL;

  g_hash_table_remove_all (self->places);
  self->facts = self->lengths = NULL;
  if (card != NULL)
    gtk_box_remove (GTK_BOX (card), self->spy);
  if (self->column != NULL)
    gtk_box_remove (GTK_BOX (self->body), self->column);
  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_widget_add_css_class (self->column, "es-lab-column");
  gtk_box_append (GTK_BOX (self->body), self->column);
  if (self->matrix != NULL && self->result != NULL)
    add_result (self);
  else if (self->matrix != NULL)
    add_matrix (self);
}

void
es_matrix_page_show (EsMatrixPage *self, EsSparseMatrix *matrix, EsResult *result)
{
  g_return_if_fail (ES_IS_MATRIX_PAGE (self));

  if (self->matrix == matrix && self->result == result)
    return;
  if (self->matrix != matrix)
    {
      GtkWidget *card = self->spy != NULL ? gtk_widget_get_parent (self->spy) : NULL;

      if (card != NULL)
        gtk_box_remove (GTK_BOX (card), self->spy);
      g_clear_object (&self->spy);
      g_clear_pointer (&self->read, g_ptr_array_unref);
      es_latest_cancel (self->reading);
      g_set_object (&self->matrix, matrix);
      if (matrix != NULL)
        es_latest_submit (self->reading, g_object_ref (matrix));
    }
  g_set_object (&self->result, result);
  self->sought = NULL;
  fill (self);
  es_matrix_page_seek (self, NULL);
}

void
es_matrix_page_set_job (EsMatrixPage *self, EsJob *job)
{
  g_return_if_fail (ES_IS_MATRIX_PAGE (self));
  es_matrix_live_set_job (ES_MATRIX_LIVE (self->live), job);
}

EsResult *
es_matrix_page_get_result (EsMatrixPage *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_PAGE (self), NULL);
  return self->result;
}

static gboolean
on_seek (gpointer data)
{
  EsMatrixPage *self = data;
  GtkWidget *place = self->sought != NULL ? g_hash_table_lookup (self->places, self->sought) : NULL;

  self->seek_source = 0;
  self->sought = NULL;
  es_lab_scroll_to (GTK_SCROLLED_WINDOW (self->page), self->column, place);
  return G_SOURCE_REMOVE;
}

void
es_matrix_page_seek (EsMatrixPage *self, EsLayer *layer)
{
  g_return_if_fail (ES_IS_MATRIX_PAGE (self));

  self->sought = layer;
  /* Once it has been given its size. */
  if (self->seek_source == 0)
    self->seek_source = g_timeout_add (SEEK_MS, on_seek, self);
}

GdkTexture *
es_matrix_page_render (EsMatrixPage *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_PAGE (self), NULL);

  if (self->matrix == NULL)
    return NULL;
  return es_capture_render_page (self->column, 2,
                                 self->result != NULL ? es_result_get_title (self->result) : _("Sparse Matrix"),
                                 es_dataset_get_name (ES_DATASET (self->matrix)));
}

/* ---- the widget ---- */

static gboolean
on_size (gpointer data)
{
  EsMatrixPage *self = data;

  self->size_source = 0;
  size_spy (self);
  return G_SOURCE_REMOVE;
}

/* Of the window, not of what scrolls in it: it changes nothing of its own size. */
static void
es_matrix_page_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsMatrixPage *self = ES_MATRIX_PAGE (widget);

  GTK_WIDGET_CLASS (es_matrix_page_parent_class)->size_allocate (widget, width, height, baseline);
  gtk_widget_size_allocate (self->page, &(GtkAllocation) { 0, 0, width, height }, baseline);
  self->spy_height = CLAMP (height - AROUND, SPY_HEIGHT, MOST_SPY);
  if (self->size_source == 0)
    self->size_source = g_idle_add (on_size, self);
}

static void
es_matrix_page_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                        int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (ES_MATRIX_PAGE (widget)->page, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
es_matrix_page_dispose (GObject *object)
{
  EsMatrixPage *self = ES_MATRIX_PAGE (object);

  g_clear_handle_id (&self->seek_source, g_source_remove);
  g_clear_handle_id (&self->size_source, g_source_remove);
  if (self->reading != NULL)
    es_latest_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_pointer (&self->page, gtk_widget_unparent);
  g_clear_object (&self->spy);
  g_clear_pointer (&self->read, g_ptr_array_unref);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_object (&self->result);
  g_clear_object (&self->matrix);
  G_OBJECT_CLASS (es_matrix_page_parent_class)->dispose (object);
}

static void
es_matrix_page_class_init (EsMatrixPageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_matrix_page_dispose;
  GTK_WIDGET_CLASS (class)->measure = es_matrix_page_measure;
  GTK_WIDGET_CLASS (class)->size_allocate = es_matrix_page_size_allocate;
}

static void
es_matrix_page_init (EsMatrixPage *self)
{
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL), *clamp = adw_clamp_new ();

  self->places = g_hash_table_new (NULL, NULL);
  self->reading = es_latest_new (go_through, g_object_unref, (GDestroyNotify) g_ptr_array_unref, on_gone_through, self);
  self->body = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->live = es_matrix_live_new ();
  gtk_widget_add_css_class (self->live, "es-matrix-live");
  gtk_box_append (GTK_BOX (self->body), self->live);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDEST);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), WIDEST);
  adw_clamp_set_child (ADW_CLAMP (clamp), self->body);
  self->page = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->page), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), clamp);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->page), viewport);
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
}

GtkWidget *
es_matrix_page_new (void)
{
  return g_object_new (ES_TYPE_MATRIX_PAGE, NULL);
}
