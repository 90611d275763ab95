/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spy-view-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "widgets/es-capture.h"
#include "widgets/es-wheel.h"

#define BELOW 42                       /* of the words */
#define LEAST 60
#define MOST_PIXELS 4096               /* on a side; beyond that the picture is stretched */

G_DEFINE_FINAL_TYPE (EsSpyView, es_spy_view, GTK_TYPE_WIDGET)

enum { DRAWN, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- counting, on a worker ---- */

static void
request_free (gpointer data)
{
  EsSpyRequest *request = data;

  g_object_unref (request->matrix);
  g_free (request);
}

static void
answer_clear (EsSpyAnswer *answer)
{
  g_clear_pointer (&answer->cells, g_free);
  g_clear_object (&answer->texture);
}

static void
answer_free (gpointer data)
{
  answer_clear (data);
  g_free (data);
}

static gboolean
is_whole (EsSparseMatrix *matrix, const EsMatrixWindow *window)
{
  return window->n_rows == es_sparse_matrix_get_n_rows (matrix)
         && window->n_columns == es_sparse_matrix_get_n_columns (matrix);
}

static gpointer
count (gpointer data, GCancellable *cancellable, GError **error)
{
  const EsSpyRequest *request = data;
  EsSpyAnswer *answer = g_new0 (EsSpyAnswer, 1);
  const gsize size = 3 * (gsize) request->columns * request->rows;
  g_autoptr (GBytes) bytes = NULL;
  guint8 *pixels;
  gboolean done;

  answer->width = (guint) MIN (request->columns, request->window.n_columns);
  answer->height = (guint) MIN (request->rows, request->window.n_rows);
  answer->cells = g_new (guint32, (gsize) answer->width * answer->height);
  done = is_whole (request->matrix, &request->window)
         ? es_sparse_matrix_count_cells (request->matrix, answer->width, answer->height, answer->cells, cancellable,
                                         error)
         : es_matrix_window_count_cells (request->matrix, &request->window, answer->width, answer->height,
                                         answer->cells, cancellable, error);
  if (!done)
    {
      answer_free (answer);
      return NULL;
    }
  pixels = g_new (guint8, size);
  es_spy_paint (answer->cells, answer->width, answer->height, request->columns, request->rows,
                request->dark ? &es_spy_colors_dark : &es_spy_colors_light, pixels);
  bytes = g_bytes_new_take (pixels, size);
  answer->texture = gdk_memory_texture_new ((int) request->columns, (int) request->rows, GDK_MEMORY_R8G8B8, bytes,
                                            3 * (gsize) request->columns);
  return answer;
}

static void
on_counted (gpointer data, gpointer answered, const GError *error, gpointer user_data)
{
  const EsSpyRequest *request = data;
  EsSpyAnswer *answer = answered;
  EsSpyView *self = user_data;

  g_clear_pointer (&self->failure, g_free);
  if (error != NULL)
    self->failure = g_strdup (error->message);
  else
    {
      answer_clear (&self->answer);
      self->answer = *answer;
      *answer = (EsSpyAnswer) { 0 };
      self->seen = request->window;
    }
  _es_spy_view_update_told (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (!es_latest_is_busy (self->latest))
    g_signal_emit (self, signals[DRAWN], 0);
}

/* Asks for what is to be seen, where that has not been asked already. */
static void
ask (EsSpyView *self)
{
  const int scale = gtk_widget_get_scale_factor (self->canvas);
  const int width = gtk_widget_get_width (self->canvas) * scale;
  const int height = gtk_widget_get_height (self->canvas) * scale;
  EsSpyRequest request = { .window = self->window };

  if (width <= 0 || height <= 0 || self->matrix == NULL || self->window.n_rows == 0 || self->window.n_columns == 0)
    return;
  es_spy_fit (self->window.n_rows, self->window.n_columns, (guint) MIN (width, MOST_PIXELS),
              (guint) MIN (height, MOST_PIXELS), &request.columns, &request.rows);
  request.dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  if (request.columns == self->asked.columns && request.rows == self->asked.rows
      && request.dark == self->asked.dark
      && memcmp (&request.window, &self->asked.window, sizeof (EsMatrixWindow)) == 0)
    return;
  self->asked = request;
  request.matrix = g_object_ref (self->matrix);
  es_latest_submit (self->latest, g_memdup2 (&request, sizeof request));
}

/* ---- the picture ---- */

gboolean
_es_spy_view_get_area (EsSpyView *self, graphene_rect_t *area)
{
  const float width = gtk_widget_get_width (self->canvas), height = gtk_widget_get_height (self->canvas);
  float scale;

  if (self->answer.texture == NULL || width <= 0 || height <= 0)
    return FALSE;
  scale = MIN (width / gdk_texture_get_width (self->answer.texture),
               height / gdk_texture_get_height (self->answer.texture));
  area->size.width = scale * gdk_texture_get_width (self->answer.texture);
  area->size.height = scale * gdk_texture_get_height (self->answer.texture);
  /* At the left, where its words stand, on whole pixels. */
  area->origin.x = 0;
  area->origin.y = floorf ((height - area->size.height) / 2);
  return TRUE;
}

static void
draw_selected (EsSpyView *self, GtkSnapshot *snapshot)
{
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const GdkRGBA line = dark ? (GdkRGBA) { 1, 1, 1, 0.9 } : (GdkRGBA) { 0, 0, 0, 0.9 };
  const GdkRGBA veil = { 0.5, 0.5, 0.5, 0.25 };
  GskRoundedRect outline;

  gsk_rounded_rect_init_from_rect (&outline, &self->selected, 0);
  gtk_snapshot_append_color (snapshot, &veil, &self->selected);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { line, line, line, line });
}

/* The canvas is drawn here: it has no business of its own. */
static void
es_spy_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsSpyView *self = ES_SPY_VIEW (widget);
  graphene_point_t at = GRAPHENE_POINT_INIT (0, 0);
  graphene_rect_t area;

