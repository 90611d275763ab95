/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-param-panel.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-param-row.h"

struct _EsParamPanel
{
  GtkBox        parent_instance;

  GtkWidget    *groups[ES_PARAM_N_GROUPS];     /* heading and rows */
  GtkWidget    *advanced[ES_PARAM_N_GROUPS];   /* expander at the end of the group */
  GtkWidget    *folded[ES_PARAM_N_GROUPS];     /* the box in it */
  gboolean      own_rows[ES_PARAM_N_GROUPS];   /* has rows beside those of the table */
  gboolean      hidden[ES_PARAM_N_GROUPS];     /* es_param_panel_set_group_visible () */
  EsParams     *params;
  GSignalGroup *params_signals;
  GPtrArray    *rows;                          /* borrowed EsParamRow, in the table's order */
  GPtrArray    *sets;                          /* of Set: those shown before stay, hidden; the latest last */
};

/* Making rows takes longer than a frame has, and an operation is often chosen again. */
#define MOST_SETS 4

typedef struct
{
  EsParams  *params;
  GPtrArray *rows;
} Set;

G_DEFINE_FINAL_TYPE (EsParamPanel, es_param_panel, GTK_TYPE_BOX)

static const char * const group_titles[ES_PARAM_N_GROUPS] = { N_("Algorithm"), N_("Thresholds"), N_("Device") };

static void
update_visibility (EsParamPanel *self)
{
  gboolean any[ES_PARAM_N_GROUPS] = { FALSE, };
  guint folded[ES_PARAM_N_GROUPS] = { 0, }, changed[ES_PARAM_N_GROUPS] = { 0, };

  for (guint i = 0; i < self->rows->len; i++)
    {
      const EsParamSpec *spec = es_param_row_get_spec (g_ptr_array_index (self->rows, i));
      gboolean visible = es_params_is_visible (self->params, spec->key);

      gtk_widget_set_visible (g_ptr_array_index (self->rows, i), visible);
      any[spec->group] |= visible;
      if (visible && spec->advanced)
        {
          folded[spec->group]++;
          changed[spec->group] += !es_params_is_key_default (self->params, spec->key);
        }
    }
  for (guint group = 0; group < ES_PARAM_N_GROUPS; group++)
    {
      /* What is not as usual must not hide. */
      g_autofree char *label = changed[group] == 0 ? g_strdup (_("Advanced"))
                               : g_strdup_printf (ngettext ("Advanced (%u changed)", "Advanced (%u changed)",
                                                            changed[group]), changed[group]);

      gtk_expander_set_label (GTK_EXPANDER (self->advanced[group]), label);
      gtk_widget_set_visible (self->advanced[group], folded[group] > 0);
      gtk_widget_set_visible (self->groups[group], (any[group] || self->own_rows[group]) && !self->hidden[group]);
    }
}

static void
set_free (gpointer data)
{
  Set *set = data;

  g_object_unref (set->params);
  g_ptr_array_unref (set->rows);
  g_free (set);
}

static void
es_param_panel_dispose (GObject *object)
{
  EsParamPanel *self = ES_PARAM_PANEL (object);

  g_clear_object (&self->params_signals);
  g_clear_object (&self->params);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->sets, g_ptr_array_unref);
  G_OBJECT_CLASS (es_param_panel_parent_class)->dispose (object);
}

static void
es_param_panel_class_init (EsParamPanelClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_param_panel_dispose;
}

static void
es_param_panel_init (EsParamPanel *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (self), 10);
  self->rows = g_ptr_array_new ();
  self->sets = g_ptr_array_new_with_free_func (set_free);

  for (guint group = 0; group < ES_PARAM_N_GROUPS; group++)
    {
      GtkWidget *title = gtk_label_new (_(group_titles[group]));

      self->groups[group] = g_object_new (GTK_TYPE_BOX,
                                          "orientation", GTK_ORIENTATION_VERTICAL,
                                          "spacing", 4,
                                          "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP,
                                          NULL);
      gtk_label_set_xalign (GTK_LABEL (title), 0);
      gtk_widget_add_css_class (title, "caption-heading");
      gtk_widget_add_css_class (title, "dim-label");
      gtk_box_append (GTK_BOX (self->groups[group]), title);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self->groups[group]),
                                      GTK_ACCESSIBLE_PROPERTY_LABEL, _(group_titles[group]), -1);
      self->folded[group] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
      self->advanced[group] = gtk_expander_new (_("Advanced"));
      gtk_expander_set_child (GTK_EXPANDER (self->advanced[group]), self->folded[group]);
      gtk_widget_add_css_class (self->advanced[group], "es-advanced");
      gtk_widget_set_visible (self->advanced[group], FALSE);
      gtk_box_append (GTK_BOX (self->groups[group]), self->advanced[group]);
      gtk_widget_set_visible (self->groups[group], FALSE);
      gtk_box_append (GTK_BOX (self), self->groups[group]);
    }

  self->params_signals = g_signal_group_new (ES_TYPE_PARAMS);
  g_signal_group_connect_swapped (self->params_signals, "changed", G_CALLBACK (update_visibility), self);
}

GtkWidget *
es_param_panel_new (void)
{
  return g_object_new (ES_TYPE_PARAM_PANEL, NULL);
}

EsParams *
es_param_panel_get_params (EsParamPanel *self)
{
  g_return_val_if_fail (ES_IS_PARAM_PANEL (self), NULL);
  return self->params;
}

