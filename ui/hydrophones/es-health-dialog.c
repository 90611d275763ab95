/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-health-dialog.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "es-array-canvas.h"
#include "job/es-job.h"
#include "operations/es-operations.h"
#include "operations/sonar/es-health.h"

struct _EsHealthDialog
{
  AdwWindow         parent_instance;

  AdwToastOverlay  *toasts;
  AdwToast         *toast;             /* the one with Undo; nullable */
  EsArrayCanvas    *canvas;
  GtkLabel         *summary;
  GtkProgressBar   *progress;
  GtkWidget        *cancel, *again, *all;
  GtkStringList    *rows;              /* numbers of elements, from 0: trouble first */

  EsRecording      *recording;
  EsArray          *judged;            /* as it was when it was listened to; nullable */
  EsArray          *before;            /* what Undo puts back; nullable */
  EsJob            *job;
  EsElementFinding *findings;
  guint             n;
};

G_DEFINE_FINAL_TYPE (EsHealthDialog, es_health_dialog, ADW_TYPE_WINDOW)

/* ---- what can be done ---- */

/* Of an element as the recording has it now: what was done already is not done twice. */
static EsRemedy
remedy_of (EsHealthDialog *self, EsArray *array, guint element)
{
  if (array == NULL || self->judged == NULL || element >= self->n || es_array_get_n_elements (array) != self->n)
    return ES_REMEDY_NONE;

  const EsElement *now = &es_array_get_elements (array)[element];
  const EsElement *then = &es_array_get_elements (self->judged)[element];

  return now->dead != then->dead || now->gain != then->gain || now->channel != then->channel
         ? ES_REMEDY_NONE : es_health_get_remedy (&self->findings[element]);
}

static void
update (EsHealthDialog *self)
{
  g_autoptr (EsArray) array = self->recording != NULL ? es_recording_get_array (self->recording) : NULL;
  const gboolean running = es_health_dialog_is_running (self);
  gboolean any = FALSE;

  for (guint i = 0; i < self->n && !any; i++)
    any = remedy_of (self, array, i) != ES_REMEDY_NONE;
  gtk_widget_set_sensitive (self->all, any && !running);
  gtk_widget_set_visible (self->cancel, running);
  gtk_widget_set_visible (self->again, !running);
  gtk_widget_set_opacity (GTK_WIDGET (self->progress), running ? 1 : 0);
}

/* ---- the list ---- */

static int
compare_trouble (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsElementFinding *findings = data;
  const guint i = *(const guint *) a, k = *(const guint *) b;
  /* The lowest flag is the worst; none is last. */
  const guint p = (findings[i].flags & -findings[i].flags) - 1, q = (findings[k].flags & -findings[k].flags) - 1;

  return p != q ? (p > q) - (p < q) : (i > k) - (i < k);
}

static void
fill_rows (EsHealthDialog *self)
{
  g_autofree guint *order = g_new (guint, MAX (self->n, 1));
  g_autofree guint8 *flags = g_new0 (guint8, MAX (self->n, 1));
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < self->n; i++)
    {
      order[i] = i;
      flags[i] = self->findings[i].flags & ~(guint) ES_FINDING_LEFT_OUT ? ES_ELEMENT_CLIPPED : 0;
    }
  g_qsort_with_data (order, (int) self->n, sizeof *order, compare_trouble, self->findings);
  for (guint i = 0; i < self->n; i++)
    {
      g_autofree char *number = g_strdup_printf ("%u", order[i]);

      g_strv_builder_add (builder, number);
    }
  g_auto (GStrv) numbers = g_strv_builder_end (builder);
  gtk_string_list_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)),
                          (const char * const *) numbers);
  es_array_canvas_set_flags (self->canvas, flags, self->n);
}

