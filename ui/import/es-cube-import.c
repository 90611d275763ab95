/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-import.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "es-cube-fields.h"
#include "es-glimpse-view.h"
#include "widgets/es-dialog.h"

#define SIDE 320

/* What is asked of the worker: a preview, or proposals. */
typedef struct
{
  GFile      *file;
  EsRawShape  shape;
  EsRawFields told;
  guint64     band;
} Question;

struct _EsCubeImport
{
  AdwWindow      parent_instance;

  EsCubeFields  *fields;
  EsGlimpseView *view;
  GtkAdjustment *band;
  GtkWidget     *band_scale;
  GtkLabel      *verdict, *listed;
  GtkListBox    *list;
  GtkCheckButton *header;
  GtkWidget     *import, *forget;

  GFile         *file;
  GArray        *shapes;         /* listed; nullable */
  GCancellable  *looking, *proposing;      /* nullable: not under way */
  gboolean       good, choosing, asked;
};

enum { IMPORT, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsCubeImport, es_cube_import, ADW_TYPE_WINDOW)

static void
question_free (gpointer data)
{
  g_object_unref (((Question *) data)->file);
  g_free (data);
}

/* A task of its own for each, on a worker; the one before it is cancelled. */
static void
ask (EsCubeImport *self, GCancellable **under_way, GTaskThreadFunc work, GAsyncReadyCallback done)
{
  Question *question = g_new0 (Question, 1);
  g_autoptr (GTask) task = NULL;

  if (*under_way != NULL)
    g_cancellable_cancel (*under_way);
  g_clear_object (under_way);
  *under_way = g_cancellable_new ();
  question->file = g_object_ref (self->file);
  question->shape = es_cube_fields_get (self->fields);
  question->told = es_cube_fields_get_told (self->fields);
  question->band = (guint64) gtk_adjustment_get_value (self->band) - 1;
  task = g_task_new (self, *under_way, done, NULL);
  g_task_set_source_tag (task, ask);
  g_task_set_task_data (task, question, question_free);
  es_task_run_in_thread (task, work);
}

/* ---- the preview ---- */

static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Question *question = data;
  GError *error = NULL;
  EsRawGlimpse *glimpse = es_raw_glimpse_new (question->file, &question->shape, question->band, SIDE, cancellable,
                                              &error);

  if (glimpse != NULL)
    g_task_return_pointer (task, glimpse, (GDestroyNotify) es_raw_glimpse_free);
  else
    g_task_return_error (task, error);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  EsCubeImport *self = ES_CUBE_IMPORT (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsRawGlimpse) glimpse = g_task_propagate_pointer (G_TASK (result), &error);

  /* A later one is under way, or the dialog is gone. */
  if (g_task_get_cancellable (G_TASK (result)) != self->looking)
    return;
  g_clear_object (&self->looking);
  self->good = glimpse != NULL;
  gtk_widget_set_sensitive (self->import, self->good);
  es_glimpse_view_set (self->view, glimpse);
  if (glimpse == NULL)
    es_dialog_say (self->verdict, error->message, "error");
  else if (glimpse->doubt != NULL || glimpse->left != NULL)
    {
      g_autofree char *both = g_strjoin (" ", glimpse->doubt != NULL ? glimpse->doubt : glimpse->left,
                                         glimpse->doubt != NULL ? glimpse->left : NULL, NULL);

      es_dialog_say (self->verdict, both, "warning");
    }
  else
    {
      g_autofree char *size = g_format_size (glimpse->size);
      g_autofree char *described = es_raw_shape_describe (&glimpse->shape);
      /* TRANSLATORS: the shape of a cube, and the size of the file that it fills */
      g_autofree char *text = g_strdup_printf (_("%s: fills the %s of the file to the last byte"), described, size);

      es_dialog_say (self->verdict, text, "dim-label");
    }
}

static void
update_preview (EsCubeImport *self)
{
  const EsRawShape shape = es_cube_fields_get (self->fields);

  gtk_adjustment_set_upper (self->band, (double) shape.bands);
  gtk_widget_set_sensitive (self->band_scale, shape.bands > 1);
  ask (self, &self->looking, look, on_looked);
}

