/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-comparison-dialog-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "widgets/es-export.h"
#include "es-published-page.h"

G_DEFINE_FINAL_TYPE (EsComparisonDialog, es_comparison_dialog, ADW_TYPE_WINDOW)

EsStepBarsStyle
_es_comparison_dialog_style_of (EsComparisonDialog *self)
{
  return gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->stacked)) ? ES_STEP_BARS_STACKED
                                                                          : ES_STEP_BARS_GROUPED;
}

/* ---- what has come out ---- */

static char *
describe_state (EsComparison *comparison, guint i)
{
  switch (es_comparison_get_state (comparison, i))
    {
    case ES_CONTESTANT_RUNNING:
      return g_strdup (_("running"));
    case ES_CONTESTANT_DONE:
      return es_step_bars_format_ms (es_comparison_get_total_ms (comparison, i));
    case ES_CONTESTANT_FAILED:
      return es_text_show_lines (es_comparison_get_error (comparison, i));
    case ES_CONTESTANT_WAITING:
    case ES_CONTESTANT_LEFT_OUT:
    default:
      return g_strdup ("");
    }
}

static void
update (EsComparisonDialog *self)
{
  EsComparison *comparison = self->comparison;
  gboolean running = self->cancellable != NULL, any = FALSE, some = FALSE;
  const char *status = es_comparison_get_status (comparison);

  for (guint i = 0; i < self->checks->len; i++)
    {
      GtkWidget *check = g_ptr_array_index (self->checks, i), *label = g_ptr_array_index (self->states, i);
      g_autofree char *state = describe_state (comparison, i);

      gtk_widget_set_sensitive (check, !running);
      gtk_label_set_text (GTK_LABEL (label), state);
      gtk_widget_set_tooltip_text (label, es_comparison_get_error (comparison, i) != NULL ? state : NULL);
      any = any || !isnan (es_comparison_get_total_ms (comparison, i));
      some = some || gtk_check_button_get_active (GTK_CHECK_BUTTON (check));
    }
  gtk_button_set_label (GTK_BUTTON (self->run), running ? _("_Cancel") : _("_Run"));
  gtk_widget_set_sensitive (self->run, running || some);
  gtk_widget_set_sensitive (self->repeats, !running);
  gtk_widget_set_visible (self->progress, running);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), es_comparison_get_progress (comparison));
  gtk_label_set_text (GTK_LABEL (self->status), running && status != NULL ? status : "");
  gtk_widget_set_visible (self->outcome, any);
  if (any)
    {
      g_autoptr (EsTable) table = es_comparison_make_table (comparison);

      es_table_view_set_table (self->table, table);
      gtk_widget_set_size_request (self->bars, -1,
                                   es_step_bars_get_height (comparison, _es_comparison_dialog_style_of (self)));
    }
  gtk_widget_queue_draw (self->bars);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "comparison.save", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "comparison.copy", any);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "comparison.copy-picture", any);
}

static void
draw_bars (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  EsComparisonDialog *self = data;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  EsPlotColors colors = dark ? es_plot_colors_dark : es_plot_colors_light;

  colors.opaque = FALSE;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &colors.foreground);
  es_step_bars_draw (self->comparison, _es_comparison_dialog_style_of (self), cr, width, height, &colors);
}

/* ---- running ---- */

static void
on_ran (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsComparisonDialog) self = data;
  g_autoptr (GError) error = NULL;
  gboolean done = es_comparison_run_finish (ES_COMPARISON (source), result, &error);

  g_clear_object (&self->cancellable);
  if (self->comparison == NULL)
    return;
  if (!done && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_export_report (self->contestants, error->message);
  update (self);
}

void
es_comparison_dialog_run (EsComparisonDialog *self)
{
  g_return_if_fail (ES_IS_COMPARISON_DIALOG (self));

  if (self->cancellable != NULL)
    return;
  for (guint i = 0; i < self->checks->len; i++)
    es_comparison_set_takes_part (self->comparison, i,
                                  gtk_check_button_get_active (g_ptr_array_index (self->checks, i)));
  es_comparison_set_repeats (self->comparison,
                             (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->repeats)));
  self->cancellable = g_cancellable_new ();
  es_comparison_run_async (self->comparison, self->cancellable, on_ran, g_object_ref (self));
  update (self);
}