static char *
tell_numbers (const EsElementFinding *f)
{
  GString *text = g_string_new (NULL);

  if (isfinite (f->level))
    g_string_append_printf (text, _("%s%.1f dB"), f->level <= -0.05 ? "−" : "+", fabs (f->level));
  if (isfinite (f->coherence))
    {
      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text, _("coherence %.2f"), f->coherence);
    }
  if (f->flags & (ES_FINDING_LATE | ES_FINDING_EARLY))
    {
      g_string_append (text, text->len > 0 ? " · " : "");
      g_string_append_printf (text, _("%s%.1f ± %.1f µs"), f->delay < 0 ? "−" : "+", fabs (f->delay) * 1e6,
                              f->delay_error * 1e6);
    }
  return g_string_free (text, FALSE);
}

static void
on_row_clicked (GtkButton *button, EsHealthDialog *self)
{
  es_health_dialog_mend (self, GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "es-element")));
}

static GtkWidget *
make_label (gboolean dim)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "numeric");
  if (dim)
    gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, EsHealthDialog *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *name = make_label (FALSE), *finding = make_label (FALSE), *numbers = make_label (TRUE);
  GtkWidget *button = gtk_button_new ();

  gtk_label_set_width_chars (GTK_LABEL (name), 8);
  gtk_label_set_width_chars (GTK_LABEL (finding), 16);
  gtk_widget_set_hexpand (numbers, TRUE);
  gtk_widget_set_size_request (row, -1, 36);
  gtk_widget_set_margin_start (row, 8);
  gtk_widget_set_margin_end (row, 8);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (row), name);
  gtk_box_append (GTK_BOX (row), finding);
  gtk_box_append (GTK_BOX (row), numbers);
  gtk_box_append (GTK_BOX (row), button);
  g_signal_connect (button, "clicked", G_CALLBACK (on_row_clicked), self);
  gtk_list_item_set_child (item, row);
  gtk_list_item_set_activatable (item, FALSE);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, EsHealthDialog *self)
{
  const guint i = (guint) atoi (gtk_string_object_get_string (gtk_list_item_get_item (item)));
  GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *finding = gtk_widget_get_next_sibling (name), *numbers = gtk_widget_get_next_sibling (finding);
  GtkWidget *button = gtk_widget_get_next_sibling (numbers);
  g_autoptr (EsArray) array = es_recording_get_array (self->recording);
  const char *own = self->judged != NULL ? es_array_get_elements (self->judged)[i].name : NULL;
  g_autofree char *number = g_strdup_printf ("%u", i + 1), *found = es_health_describe (&self->findings[i]);
  g_autofree char *told = tell_numbers (&self->findings[i]);
  const EsRemedy offered = es_health_get_remedy (&self->findings[i]), remedy = remedy_of (self, array, i);

  gtk_label_set_label (GTK_LABEL (name), own != NULL ? own : number);
  gtk_label_set_label (GTK_LABEL (finding), found);
  gtk_label_set_label (GTK_LABEL (numbers), told);
  gtk_widget_set_tooltip_text (numbers, told);
  gtk_button_set_label (GTK_BUTTON (button), offered == ES_REMEDY_MEND_SIGN ? _("Mend the Sign") : _("Leave Out"));
  g_object_set_data (G_OBJECT (button), "es-element", GINT_TO_POINTER ((int) i));
  gtk_widget_set_visible (button, offered != ES_REMEDY_NONE && self->judged != NULL);
  gtk_widget_set_sensitive (button, remedy != ES_REMEDY_NONE);
}

/* ---- mending ---- */

static void
on_array (EsHealthDialog *self)
{
  g_autoptr (EsArray) array = es_recording_get_array (self->recording);

  es_array_canvas_set_array (self->canvas, array);
  fill_rows (self);
  update (self);
}

static void
on_toast_gone (AdwToast *toast, EsHealthDialog *self)
{
  if (self->toast == toast)
    self->toast = NULL;
}

