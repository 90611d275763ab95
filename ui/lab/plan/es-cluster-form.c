/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-form.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "operations/es-operations.h"
#include "params/es-param-panel.h"
#include "params/es-param-row.h"
#include "widgets/es-wheel.h"

#define HERE "here"
#define ENTRY_WIDTH 20
#define TEXT_WIDTH 36

struct _EsClusterForm
{
  GtkBox           parent_instance;

  EsClusterChoice *choice;
  EsSession       *session;
  GPtrArray       *datasets;         /* of those that the list of data shows behind "a shape" */
  GPtrArray       *sources;          /* what the entries of the list of clusters are, as choices call them */

  GtkWidget       *operation, *data, *shape, *array, *shape_line, *array_line, *hint;
  GtkWidget       *advanced, *panel;
  GtkWidget       *cluster, *name, *figures;
  gboolean         syncing;
};

G_DEFINE_FINAL_TYPE (EsClusterForm, es_cluster_form, GTK_TYPE_BOX)

/* ---- data ---- */

static void
choose (GtkWidget *drop_down, guint i)
{
  if (gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)) != i)
    gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), i);
}

/* The list stays and changes from the first title on that is another: drop-downs still use what they had while they
 * tell that something was chosen, which is what this may follow from. */
static void
set_strings (GtkWidget *drop_down, GPtrArray *titles)
{
  GtkStringList *list = GTK_STRING_LIST (gtk_drop_down_get_model (GTK_DROP_DOWN (drop_down)));
  const char *const *strings = (const char *const *) titles->pdata;
  guint same = 0;

  while (strings[same] != NULL && g_strcmp0 (gtk_string_list_get_string (list, same), strings[same]) == 0)
    same++;
  gtk_string_list_splice (list, same, g_list_model_get_n_items (G_LIST_MODEL (list)) - same, strings + same);
}

static void
fill_data (EsClusterForm *self)
{
  GListModel *all = es_session_get_datasets (self->session);
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  EsDataset *chosen = es_cluster_choice_get_dataset (self->choice);
  guint selected = 0;

  g_ptr_array_set_size (self->datasets, 0);
  g_ptr_array_add (titles, (gpointer) _("A shape"));
  for (guint i = 0; i < g_list_model_get_n_items (all); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (all, i);

      if ((es_dataset_get_kind (dataset) & es_cluster_choice_get_takes (self->choice)) == 0)
        continue;
      g_ptr_array_add (self->datasets, g_object_ref (dataset));
      g_ptr_array_add (titles, (gpointer) es_dataset_get_name (dataset));
      if (dataset == chosen)
        selected = self->datasets->len;
    }
  g_ptr_array_add (titles, NULL);
  set_strings (self->data, titles);
  choose (self->data, selected);
}

static void
show_shape (EsClusterForm *self)
{
  const gboolean shape = es_cluster_choice_get_dataset (self->choice) == NULL;
  const gboolean cube = (es_cluster_choice_get_takes (self->choice) & ES_DATASET_CUBE) != 0;

  gtk_widget_set_visible (self->shape_line, shape);
  gtk_widget_set_visible (self->hint, shape);
  gtk_widget_set_visible (self->array_line, shape && !cube);
  gtk_label_set_label (GTK_LABEL (self->hint), cube ? _("Width x height x bands : type of the samples")
                                               : _("Elements x seconds s @ samples a second : type"));
  gtk_editable_set_text (GTK_EDITABLE (self->shape), es_cluster_choice_get_shape (self->choice));
  gtk_editable_set_text (GTK_EDITABLE (self->array), es_cluster_choice_get_array (self->choice));
}

/* ---- choice -> widgets ---- */

static void
show_operation (EsClusterForm *self)
{
  const char *const *ids = es_cluster_work_list ();
  guint i = 0;

  self->syncing = TRUE;
  while (ids[i] != NULL && strcmp (ids[i], es_cluster_choice_get_operation (self->choice)) != 0)
    i++;
  choose (self->operation, i);
  fill_data (self);
  show_shape (self);
  es_param_panel_set_params (ES_PARAM_PANEL (self->panel), es_cluster_choice_get_params (self->choice));
  self->syncing = FALSE;
}

/* A source is told once, of a file by what it is called. */
static void
fill_clusters (EsClusterForm *self)
{
  g_auto (GStrv) installed = es_cluster_list_installed ();
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();
  const char *source = es_cluster_choice_get_source (self->choice);
  guint selected = GTK_INVALID_LIST_POSITION;

  g_ptr_array_set_size (self->sources, 0);
  for (char **name = installed; *name != NULL; name++)
    g_ptr_array_add (self->sources, g_strdup (*name));
  g_ptr_array_add (self->sources, g_strdup (HERE));
  if (*source == '\0')
    g_ptr_array_add (self->sources, g_strdup (""));
  for (guint i = 0; i < self->sources->len; i++)
    {
      const char *each = g_ptr_array_index (self->sources, i);

      g_ptr_array_add (titles, (gpointer) (strcmp (each, HERE) == 0 ? _("This machine")
                                           : *each == '\0' ? _("A file") : each));
      if (strcmp (each, source) == 0)
        selected = i;
    }
  g_ptr_array_add (titles, NULL);
  set_strings (self->cluster, titles);
  choose (self->cluster, selected);
}

