/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-page-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "es-lab-compare.h"
#include "lab/parts/es-lab-cards.h"
#include "lab/parts/es-lab-source.h"
#include "lab/parts/es-lab-text.h"
#include "lab/parts/es-verdict-view.h"
#include "lab/ladder/es-ladder-part.h"
#include "widgets/es-capture.h"
#include "widgets/es-format.h"
#include "widgets/es-wrap-layout.h"

#define WIDEST 1160
#define WIDEST_LADDER 2400
#define SEEK_MS 60

G_DEFINE_FINAL_TYPE (EsLabPage, es_lab_page, GTK_TYPE_WIDGET)

const EsLadder *
_es_lab_page_get_ladder (EsLabPage *self)
{
  return self->experiment != NULL ? es_ladder_of_operation (self->experiment->operation->id) : NULL;
}

/* ---- parts ---- */

static void
add_expander (EsLabPage *self, const char *title, GtkWidget *child)
{
  GtkWidget *expander = gtk_expander_new (title);

  gtk_widget_set_margin_top (child, 6);
  gtk_expander_set_child (GTK_EXPANDER (expander), child);
  gtk_widget_add_css_class (expander, "es-lab-expander");
  gtk_box_append (GTK_BOX (self->column), expander);
}

static const char *
get_question (EsLabPage *self)
{
  return self->experiment != NULL ? es_experiment_get_question (self->experiment, self->machine)
         : self->result != NULL ? es_result_get_title (self->result) : "";
}

static GtkWidget *
make_predict (EsLabPage *self)
{
  return es_lab_label_new (es_experiment_get_predict (self->experiment, self->machine), NULL);
}

static char *
describe (EsLabPage *self)
{
  const char *machine = es_dataset_get_name (ES_DATASET (self->machine));
  const char *title = self->result != NULL ? es_result_get_title (self->result)
                      : self->experiment != NULL ? _(self->experiment->operation->title) : "";

  if (self->result == NULL)
    return g_strdup_printf (_("%s · %s"), title, machine);
  /* TRANSLATORS: an experiment, the machine, and how long it took: "Latency of memories · NVIDIA H100 · took 4 s" */
  g_autofree char *took = es_format_value (es_result_get_total_ms (self->result) / 1000, "s");
  return g_strdup_printf (_("%s · %s · took %s"), title, machine, took);
}

static void
add_head (EsLabPage *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3), *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *back = gtk_button_new (), *content = adw_button_content_new (), *run = NULL;
  g_autofree char *detail = describe (self);
  GtkWidget *title = es_lab_label_new (get_question (self), "title-2");

  adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), "go-previous-symbolic");
  adw_button_content_set_label (ADW_BUTTON_CONTENT (content), _("All _Experiments"));
  adw_button_content_set_use_underline (ADW_BUTTON_CONTENT (content), TRUE);
  gtk_button_set_child (GTK_BUTTON (back), content);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "win.lab-back");
  gtk_widget_set_layout_manager (bar, es_wrap_layout_new (6, 6));
  gtk_box_append (GTK_BOX (bar), back);
  if (self->experiment != NULL)
    {
      run = gtk_button_new_with_mnemonic (self->result != NULL ? _("Run A_gain") : _("_Run"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (run), "win.lab-run");
      gtk_actionable_set_action_target (GTK_ACTIONABLE (run), "s", self->experiment->operation->id);
      if (self->result == NULL)
        gtk_widget_add_css_class (run, "suggested-action");
      gtk_box_append (GTK_BOX (bar), run);
    }
  if (self->result != NULL && _es_lab_page_get_ladder (self) == NULL)
    gtk_box_append (GTK_BOX (bar), es_lab_compare_new (self->profiles));
  gtk_label_set_selectable (GTK_LABEL (title), TRUE);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), es_lab_label_new (detail, "dim-label"));
  gtk_box_append (GTK_BOX (self->column), bar);
  gtk_box_append (GTK_BOX (self->column), head);
}

static void
add_verdict (EsLabPage *self, gboolean meaning)
{
  EsVerdict *verdict = es_lab_find_verdict (self->result);
  GtkWidget *view = verdict != NULL ? es_verdict_view_new (verdict, meaning) : NULL, *card;

  if (view == NULL)
    return;
  card = es_lab_card_new (meaning ? _("What it means for Eigenscope") : _("What was found"), view, TRUE);
  if (meaning)
    gtk_widget_add_css_class (gtk_widget_get_last_child (card), "es-meaning");
  g_hash_table_insert (self->places, verdict, meaning && g_hash_table_contains (self->places, verdict)
                                              ? g_hash_table_lookup (self->places, verdict) : card);
  if (_es_lab_page_get_ladder (self) != NULL)
    g_ptr_array_add (self->telling, card);
  gtk_box_append (GTK_BOX (self->column), card);
}

/* ---- ladders ---- */

/* What would tell a time waits until all have been revealed. */
static void
update_telling (EsLabPage *self)
{
  const EsLadder *ladder = _es_lab_page_get_ladder (self);
  EsLadderWalk *walk = ladder != NULL ? g_hash_table_lookup (self->walks, ladder->operation) : NULL;

  for (guint i = 0; i < self->telling->len; i++)
    gtk_widget_set_visible (g_ptr_array_index (self->telling, i),
                            walk == NULL || es_ladder_walk_is_all_seen (walk));
}

static EsLadderWalk *
get_walk (EsLabPage *self, const EsLadder *ladder)
{
  EsLadderWalk *walk = g_hash_table_lookup (self->walks, ladder->operation);

  if (walk == NULL)
    {
      walk = es_ladder_walk_new ();
      g_hash_table_insert (self->walks, (gpointer) ladder->operation, walk);
      g_signal_connect_object (walk, "changed", G_CALLBACK (update_telling), self, G_CONNECT_SWAPPED);
    }
  return walk;
}