/* ---- proposals ---- */

static void
propose (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Question *question = data;
  GError *error = NULL;
  GArray *shapes = es_raw_shapes_propose_file (question->file, &question->shape, question->told, cancellable, &error);

  if (shapes != NULL)
    g_task_return_pointer (task, shapes, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
}

static GtkWidget *
make_row (const EsRawShape *shape)
{
  g_autofree char *text = es_raw_shape_describe (shape);
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_margin_top (label, 4);
  gtk_widget_set_margin_bottom (label, 4);
  gtk_widget_set_margin_start (label, 8);
  gtk_widget_set_margin_end (label, 8);
  return label;
}

static gboolean
is_same (const EsRawShape *a, const EsRawShape *b)
{
  return a->width == b->width && a->height == b->height && a->bands == b->bands && a->offset == b->offset
         && g_strcmp0 (a->type, b->type) == 0 && a->interleave == b->interleave
         && (es_raw_type_size (a->type) == 1 || a->big_endian == b->big_endian);
}

/* The row of what the fields say, if it is one. */
static void
select_current (EsCubeImport *self)
{
  const EsRawShape now = es_cube_fields_get (self->fields);
  GtkListBoxRow *row = NULL;

  for (guint i = 0; self->shapes != NULL && i < self->shapes->len && row == NULL; i++)
    if (is_same (&now, &g_array_index (self->shapes, EsRawShape, i)))
      row = gtk_list_box_get_row_at_index (self->list, (int) i);
  self->choosing = TRUE;
  gtk_list_box_select_row (self->list, row);
  self->choosing = FALSE;
}

static void
fill_list (EsCubeImport *self)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->list))) != NULL)
    gtk_list_box_remove (self->list, child);
  for (guint i = 0; self->shapes != NULL && i < self->shapes->len; i++)
    gtk_list_box_append (self->list, make_row (&g_array_index (self->shapes, EsRawShape, i)));
  gtk_widget_set_sensitive (self->forget, es_cube_fields_get_told (self->fields) != 0);
}

static void
on_proposed (GObject *source, GAsyncResult *result, gpointer data)
{
  EsCubeImport *self = ES_CUBE_IMPORT (source);
  g_autoptr (GError) error = NULL;
  GArray *shapes = g_task_propagate_pointer (G_TASK (result), &error);

  if (g_task_get_cancellable (G_TASK (result)) != self->proposing)
    {
      g_clear_pointer (&shapes, g_array_unref);
      return;
    }
  g_clear_object (&self->proposing);
  g_clear_pointer (&self->shapes, g_array_unref);
  self->shapes = shapes;
  fill_list (self);
  gtk_label_set_label (self->listed, shapes == NULL ? error->message
                       : shapes->len == 0 ? _("No shape fills the file to the last byte with what is told of it.")
                       : es_cube_fields_get_told (self->fields) != 0 ? _("Plausible with what is told:")
                       : _("Plausible by size and content:"));
  /* What was changed by hand is looked at as it is; before that, what is most plausible. */
  if (shapes != NULL && shapes->len > 0 && es_cube_fields_get_told (self->fields) == 0 && !self->asked)
    {
      const EsRawShape *first = &g_array_index (shapes, EsRawShape, 0);

      es_cube_fields_set (self->fields, first);
      /* The first bands are often the darkest. */
      gtk_adjustment_set_upper (self->band, (double) first->bands);
      gtk_adjustment_set_value (self->band, (double) (1 + first->bands / 3));
    }
  if (!self->asked)
    update_preview (self);
  self->asked = TRUE;
  select_current (self);
}

static void
on_row_selected (GtkListBox *list, GtkListBoxRow *row, EsCubeImport *self)
{
  const int index = row != NULL ? gtk_list_box_row_get_index (row) : -1;

  if (!self->choosing && index >= 0 && self->shapes != NULL && (guint) index < self->shapes->len)
    es_cube_fields_set (self->fields, &g_array_index (self->shapes, EsRawShape, index));
}

static void
on_fields_changed (EsCubeFields *fields, gboolean by_hand, EsCubeImport *self)
{
  if (self->file == NULL)
    return;
  update_preview (self);
  if (by_hand)
    ask (self, &self->proposing, propose, on_proposed);
  else
    select_current (self);
}