  ask (self);
  if (_es_spy_view_get_area (self, &area)
      && gtk_widget_compute_point (self->canvas, widget, &GRAPHENE_POINT_INIT (0, 0), &at))
    {
      const GdkRGBA edge = { 0.5, 0.5, 0.5, 0.8 };
      GskRoundedRect outline;

      gtk_snapshot_save (snapshot);
      gtk_snapshot_translate (snapshot, &at);
      gtk_snapshot_append_texture (snapshot, self->answer.texture, &area);
      gsk_rounded_rect_init_from_rect (&outline, &area, 0);
      gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 },
                                  (GdkRGBA[4]) { edge, edge, edge, edge });
      if (self->selected.size.width > 0 && !es_capture_hides_pointer ())
        draw_selected (self, snapshot);
      gtk_snapshot_restore (snapshot);
    }
  GTK_WIDGET_CLASS (es_spy_view_parent_class)->snapshot (widget, snapshot);
}

/* ---- what is told ---- */

/* "Rows 17 to 32", "Row 17": counted from 1, as in the files. */
static char *
tell_rows (gsize from, gsize n)
{
  return n == 1 ? g_strdup_printf (_("Row %'zu"), from + 1)
                : g_strdup_printf (_("Rows %'zu to %'zu"), from + 1, from + n);
}

static char *
tell_columns (gsize from, gsize n)
{
  return n == 1 ? g_strdup_printf (_("column %'zu"), from + 1)
                : g_strdup_printf (_("columns %'zu to %'zu"), from + 1, from + n);
}