void
es_health_dialog_mend (EsHealthDialog *self, int element)
{
  g_return_if_fail (ES_IS_HEALTH_DIALOG (self));

  g_autoptr (EsArray) array = es_recording_get_array (self->recording);
  g_autoptr (EsArray) mended = array != NULL ? es_array_ref (array) : NULL;
  guint done = 0;

  for (guint i = element < 0 ? 0 : (guint) element; i < (element < 0 ? self->n : (guint) element + 1); i++)
    if (remedy_of (self, array, i) != ES_REMEDY_NONE)
      {
        EsArray *next = es_health_mend_one (mended, self->findings, i);

        es_array_unref (mended);
        mended = next;
        done++;
      }
  if (done == 0)
    return;
  g_clear_pointer (&self->before, es_array_unref);
  self->before = es_array_ref (array);
  es_recording_describe_array (self->recording, mended);

  g_autofree char *sentence = g_strdup_printf (ngettext ("%u element put right", "%u elements put right", done), done);
  if (self->toast != NULL)
    adw_toast_dismiss (self->toast);
  self->toast = adw_toast_new (sentence);
  adw_toast_set_button_label (self->toast, _("_Undo"));
  g_signal_connect_object (self->toast, "button-clicked", G_CALLBACK (es_health_dialog_undo), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->toast, "dismissed", G_CALLBACK (on_toast_gone), self, 0);
  adw_toast_overlay_add_toast (self->toasts, self->toast);
}

void
es_health_dialog_undo (EsHealthDialog *self)
{
  g_return_if_fail (ES_IS_HEALTH_DIALOG (self));

  g_autoptr (EsArray) before = g_steal_pointer (&self->before);
  if (before != NULL)
    es_recording_describe_array (self->recording, before);
}

/* ---- listening ---- */

static void
on_progress (EsHealthDialog *self)
{
  if (self->job != NULL)
    gtk_progress_bar_set_fraction (self->progress, es_job_get_progress (self->job));
}

static void
on_state (EsHealthDialog *self)
{
  if (self->job == NULL || es_job_is_active (self->job))
    return;

  EsResult *result = es_job_get_result (self->job);
  const EsElementFinding *findings = result != NULL ? es_health_get_findings (result, &self->n) : NULL;

  if (findings != NULL)
    {
      g_autofree char *summary = es_health_get_summary (result);

      self->findings = g_memdup2 (findings, self->n * sizeof *findings);
      gtk_label_set_label (self->summary, summary);
    }
  else
    {
      const GError *error = es_job_get_error (self->job);

      self->n = 0;
      gtk_label_set_label (self->summary, error == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                                          ? _("Cancelled.") : error->message);
    }
  g_signal_handlers_disconnect_by_data (self->job, self);
  g_clear_object (&self->job);
  on_array (self);
}

void
es_health_dialog_run (EsHealthDialog *self)
{
  g_return_if_fail (ES_IS_HEALTH_DIALOG (self));

  const EsOperation *operation = es_operation_find ("health", NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);

  if (self->job != NULL)
    return;
  g_clear_pointer (&self->findings, g_free);
  g_clear_pointer (&self->judged, es_array_unref);
  self->n = 0;
  fill_rows (self);
  self->judged = es_recording_get_array (self->recording);
  self->job = es_job_new (operation, ES_DATASET (self->recording), params, es_device_get_cpu (), NULL, NULL);
  g_signal_connect_swapped (self->job, "notify::progress", G_CALLBACK (on_progress), self);
  g_signal_connect_swapped (self->job, "notify::state", G_CALLBACK (on_state), self);
  gtk_label_set_label (self->summary, _("Listening to every hydrophone and its neighbours…"));
  gtk_progress_bar_set_fraction (self->progress, 0);
  es_job_start (self->job);
  update (self);
}

void
es_health_dialog_cancel (EsHealthDialog *self)
{
  g_return_if_fail (ES_IS_HEALTH_DIALOG (self));

  if (self->job != NULL)
    es_job_cancel (self->job);
}

gboolean
es_health_dialog_is_running (EsHealthDialog *self)
{
  g_return_val_if_fail (ES_IS_HEALTH_DIALOG (self), FALSE);

  return self->job != NULL;
}

const char *
es_health_dialog_get_summary (EsHealthDialog *self)
{
  g_return_val_if_fail (ES_IS_HEALTH_DIALOG (self), NULL);

  return gtk_label_get_label (self->summary);
}