static void
add_heading (EsClusterForm *self, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "caption-heading");
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_set_margin_top (label, 6);
  gtk_box_append (GTK_BOX (self->figures), label);
}

/* Above which figures what stands. */
static const char *
get_heading (const char *key)
{
  static const struct { const char *key, *title; } headings[] = {
    { "nodes", N_("Nodes") }, { "latency", N_("Network") }, { "disk", N_("Disk") }, { "start", N_("Time to start") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (headings); i++)
    if (strcmp (headings[i].key, key) == 0)
      return _(headings[i].title);
  return NULL;
}

static void
update_rows (EsClusterForm *self)
{
  EsParams *figures = es_cluster_choice_get_figures (self->choice);

  for (GtkWidget *row = gtk_widget_get_first_child (self->figures); row != NULL && figures != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (ES_IS_PARAM_ROW (row))
      gtk_widget_set_visible (row, es_params_is_visible (figures, es_param_row_get_spec (ES_PARAM_ROW (row))->key));
}

static void
show_cluster (EsClusterForm *self)
{
  EsParams *figures = es_cluster_choice_get_figures (self->choice);
  const EsParamSpec *specs = figures != NULL ? es_params_get_specs (figures) : NULL;
  const char *name = es_cluster_choice_get_name (self->choice);
  GtkWidget *child;

  self->syncing = TRUE;
  fill_clusters (self);
  self->syncing = FALSE;
  gtk_label_set_label (GTK_LABEL (self->name), name != NULL ? name : "");
  gtk_widget_set_visible (self->name, name != NULL);
  while ((child = gtk_widget_get_first_child (self->figures)) != NULL)
    gtk_box_remove (GTK_BOX (self->figures), child);
  for (guint i = 0; specs != NULL && specs[i].type != ES_PARAM_END; i++)
    {
      const char *heading = get_heading (specs[i].key);

      if (heading != NULL)
        add_heading (self, heading);
      gtk_box_append (GTK_BOX (self->figures), es_param_row_new (figures, &specs[i]));
    }
  if (figures != NULL)
    g_signal_connect_object (figures, "changed", G_CALLBACK (update_rows), self, G_CONNECT_SWAPPED);
  update_rows (self);
}

/* ---- widgets -> choice ---- */

static void
on_operation (EsClusterForm *self)
{
  const guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->operation));

  if (!self->syncing && i < g_strv_length ((char **) es_cluster_work_list ()))
    es_cluster_choice_set_operation (self->choice, es_cluster_work_list ()[i]);
}

static void
on_data (EsClusterForm *self)
{
  const guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->data));

  if (self->syncing || i == GTK_INVALID_LIST_POSITION)
    return;
  es_cluster_choice_set_dataset (self->choice, i > 0 && i <= self->datasets->len
                                               ? g_ptr_array_index (self->datasets, i - 1) : NULL);
  self->syncing = TRUE;
  show_shape (self);
  self->syncing = FALSE;
}

static void
on_shape (EsClusterForm *self)
{
  if (!self->syncing)
    es_cluster_choice_set_shape (self->choice, gtk_editable_get_text (GTK_EDITABLE (self->shape)));
}

static void
on_array (EsClusterForm *self)
{
  if (!self->syncing)
    es_cluster_choice_set_array (self->choice, gtk_editable_get_text (GTK_EDITABLE (self->array)));
}

static void
on_cluster (EsClusterForm *self)
{
  const guint i = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->cluster));
  const char *source = i < self->sources->len ? g_ptr_array_index (self->sources, i) : NULL;

  if (self->syncing || source == NULL || strcmp (source, es_cluster_choice_get_source (self->choice)) == 0)
    return;
  if (strcmp (source, HERE) == 0)
    es_cluster_choice_set_here (self->choice);
  else
    {
      /* It is one of the list, which is made anew. */
      g_autofree char *name = g_strdup (source);

      es_cluster_choice_set_installed (self->choice, name);
    }
}

/* Data come and go; what has gone is not planned any more. */
static void
on_datasets (EsClusterForm *self)
{
  EsDataset *chosen = es_cluster_choice_get_dataset (self->choice);
  gboolean there = FALSE;

  self->syncing = TRUE;
  fill_data (self);
  for (guint i = 0; i < self->datasets->len; i++)
    there |= g_ptr_array_index (self->datasets, i) == chosen;
  if (chosen != NULL && !there)
    es_cluster_choice_set_dataset (self->choice, NULL);
  show_shape (self);
  self->syncing = FALSE;
}

/* ---- the widget ---- */

/* A control with its name before it. */
static GtkWidget *
add_line (GtkWidget *box, const char *title, GtkWidget *control)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *label = gtk_label_new_with_mnemonic (title);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), control);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), control);
  gtk_box_append (GTK_BOX (box), line);
  return line;
}