char *
es_spy_view_describe (EsSpyView *self, double x, double y)
{
  graphene_rect_t area;
  g_autofree char *rows = NULL, *columns = NULL;
  gsize line, place, row, column;
  guint32 n;

  g_return_val_if_fail (ES_IS_SPY_VIEW (self), NULL);

  if (!_es_spy_view_get_area (self, &area) || !(x >= area.origin.x && x < area.origin.x + area.size.width)
      || !(y >= area.origin.y && y < area.origin.y + area.size.height))
    return NULL;
  /* By pixels, as they were painted. */
  line = es_spy_part ((guint64) ((y - area.origin.y) / area.size.height
                                 * gdk_texture_get_height (self->answer.texture)),
                      (guint64) gdk_texture_get_height (self->answer.texture), self->answer.height);
  place = es_spy_part ((guint64) ((x - area.origin.x) / area.size.width
                                  * gdk_texture_get_width (self->answer.texture)),
                       (guint64) gdk_texture_get_width (self->answer.texture), self->answer.width);
  row = es_spy_begin (line, self->seen.n_rows, self->answer.height);
  column = es_spy_begin (place, self->seen.n_columns, self->answer.width);
  rows = tell_rows (self->seen.row + row, es_spy_begin (line + 1, self->seen.n_rows, self->answer.height) - row);
  columns = tell_columns (self->seen.column + column,
                          es_spy_begin (place + 1, self->seen.n_columns, self->answer.width) - column);
  n = self->answer.cells[line * self->answer.width + place];
  /* TRANSLATORS: what lies under the pointer in a picture of a sparse matrix: "Rows 17 to 32, columns 1 to 16: 48
   * nonzeros" */
  return g_strdup_printf (ngettext ("%s, %s: %'u nonzero", "%s, %s: %'u nonzeros", n), rows, columns, n);
}

/* "Rows 1 to 100, columns 1 to 100; a pixel is 1 row and 1 column". */
static char *
tell_seen (EsSpyView *self)
{
  g_autofree char *rows = tell_rows (self->seen.row, self->seen.n_rows);
  g_autofree char *columns = tell_columns (self->seen.column, self->seen.n_columns);
  const gsize n_rows = (self->seen.n_rows + self->answer.height - 1) / self->answer.height;
  const gsize n_columns = (self->seen.n_columns + self->answer.width - 1) / self->answer.width;

  if (n_rows == 1 && n_columns == 1)
    /* TRANSLATORS: what a picture of a sparse matrix shows: rows, columns */
    return g_strdup_printf (_("%s, %s; every place is drawn by itself"), rows, columns);
  /* TRANSLATORS: the same of a large one: rows, columns, rows and columns of a cell */
  return g_strdup_printf (_("%s, %s; a dot stands for up to %'zu × %'zu places, the stronger the more nonzeros"), rows,
                          columns, n_rows, n_columns);
}

void
_es_spy_view_update_told (EsSpyView *self)
{
  g_autofree char *text = NULL;

  if (self->failure != NULL)
    text = g_strdup (self->failure);
  else if (isfinite (self->pointer_x))
    text = es_spy_view_describe (self, self->pointer_x, self->pointer_y);
  if (text == NULL && self->answer.texture != NULL)
    text = tell_seen (self);
  gtk_label_set_label (self->told, text != NULL ? text : "");
  gtk_widget_set_visible (self->whole, !is_whole (self->matrix, &self->window));
}

/* ---- the widget ---- */

static void
es_spy_view_dispose (GObject *object)
{
  EsSpyView *self = ES_SPY_VIEW (object);
  GtkWidget *child;

  if (self->latest != NULL)
    es_latest_cancel (self->latest);
  g_clear_object (&self->latest);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  answer_clear (&self->answer);
  g_clear_pointer (&self->failure, g_free);
  g_clear_object (&self->matrix);
  G_OBJECT_CLASS (es_spy_view_parent_class)->dispose (object);
}