/* ---- the window ---- */

static void
mend_all (EsHealthDialog *self)
{
  es_health_dialog_mend (self, -1);
}

static void
es_health_dialog_dispose (GObject *object)
{
  EsHealthDialog *self = ES_HEALTH_DIALOG (object);

  if (self->job != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->job, self);
      es_job_cancel (self->job);
    }
  g_clear_object (&self->job);
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  g_clear_pointer (&self->judged, es_array_unref);
  g_clear_pointer (&self->before, es_array_unref);
  G_OBJECT_CLASS (es_health_dialog_parent_class)->dispose (object);
}

static void
es_health_dialog_finalize (GObject *object)
{
  EsHealthDialog *self = ES_HEALTH_DIALOG (object);

  g_clear_object (&self->recording);
  g_clear_object (&self->rows);
  g_free (self->findings);
  G_OBJECT_CLASS (es_health_dialog_parent_class)->finalize (object);
}

static void
es_health_dialog_class_init (EsHealthDialogClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_health_dialog_dispose;
  G_OBJECT_CLASS (class)->finalize = es_health_dialog_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
make_button (EsHealthDialog *self, const char *label, GCallback callback)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_swapped (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
make_list (EsHealthDialog *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *list;

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), self);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), self);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->rows)))),
                            factory);
  gtk_list_view_set_show_separators (GTK_LIST_VIEW (list), TRUE);
  return g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", list, "vexpand", TRUE, "has-frame", TRUE,
                       "hscrollbar-policy", GTK_POLICY_NEVER, NULL);
}

static void
es_health_dialog_init (EsHealthDialog *self)
{
  GtkWidget *bar = adw_header_bar_new (), *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->rows = gtk_string_list_new (NULL);
  self->canvas = ES_ARRAY_CANVAS (es_array_canvas_new ());
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->summary, TRUE);
  gtk_label_set_xalign (self->summary, 0);
  gtk_label_set_selectable (self->summary, TRUE);
  /* It would have the focus, and be selected, when the dialog opens. */
  gtk_widget_set_focusable (GTK_WIDGET (self->summary), FALSE);
  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  self->cancel = make_button (self, _("_Cancel"), G_CALLBACK (es_health_dialog_cancel));
  self->again = make_button (self, _("_Listen Again"), G_CALLBACK (es_health_dialog_run));
  self->all = make_button (self, _("_Put All Right"), G_CALLBACK (mend_all));
  gtk_widget_set_tooltip_text (self->all, _("Leave out dead, noisy, late and early hydrophones, and mend the sign of "
                                            "reversed ones"));
  gtk_widget_add_css_class (self->all, "suggested-action");
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->cancel);
  adw_header_bar_pack_start (ADW_HEADER_BAR (bar), self->again);
  adw_header_bar_pack_end (ADW_HEADER_BAR (bar), self->all);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  gtk_widget_set_margin_bottom (box, 12);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->progress));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->canvas));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->summary));
  gtk_box_append (GTK_BOX (box), make_list (self));
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  adw_toast_overlay_set_child (self->toasts, box);
  gtk_widget_set_vexpand (GTK_WIDGET (self->toasts), TRUE);
  gtk_box_append (GTK_BOX (page), bar);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), page);
  gtk_window_set_title (GTK_WINDOW (self), _("Array Health"));
  gtk_window_set_default_size (GTK_WINDOW (self), 620, 640);
}

GtkWidget *
es_health_dialog_new (GtkWindow *parent, EsRecording *recording)
{
  EsHealthDialog *self = g_object_new (ES_TYPE_HEALTH_DIALOG, "transient-for", parent, NULL);

  self->recording = g_object_ref (recording);
  g_signal_connect_object (recording, "notify::array", G_CALLBACK (on_array), self, G_CONNECT_SWAPPED);
  on_array (self);
  es_health_dialog_run (self);
  return GTK_WIDGET (self);
}