static void
add_rows (EsParamPanel *self, EsParams *params)
{
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      GtkWidget *row = es_param_row_new (params, spec);

      if (spec->advanced)
        gtk_box_append (GTK_BOX (self->folded[spec->group]), row);
      else
        gtk_box_insert_child_after (GTK_BOX (self->groups[spec->group]), row,
                                    gtk_widget_get_prev_sibling (self->advanced[spec->group]));
      g_ptr_array_add (self->rows, row);
    }
}

static void
remove_rows (GPtrArray *rows)
{
  for (guint i = 0; i < rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (rows, i);

      gtk_box_remove (GTK_BOX (gtk_widget_get_parent (row)), row);
    }
  g_ptr_array_set_size (rows, 0);
}

/* Where nothing is to be shown, nothing is likely to be shown again soon. */
static void
remove_all (EsParamPanel *self)
{
  remove_rows (self->rows);
  for (guint i = 0; i < self->sets->len; i++)
    remove_rows (((Set *) g_ptr_array_index (self->sets, i))->rows);
  g_ptr_array_set_size (self->sets, 0);
}

/* What is shown is hidden, and what was hidden for the longest time goes. */
static void
put_aside (EsParamPanel *self)
{
  Set *set;

  if (self->params == NULL)
    return;
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (self->rows, i);
      GtkWidget *focus = gtk_widget_get_root (row) != NULL ? gtk_root_get_focus (gtk_widget_get_root (row)) : NULL;

      /* GTK would look for another place for the keys, and keep the row for it. */
      if (focus != NULL && gtk_widget_is_ancestor (focus, row))
        gtk_root_set_focus (gtk_widget_get_root (row), NULL);
      gtk_widget_set_visible (row, FALSE);
    }
  set = g_new0 (Set, 1);
  set->params = g_object_ref (self->params);
  set->rows = g_steal_pointer (&self->rows);
  self->rows = g_ptr_array_new ();
  g_ptr_array_add (self->sets, set);
  if (self->sets->len <= MOST_SETS)
    return;
  set = g_ptr_array_index (self->sets, 0);
  remove_rows (set->rows);
  g_ptr_array_remove_index (self->sets, 0);
}

static gboolean
take_back (EsParamPanel *self, EsParams *params)
{
  for (guint i = 0; i < self->sets->len; i++)
    {
      Set *set = g_ptr_array_index (self->sets, i);

      if (set->params != params)
        continue;
      g_ptr_array_unref (self->rows);
      self->rows = g_ptr_array_ref (set->rows);
      g_ptr_array_remove_index (self->sets, i);
      return TRUE;
    }
  return FALSE;
}

void
es_param_panel_set_params (EsParamPanel *self, EsParams *params)
{
  g_return_if_fail (ES_IS_PARAM_PANEL (self));
  g_return_if_fail (params == NULL || ES_IS_PARAMS (params));

  if (self->params == params)
    return;

  g_signal_group_set_target (self->params_signals, NULL);
  if (params != NULL)
    put_aside (self);
  else
    remove_all (self);
  g_set_object (&self->params, params);
  if (params != NULL && !take_back (self, params))
    add_rows (self, params);
  g_signal_group_set_target (self->params_signals, params);
  update_visibility (self);
}

void
es_param_panel_add_control (EsParamPanel *self, EsParamGroup group, const char *label, GtkWidget *control,
                            GtkWidget *detail)
{
  GtkWidget *row, *line, *caption;

  g_return_if_fail (ES_IS_PARAM_PANEL (self) && group < ES_PARAM_N_GROUPS && GTK_IS_WIDGET (control));

  row = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (row, "es-param-row");
  line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  if (label != NULL)
    {
      caption = gtk_label_new (label);
      gtk_label_set_xalign (GTK_LABEL (caption), 0);
      gtk_label_set_ellipsize (GTK_LABEL (caption), PANGO_ELLIPSIZE_END);
      gtk_widget_set_hexpand (caption, TRUE);
      gtk_box_append (GTK_BOX (line), caption);
    }
  else
    gtk_widget_set_hexpand (control, TRUE);
  gtk_box_append (GTK_BOX (line), control);
  gtk_box_append (GTK_BOX (row), line);
  if (detail != NULL)
    gtk_box_append (GTK_BOX (row), detail);
  /* Behind the heading. */
  gtk_box_insert_child_after (GTK_BOX (self->groups[group]), row, gtk_widget_get_first_child (self->groups[group]));
  self->own_rows[group] = TRUE;
  gtk_widget_set_visible (self->groups[group], TRUE);
}

void
es_param_panel_set_group_visible (EsParamPanel *self, EsParamGroup group, gboolean visible)
{
  g_return_if_fail (ES_IS_PARAM_PANEL (self) && group < ES_PARAM_N_GROUPS);

  if (self->hidden[group] == !visible)
    return;
  self->hidden[group] = !visible;
  update_visibility (self);
}

GtkWidget *
es_param_panel_find_row (EsParamPanel *self, const char *key)
{
  g_return_val_if_fail (ES_IS_PARAM_PANEL (self) && key != NULL, NULL);

  for (guint i = 0; i < self->rows->len; i++)
    if (strcmp (es_param_row_get_spec (g_ptr_array_index (self->rows, i))->key, key) == 0)
      return g_ptr_array_index (self->rows, i);
  return NULL;
}

void
es_param_panel_set_note (EsParamPanel *self, const char *key, const char *note)
{
  GtkWidget *row = es_param_panel_find_row (self, key);

  if (row != NULL)
    es_param_row_set_note (ES_PARAM_ROW (row), note);
}