static void
add_ladder (EsLabPage *self)
{
  const EsLadder *ladder = _es_lab_page_get_ladder (self);

  if (ladder != NULL)
    gtk_box_append (GTK_BOX (self->column), es_ladder_part_new (get_walk (self, ladder), ladder, self->machine,
                                                                self->result));
}

static void
add_absent (EsLabPage *self)
{
  GtkWidget *label = es_lab_label_new (_("What it found was not kept. It can be run again."), "dim-label");

  gtk_box_append (GTK_BOX (self->column), label);
}

/* Sentences are read; bars, a source and a plot side by side take what there is. */
static void
set_widest (EsLabPage *self)
{
  const gboolean is_ladder = _es_lab_page_get_ladder (self) != NULL;

  adw_clamp_set_maximum_size (ADW_CLAMP (self->clamp), is_ladder ? WIDEST_LADDER : WIDEST);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (self->clamp), is_ladder ? WIDEST_LADDER : WIDEST * 3 / 4);
}

static void
fill (EsLabPage *self)
{
  const gboolean whole = self->result != NULL && !es_result_is_absent (self->result);

  g_hash_table_remove_all (self->places);
  g_ptr_array_set_size (self->telling, 0);
  set_widest (self);
  self->column = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_widget_add_css_class (self->column, "es-lab-column");
  adw_clamp_set_child (ADW_CLAMP (self->clamp), self->column);
  if (self->machine == NULL)
    return;
  add_head (self);
  if (self->experiment != NULL && self->result == NULL)
    gtk_box_append (GTK_BOX (self->column), es_lab_card_new (_("Predict first"), make_predict (self), TRUE));
  if (self->result == NULL)
    add_ladder (self);
  if (whole)
    {
      add_ladder (self);
      add_verdict (self, FALSE);
      _es_lab_page_add_layers (self);
      _es_lab_page_add_beside (self);
      add_verdict (self, TRUE);
    }
  else if (self->result != NULL)
    add_absent (self);
  update_telling (self);
  if (self->experiment == NULL)
    return;
  add_expander (self, _("How it asks"), es_lab_source_new (self->experiment, self->machine));
  if (self->result != NULL)
    add_expander (self, _("Predict first"), make_predict (self));
}

/* ---- what is shown ---- */

void
es_lab_page_show (EsLabPage *self, EsMachine *machine, const EsExperiment *experiment, EsResult *result)
{
  g_return_if_fail (ES_IS_LAB_PAGE (self));

  if (self->machine == machine && self->experiment == experiment && self->result == result)
    return;
  g_set_object (&self->machine, machine);
  g_set_object (&self->result, result);
  self->experiment = experiment;
  self->sought = NULL;
  fill (self);
  es_lab_page_seek (self, NULL);
}

EsResult *
es_lab_page_get_result (EsLabPage *self)
{
  g_return_val_if_fail (ES_IS_LAB_PAGE (self), NULL);
  return self->result;
}

static gboolean
on_seek (gpointer data)
{
  EsLabPage *self = data;
  GtkWidget *place = self->sought != NULL ? g_hash_table_lookup (self->places, self->sought) : NULL;

  self->seek_source = 0;
  self->sought = NULL;
  es_lab_scroll_to (GTK_SCROLLED_WINDOW (self->page), self->column, place);
  return G_SOURCE_REMOVE;
}

void
es_lab_page_seek (EsLabPage *self, EsLayer *layer)
{
  g_return_if_fail (ES_IS_LAB_PAGE (self));

  self->sought = layer;
  /* Once it has been given its size. */
  if (self->seek_source == 0)
    self->seek_source = g_timeout_add (SEEK_MS, on_seek, self);
}

GdkTexture *
es_lab_page_render (EsLabPage *self)
{
  g_return_val_if_fail (ES_IS_LAB_PAGE (self), NULL);
  return self->column != NULL
         ? es_capture_render_page (self->column, 2, get_question (self),
                                   es_dataset_get_name (ES_DATASET (self->machine))) : NULL;
}

/* ---- the widget ---- */

static void
es_lab_page_dispose (GObject *object)
{
  EsLabPage *self = ES_LAB_PAGE (object);

  g_clear_handle_id (&self->seek_source, g_source_remove);
  g_clear_pointer (&self->page, gtk_widget_unparent);
  g_clear_pointer (&self->places, g_hash_table_unref);
  g_clear_pointer (&self->telling, g_ptr_array_unref);
  g_clear_pointer (&self->walks, g_hash_table_unref);
  g_clear_object (&self->result);
  g_clear_object (&self->machine);
  g_clear_object (&self->profiles);
  G_OBJECT_CLASS (es_lab_page_parent_class)->dispose (object);
}

static void
es_lab_page_class_init (EsLabPageClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_lab_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "labpage");
}

static void
es_lab_page_init (EsLabPage *self)
{
  GtkWidget *viewport = gtk_viewport_new (NULL, NULL);

  self->places = g_hash_table_new (NULL, NULL);
  self->telling = g_ptr_array_new ();
  self->walks = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->clamp = adw_clamp_new ();
  set_widest (self);
  self->page = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->page), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  /* Tables are as high as their rows want, not as low as they could be. */
  gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
  gtk_viewport_set_child (GTK_VIEWPORT (viewport), self->clamp);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->page), viewport);
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
}

GtkWidget *
es_lab_page_new (EsLabProfiles *profiles)
{
  EsLabPage *self = g_object_new (ES_TYPE_LAB_PAGE, NULL);

  self->profiles = g_object_ref (profiles);
  g_signal_connect_object (profiles, "changed", G_CALLBACK (_es_lab_page_compare), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