static void
es_spy_view_class_init (EsSpyViewClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_spy_view_dispose;
  widget_class->snapshot = es_spy_view_snapshot;
  signals[DRAWN] = g_signal_new ("drawn", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  _es_spy_view_add_actions (widget_class);
}

static void
add_footer (EsSpyView *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *told = gtk_label_new (NULL);

  self->told = GTK_LABEL (told);
  gtk_label_set_xalign (self->told, 0);
  gtk_label_set_wrap (self->told, TRUE);
  /* It may get longer and shorter as the pointer moves: nothing below moves with it. */
  gtk_label_set_lines (self->told, 2);
  gtk_label_set_width_chars (self->told, 20);
  gtk_label_set_max_width_chars (self->told, 20);
  gtk_label_set_ellipsize (self->told, PANGO_ELLIPSIZE_END);
  gtk_widget_set_size_request (told, -1, 36);
  gtk_widget_set_hexpand (told, TRUE);
  gtk_label_set_yalign (self->told, 0);
  gtk_widget_add_css_class (told, "dim-label");
  es_keep_figures (GTK_LABEL (told));
  gtk_widget_add_css_class (told, "caption");
  gtk_widget_add_css_class (told, "numeric");
  self->whole = gtk_button_new_with_mnemonic (_("_Whole Matrix"));
  gtk_widget_set_valign (self->whole, GTK_ALIGN_START);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->whole), "spy.whole");
  gtk_widget_set_visible (self->whole, FALSE);
  gtk_box_append (GTK_BOX (bar), told);
  gtk_box_append (GTK_BOX (bar), self->whole);
  gtk_widget_set_parent (bar, GTK_WIDGET (self));
}

static void
es_spy_view_init (EsSpyView *self)
{
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 6);
  self->pointer_x = self->pointer_y = NAN;
  self->latest = es_latest_new (count, request_free, answer_free, on_counted, self);
  self->canvas = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand (self->canvas, TRUE);
  gtk_widget_set_focusable (self->canvas, TRUE);
  gtk_widget_set_parent (self->canvas, GTK_WIDGET (self));
  add_footer (self);
  _es_spy_view_add_input (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
es_spy_view_new (EsSparseMatrix *matrix, int natural_height)
{
  EsSpyView *self = g_object_new (ES_TYPE_SPY_VIEW, NULL);

  self->matrix = g_object_ref (matrix);
  es_spy_view_set_size (self, 2 * LEAST, natural_height);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Where the nonzeros lie"),
                                  -1);
  es_spy_view_set_window (self, NULL);
  return GTK_WIDGET (self);
}

void
es_spy_view_set_size (EsSpyView *self, int width, int height)
{
  g_return_if_fail (ES_IS_SPY_VIEW (self));
  gtk_widget_set_size_request (self->canvas, width, MAX (height - BELOW, LEAST));
}

void
es_spy_view_set_window (EsSpyView *self, const EsMatrixWindow *window)
{
  const gsize rows = es_sparse_matrix_get_n_rows (self->matrix);
  const gsize columns = es_sparse_matrix_get_n_columns (self->matrix);
  EsMatrixWindow wanted = { 0, rows, 0, columns };

  g_return_if_fail (ES_IS_SPY_VIEW (self));

  if (window != NULL && rows > 0 && columns > 0)
    {
      wanted.n_rows = CLAMP (window->n_rows, 1, rows);
      wanted.n_columns = CLAMP (window->n_columns, 1, columns);
      wanted.row = MIN (window->row, rows - wanted.n_rows);
      wanted.column = MIN (window->column, columns - wanted.n_columns);
    }
  self->window = wanted;
  _es_spy_view_update_told (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const EsMatrixWindow *
es_spy_view_get_window (EsSpyView *self)
{
  g_return_val_if_fail (ES_IS_SPY_VIEW (self), NULL);
  return &self->window;
}

gboolean
es_spy_view_is_drawn (EsSpyView *self)
{
  g_return_val_if_fail (ES_IS_SPY_VIEW (self), FALSE);
  return self->answer.texture != NULL && !es_latest_is_busy (self->latest)
         && memcmp (&self->seen, &self->window, sizeof (EsMatrixWindow)) == 0;
}

GdkTexture *
es_spy_view_get_texture (EsSpyView *self)
{
  g_return_val_if_fail (ES_IS_SPY_VIEW (self), NULL);
  return self->answer.texture;
}