static void
on_forget (EsCubeImport *self)
{
  es_cube_fields_set_told (self->fields, 0);
  self->asked = FALSE;
  ask (self, &self->proposing, propose, on_proposed);
}

/* ---- the dialog ---- */

void
es_cube_import_import (EsCubeImport *self)
{
  g_return_if_fail (ES_IS_CUBE_IMPORT (self));

  if (!self->good)
    return;
  g_signal_emit (self, signals[IMPORT], 0);
  gtk_window_close (GTK_WINDOW (self));
}

static void
es_cube_import_dispose (GObject *object)
{
  EsCubeImport *self = ES_CUBE_IMPORT (object);

  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  if (self->proposing != NULL)
    g_cancellable_cancel (self->proposing);
  g_clear_object (&self->looking);
  g_clear_object (&self->proposing);
  g_clear_pointer (&self->shapes, g_array_unref);
  g_clear_object (&self->file);
  G_OBJECT_CLASS (es_cube_import_parent_class)->dispose (object);
}

static void
es_cube_import_class_init (EsCubeImportClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_cube_import_dispose;
  signals[IMPORT] = g_signal_new ("import", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (class), GDK_KEY_Escape, 0, "window.close", NULL);
}

static GtkWidget *
make_settings (EsCubeImport *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *scroller = gtk_scrolled_window_new ();
  GtkWidget *list = gtk_list_box_new ();

  gtk_widget_set_size_request (box, 310, -1);
  self->fields = ES_CUBE_FIELDS (es_cube_fields_new ());
  g_signal_connect_object (self->fields, "changed", G_CALLBACK (on_fields_changed), self, 0);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->fields));
  self->listed = GTK_LABEL (gtk_label_new (_("Looking for plausible shapes…")));
  gtk_label_set_xalign (self->listed, 0);
  gtk_label_set_wrap (self->listed, TRUE);
  gtk_widget_set_margin_top (GTK_WIDGET (self->listed), 6);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->listed));
  self->list = GTK_LIST_BOX (list);
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Plausible shapes"), -1);
  g_signal_connect_object (list, "row-selected", G_CALLBACK (on_row_selected), self, 0);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 120);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), scroller);
  self->forget = gtk_button_new_with_mnemonic (_("_Propose Anew"));
  gtk_widget_set_tooltip_text (self->forget, _("Forget what was changed by hand"));
  gtk_widget_set_halign (self->forget, GTK_ALIGN_START);
  gtk_widget_set_sensitive (self->forget, FALSE);
  g_signal_connect_object (self->forget, "clicked", G_CALLBACK (on_forget), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), self->forget);
  return box;
}

static GtkWidget *
make_preview (EsCubeImport *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Ban_d"));

  self->view = ES_GLIMPSE_VIEW (es_glimpse_view_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->view));
  self->band = gtk_adjustment_new (1, 1, 1, 1, 10, 0);
  self->band_scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, self->band);
  gtk_scale_set_digits (GTK_SCALE (self->band_scale), 0);
  gtk_scale_set_draw_value (GTK_SCALE (self->band_scale), TRUE);
  gtk_scale_set_value_pos (GTK_SCALE (self->band_scale), GTK_POS_RIGHT);
  gtk_widget_set_hexpand (self->band_scale, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->band_scale), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("The band that is shown"), -1);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->band_scale);
  g_signal_connect_object (self->band, "value-changed", G_CALLBACK (update_preview), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (row), label);
  gtk_box_append (GTK_BOX (row), self->band_scale);
  gtk_box_append (GTK_BOX (box), row);
  return box;
}