static GtkWidget *
make_drop_down (EsClusterForm *self, GCallback chosen)
{
  GtkWidget *drop_down = gtk_drop_down_new (G_LIST_MODEL (gtk_string_list_new (NULL)),
                                            gtk_property_expression_new (GTK_TYPE_STRING_OBJECT, NULL, "string"));

  gtk_widget_set_size_request (drop_down, 150, -1);
  es_keep_focus (drop_down);
  g_signal_connect_object (drop_down, "notify::selected", chosen, self, G_CONNECT_SWAPPED);
  return drop_down;
}

static GtkWidget *
make_entry (EsClusterForm *self, GCallback changed)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_editable_set_width_chars (GTK_EDITABLE (entry), ENTRY_WIDTH);
  g_signal_connect_object (entry, "changed", changed, self, G_CONNECT_SWAPPED);
  return entry;
}

static GtkWidget *
make_caption (void)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_WIDTH);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "dim-label");
  return label;
}

static GtkWidget *
add_card (EsClusterForm *self, const char *title)
{
  GtkWidget *label = gtk_label_new (title), *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_margin_top (label, gtk_widget_get_first_child (GTK_WIDGET (self)) != NULL ? 12 : 0);
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, "es-lab-card");
  gtk_box_append (GTK_BOX (self), label);
  gtk_box_append (GTK_BOX (self), card);
  return card;
}

static void
build_analysis (EsClusterForm *self)
{
  GtkWidget *card = add_card (self, _("Analysis"));
  g_autoptr (GPtrArray) titles = g_ptr_array_new ();

  for (const char *const *id = es_cluster_work_list (); *id != NULL; id++)
    g_ptr_array_add (titles, (gpointer) _(es_operation_find (*id, NULL)->short_title));
  g_ptr_array_add (titles, NULL);
  self->operation = make_drop_down (self, G_CALLBACK (on_operation));
  set_strings (self->operation, titles);
  self->data = make_drop_down (self, G_CALLBACK (on_data));
  self->shape = make_entry (self, G_CALLBACK (on_shape));
  self->array = make_entry (self, G_CALLBACK (on_array));
  self->hint = make_caption ();
  self->panel = es_param_panel_new ();
  gtk_widget_set_margin_top (self->panel, 6);
  self->advanced = gtk_expander_new_with_mnemonic (_("Para_meters"));
  gtk_expander_set_child (GTK_EXPANDER (self->advanced), self->panel);
  add_line (card, _("Operat_ion"), self->operation);
  add_line (card, _("_Data"), self->data);
  self->shape_line = add_line (card, _("S_hape"), self->shape);
  gtk_box_append (GTK_BOX (card), self->hint);
  self->array_line = add_line (card, _("Arra_y"), self->array);
  gtk_box_append (GTK_BOX (card), self->advanced);
}

static void
build_cluster (EsClusterForm *self)
{
  GtkWidget *card = add_card (self, _("Cluster")), *open = gtk_button_new_from_icon_name ("document-open-symbolic");

  self->cluster = make_drop_down (self, G_CALLBACK (on_cluster));
  self->name = make_caption ();
  self->figures = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (open), "win.lab-open-cluster");
  gtk_widget_set_tooltip_text (open, _("Open the file of a cluster"));
  gtk_widget_add_css_class (open, "flat");
  gtk_box_append (GTK_BOX (add_line (card, _("C_luster"), self->cluster)), open);
  gtk_box_append (GTK_BOX (card), self->name);
  gtk_box_append (GTK_BOX (card), self->figures);
}

static void
es_cluster_form_dispose (GObject *object)
{
  EsClusterForm *self = ES_CLUSTER_FORM (object);

  self->syncing = TRUE;
  g_clear_object (&self->choice);
  g_clear_object (&self->session);
  g_clear_pointer (&self->datasets, g_ptr_array_unref);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  G_OBJECT_CLASS (es_cluster_form_parent_class)->dispose (object);
}

static void
es_cluster_form_class_init (EsClusterFormClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_cluster_form_dispose;
}

static void
es_cluster_form_init (EsClusterForm *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->datasets = g_ptr_array_new_with_free_func (g_object_unref);
  self->sources = g_ptr_array_new_with_free_func (g_free);
}

GtkWidget *
es_cluster_form_new (EsClusterChoice *choice, EsSession *session)
{
  EsClusterForm *self = g_object_new (ES_TYPE_CLUSTER_FORM, NULL);

  self->choice = g_object_ref (choice);
  self->session = g_object_ref (session);
  self->syncing = TRUE;
  build_analysis (self);
  build_cluster (self);
  show_operation (self);
  show_cluster (self);
  g_signal_connect_object (choice, "parameters", G_CALLBACK (show_operation), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (choice, "figures", G_CALLBACK (show_cluster), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_session_get_datasets (session), "items-changed", G_CALLBACK (on_datasets), self,
                           G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