void
es_comparison_dialog_cancel (EsComparisonDialog *self)
{
  g_return_if_fail (ES_IS_COMPARISON_DIALOG (self));

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

gboolean
es_comparison_dialog_is_running (EsComparisonDialog *self)
{
  g_return_val_if_fail (ES_IS_COMPARISON_DIALOG (self), FALSE);
  return self->cancellable != NULL;
}

static void
on_run (EsComparisonDialog *self)
{
  if (self->cancellable != NULL)
    es_comparison_dialog_cancel (self);
  else
    es_comparison_dialog_run (self);
}

EsComparison *
es_comparison_dialog_get_comparison (EsComparisonDialog *self)
{
  g_return_val_if_fail (ES_IS_COMPARISON_DIALOG (self), NULL);
  return self->comparison;
}

/* ---- making ---- */

static void
add_contestant (EsComparisonDialog *self, guint i)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *check = gtk_check_button_new_with_label (es_comparison_get_title (self->comparison, i));
  GtkWidget *state = gtk_label_new (NULL);

  gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                               es_comparison_get_state (self->comparison, i) != ES_CONTESTANT_LEFT_OUT);
  gtk_widget_set_hexpand (check, TRUE);
  gtk_widget_set_tooltip_text (check, es_comparison_get_id (self->comparison, i));
  gtk_label_set_ellipsize (GTK_LABEL (state), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (state), 1);
  gtk_label_set_max_width_chars (GTK_LABEL (state), 44);
  gtk_widget_add_css_class (state, "numeric");
  gtk_widget_add_css_class (state, "dim-label");
  gtk_box_append (GTK_BOX (row), check);
  gtk_box_append (GTK_BOX (row), state);
  gtk_widget_add_css_class (row, "comparison-row");
  gtk_list_box_append (GTK_LIST_BOX (self->contestants), row);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (gtk_widget_get_parent (row)), FALSE);
  gtk_widget_set_focusable (gtk_widget_get_parent (row), FALSE);
  g_ptr_array_add (self->checks, check);
  g_ptr_array_add (self->states, state);
  g_signal_connect_object (check, "toggled", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

static GtkWidget *
make_controls (EsComparisonDialog *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *label = gtk_label_new_with_mnemonic (_("R_uns each"));

  self->repeats = gtk_spin_button_new_with_range (1, 99, 1);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->repeats), es_comparison_get_repeats (self->comparison));
  gtk_widget_set_tooltip_text (self->repeats, _("The run with the median total time counts"));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->repeats);
  self->status = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->status), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->status), 1);
  gtk_widget_set_hexpand (self->status, TRUE);
  gtk_widget_add_css_class (self->status, "dim-label");
  self->run = gtk_button_new_with_mnemonic (_("_Run"));
  gtk_widget_add_css_class (self->run, "suggested-action");
  g_signal_connect_object (self->run, "clicked", G_CALLBACK (on_run), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->repeats);
  gtk_box_append (GTK_BOX (row), self->status);
  gtk_box_append (GTK_BOX (row), self->run);
  return row;
}

static GtkWidget *
make_outcome (EsComparisonDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10), *head = es_totals_switch_new (&self->stacked);

  g_signal_connect_object (self->stacked, "toggled", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  self->bars = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->bars), draw_bars, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bars), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Times of the steps on each device"), -1);
  self->table = ES_TABLE_VIEW (es_table_view_new (600));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "card");
  gtk_widget_set_overflow (GTK_WIDGET (self->table), GTK_OVERFLOW_HIDDEN);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->bars);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  return box;
}