static void
es_cube_import_init (EsCubeImport *self)
{
  GtkWidget *content = es_dialog_fill (GTK_WINDOW (self), _("_Import"), &self->import);
  GtkWidget *sides = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 18);

  gtk_window_set_title (GTK_WINDOW (self), _("Import a Cube"));
  gtk_window_set_default_size (GTK_WINDOW (self), 900, 620);
  gtk_widget_set_sensitive (self->import, FALSE);
  g_signal_connect_swapped (self->import, "clicked", G_CALLBACK (es_cube_import_import), self);
  gtk_box_append (GTK_BOX (sides), make_settings (self));
  gtk_box_append (GTK_BOX (sides), make_preview (self));
  gtk_widget_set_vexpand (sides, TRUE);
  gtk_box_append (GTK_BOX (content), sides);
  self->verdict = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->verdict, TRUE);
  gtk_label_set_wrap_mode (self->verdict, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (self->verdict, 0);
  /* Two lines' room, so that a longer sentence moves nothing. */
  gtk_label_set_lines (self->verdict, 2);
  gtk_widget_set_size_request (GTK_WIDGET (self->verdict), -1, 40);
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->verdict));
  self->header = GTK_CHECK_BUTTON (gtk_check_button_new_with_mnemonic (_("Write an _ENVI header beside the file, so "
                                                                          "that it opens by itself next time")));
  gtk_box_append (GTK_BOX (content), GTK_WIDGET (self->header));
}

GtkWidget *
es_cube_import_new (GtkWindow *parent, GFile *file)
{
  EsCubeImport *self;
  g_autofree char *name = NULL, *title = NULL;
  g_autoptr (GFile) header = NULL;
  const EsRawShape first = { .width = 1, .height = 1, .bands = 1, .type = "uint8" };

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  self = g_object_new (ES_TYPE_CUBE_IMPORT, "transient-for", parent, "modal", TRUE, NULL);
  name = es_error_file_name (file);
  /* TRANSLATORS: %s is the name of a file */
  title = g_strdup_printf (_("Import “%s” as a Cube"), name);
  gtk_window_set_title (GTK_WINDOW (self), title);
  es_cube_fields_set (self->fields, &first);
  self->file = g_object_ref (file);
  header = es_raw_header_place (file);
  gtk_widget_set_sensitive (GTK_WIDGET (self->header), header != NULL);
  if (header == NULL)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->header), _("There is one, or a file of that name"));
  ask (self, &self->proposing, propose, on_proposed);
  return GTK_WIDGET (self);
}

GFile *
es_cube_import_get_file (EsCubeImport *self)
{
  g_return_val_if_fail (ES_IS_CUBE_IMPORT (self), NULL);
  return self->file;
}

EsRawShape
es_cube_import_get_shape (EsCubeImport *self)
{
  return es_cube_fields_get (self->fields);
}

void
es_cube_import_tell (EsCubeImport *self, const EsRawShape *shape, EsRawFields fields)
{
  g_return_if_fail (ES_IS_CUBE_IMPORT (self) && shape != NULL);

  es_cube_fields_set (self->fields, shape);
  es_cube_fields_set_told (self->fields, fields);
  on_fields_changed (self->fields, TRUE, self);
}

GArray *
es_cube_import_get_shapes (EsCubeImport *self)
{
  g_return_val_if_fail (ES_IS_CUBE_IMPORT (self), NULL);
  return self->shapes;
}

const char *
es_cube_import_get_verdict (EsCubeImport *self)
{
  g_return_val_if_fail (ES_IS_CUBE_IMPORT (self), NULL);
  return gtk_label_get_label (self->verdict);
}

gboolean
es_cube_import_is_good (EsCubeImport *self)
{
  g_return_val_if_fail (ES_IS_CUBE_IMPORT (self), FALSE);
  return self->good && self->looking == NULL;
}

gboolean
es_cube_import_is_busy (EsCubeImport *self)
{
  g_return_val_if_fail (ES_IS_CUBE_IMPORT (self), FALSE);
  return self->looking != NULL || self->proposing != NULL;
}

gboolean
es_cube_import_wants_header (EsCubeImport *self)
{
  g_return_val_if_fail (ES_IS_CUBE_IMPORT (self), FALSE);
  return gtk_widget_is_sensitive (GTK_WIDGET (self->header)) && gtk_check_button_get_active (self->header);
}

void
es_cube_import_set_wants_header (EsCubeImport *self, gboolean wants)
{
  g_return_if_fail (ES_IS_CUBE_IMPORT (self));
  gtk_check_button_set_active (self->header, wants);
}