static GtkWidget *
make_machine_page (EsComparisonDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  const EsOperation *operation = es_comparison_get_operation (self->comparison);
  EsDataset *dataset = es_comparison_get_dataset (self->comparison);
  g_autofree char *described = es_dataset_describe (dataset);
  g_autofree char *text = g_strdup_printf ("%s · %s · %s", g_dgettext (GETTEXT_PACKAGE, operation->short_title),
                                           es_dataset_get_name (dataset), described);
  GtkWidget *what = gtk_label_new (text);

  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (what), 0);
  gtk_widget_set_tooltip_text (what, text);
  gtk_widget_add_css_class (what, "dim-label");
  self->contestants = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->contestants), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->contestants, "boxed-list");
  for (guint i = 0; i < es_comparison_get_n_contestants (self->comparison); i++)
    add_contestant (self, i);
  self->progress = gtk_progress_bar_new ();
  gtk_box_append (GTK_BOX (box), what);
  gtk_box_append (GTK_BOX (box), self->contestants);
  gtk_box_append (GTK_BOX (box), make_controls (self));
  gtk_box_append (GTK_BOX (box), self->progress);
  self->outcome = make_outcome (self);
  gtk_box_append (GTK_BOX (box), self->outcome);
  return es_dialog_page_new (box);
}

static gboolean
es_comparison_dialog_close_request (GtkWindow *window)
{
  es_comparison_dialog_cancel (ES_COMPARISON_DIALOG (window));
  return GTK_WINDOW_CLASS (es_comparison_dialog_parent_class)->close_request (window);
}

static void
es_comparison_dialog_dispose (GObject *object)
{
  EsComparisonDialog *self = ES_COMPARISON_DIALOG (object);

  es_comparison_dialog_cancel (self);
  if (self->comparison != NULL)
    g_signal_handlers_disconnect_by_data (self->comparison, self);
  if (self->bars != NULL)
    gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->bars), NULL, NULL, NULL);
  self->bars = NULL;
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  g_clear_pointer (&self->states, g_ptr_array_unref);
  g_clear_object (&self->comparison);
  G_OBJECT_CLASS (es_comparison_dialog_parent_class)->dispose (object);
}

static void
es_comparison_dialog_class_init (EsComparisonDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_comparison_dialog_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = es_comparison_dialog_close_request;
  _es_comparison_dialog_install_saving (widget_class);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
es_comparison_dialog_init (EsComparisonDialog *self)
{
  self->checks = g_ptr_array_new ();
  self->states = g_ptr_array_new ();
}

GtkWidget *
es_comparison_dialog_new (GtkWindow *parent, EsComparison *comparison)
{
  EsComparisonDialog *self;
  GtkWidget *box, *header, *stack, *switcher, *published;

  g_return_val_if_fail (ES_IS_COMPARISON (comparison), NULL);

  self = g_object_new (ES_TYPE_COMPARISON_DIALOG, "title", _("Compare Devices"), "default-width", 820,
                       "default-height", 680, "destroy-with-parent", TRUE, "transient-for", parent, NULL);
  self->comparison = g_object_ref (comparison);
  stack = gtk_stack_new ();
  gtk_stack_add_titled (GTK_STACK (stack), make_machine_page (self), "machine", _("This Computer"));
  published = es_published_page_new (es_comparison_get_operation (comparison)->id);
  if (published != NULL)
    {
      es_published_page_set_comparison (ES_PUBLISHED_PAGE (published), comparison);
      gtk_stack_add_titled (GTK_STACK (stack), published, "published", _("Published"));
    }
  switcher = gtk_stack_switcher_new ();
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), GTK_STACK (stack));
  header = adw_header_bar_new ();
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), switcher);
  adw_header_bar_pack_end (ADW_HEADER_BAR (header), _es_comparison_dialog_make_menu_button ());
  self->toasts = adw_toast_overlay_new ();
  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (self->toasts), stack);
  gtk_widget_set_vexpand (self->toasts, TRUE);
  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), self->toasts);
  adw_window_set_content (ADW_WINDOW (self), box);
  g_signal_connect_object (comparison, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw),
                           self->bars, G_CONNECT_SWAPPED);
  gtk_window_set_default_widget (GTK_WINDOW (self), self->run);
  update (self);
  return GTK_WIDGET (self);
}
