/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-band-chooser-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-format.h"
#include "widgets/es-wheel.h"

enum { CHOSEN, CHOSEN_OTHER, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsBandChooser, es_band_chooser, GTK_TYPE_WIDGET)

void
_es_band_chooser_choose (EsBandChooser *self, EsPlaneGroup *group, int plane)
{
  if (plane < 0)
    return;
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  if (group != NULL)
    g_signal_emit (self, signals[CHOSEN_OTHER], 0, group, (guint) plane);
  else
    g_signal_emit (self, signals[CHOSEN], 0, (guint) plane);
}

static void
on_activate_entry (EsBandChooser *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  EsPlaneGroup *group;
  int found = _es_band_chooser_find_anywhere (self, text, &group);
  g_autoptr (GObject) first = g_list_model_get_item (G_LIST_MODEL (self->selection), 0);

  /* The name of a result is no plane, but its planes are what is left of the list. */
  if (found < 0 && *text != '\0' && first != NULL)
    {
      group = g_object_get_data (first, "es-group");
      found = (int) GPOINTER_TO_UINT (g_object_get_data (first, "es-plane"));
    }
  _es_band_chooser_choose (self, group, found);
}

static gboolean
is_item (GObject *item, EsPlaneGroup *group, int plane)
{
  return g_object_get_data (item, "es-heading") == NULL && g_object_get_data (item, "es-group") == (gpointer) group
         && GPOINTER_TO_INT (g_object_get_data (item, "es-plane")) == plane;
}

static void
mark (EsBandChooser *self, EsPlaneGroup *group, int plane)
{
  for (guint i = 0; plane >= 0 && i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), i);

      if (is_item (item, group, plane))
        {
          gtk_single_selection_set_selected (self->selection, i);
          break;
        }
    }
}

/* Which is shown, of the source or of another. */
static int
find_shown (EsBandChooser *self, EsPlaneGroup **group)
{
  EsPlaneSource *of;
  guint its;

  *group = NULL;
  if (self->source == NULL || !es_plane_source_has_plane (self->source, self->plane))
    return -1;
  of = es_plane_source_resolve (self->source, self->plane, &its);
  if (of != self->source)
    *group = es_plane_groups_find (self->groups, es_plane_source_get_data (of));
  return of == self->source || *group != NULL ? (int) its : -1;
}

/* What Enter would choose is what is marked. */
static void
on_text_changed (EsBandChooser *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  EsPlaneGroup *group;
  int found = *text != '\0' ? _es_band_chooser_find_anywhere (self, text, &group) : find_shown (self, &group);

  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  mark (self, group, found);
}

/* The list has no size before the first frame: what is scrolled to before that is nowhere. */
static gboolean
scroll_to_plane (GtkWidget *list, GdkFrameClock *clock, gpointer data)
{
  EsBandChooser *self = ES_BAND_CHOOSER (data);

  if (gtk_widget_get_height (list) <= 0)
    return G_SOURCE_CONTINUE;
  gtk_widget_activate_action (list, "list.scroll-to-item", "u", gtk_single_selection_get_selected (self->selection));
  return G_SOURCE_REMOVE;
}

static void
on_popover_shown (EsBandChooser *self)
{
  const double *wavelengths = _es_band_chooser_wavelengths (self->source);
  EsPlaneGroup *group;
  int shown;

  if (self->stale)
    _es_band_chooser_fill (self);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  g_object_set (self->entry, "placeholder-text",
                wavelengths != NULL ? _("Wavelength in nm, or band") : _("Number or name"), NULL);
  shown = find_shown (self, &group);
  mark (self, group, shown);
  gtk_widget_add_tick_callback (self->list, scroll_to_plane, self, NULL);
  gtk_widget_grab_focus (self->entry);
}

static void
update (EsBandChooser *self)
{
  g_autofree char *title = NULL, *label = NULL, *spoken = NULL;

  if (self->source != NULL && es_plane_source_has_plane (self->source, self->plane))
    {
      title = es_plane_source_get_plane_title (self->source, self->plane);
      label = es_plane_source_get_plane_label (self->source, self->plane);
    }
  gtk_label_set_text (GTK_LABEL (self->label), title != NULL ? title : "–");
  spoken = g_strdup_printf ("%s: %s", self->name, label != NULL ? label : "–");
  es_set_tooltip (self->button, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

GtkWidget *
es_band_chooser_new (const char *prefix, const char *name)
{
  EsBandChooser *self;

  g_return_val_if_fail (name != NULL, NULL);

  self = g_object_new (ES_TYPE_BAND_CHOOSER, NULL);
  self->name = g_strdup (name);
  gtk_label_set_text (GTK_LABEL (self->prefix), prefix != NULL ? prefix : "");
  gtk_widget_set_visible (self->prefix, prefix != NULL);
  update (self);
  return GTK_WIDGET (self);
}

/* They may be very many: the list has them when somebody looks, and till then none that may be gone. */
static void
outdate (EsBandChooser *self)
{
  self->stale = TRUE;
  if (gtk_widget_get_mapped (self->list))
    _es_band_chooser_fill (self);
  else
    g_list_store_remove_all (self->titles);
}

void
es_band_chooser_set_source (EsBandChooser *self, EsPlaneSource *source)
{
  gboolean same;

  g_return_if_fail (ES_IS_BAND_CHOOSER (self));

  same = source != NULL && self->source != NULL
         && es_plane_source_get_data (source) == es_plane_source_get_data (self->source);
  if (!g_set_object (&self->source, source))
    return;
  if (!same)
    outdate (self);
  else
    self->stale = TRUE;
  update (self);
}

void
es_band_chooser_set_others (EsBandChooser *self, GListModel *groups)
{
  g_return_if_fail (ES_IS_BAND_CHOOSER (self));

  if (self->groups == groups)
    return;
  if (self->groups != NULL)
    g_signal_handlers_disconnect_by_func (self->groups, outdate, self);
  g_set_object (&self->groups, groups);
  if (groups != NULL)
    g_signal_connect_object (groups, "items-changed", G_CALLBACK (outdate), self, G_CONNECT_SWAPPED);
  outdate (self);
}

void
es_band_chooser_set_plane (EsBandChooser *self, guint plane)
{
  g_return_if_fail (ES_IS_BAND_CHOOSER (self));

  self->plane = plane;
  update (self);
}

static void
es_band_chooser_dispose (GObject *object)
{
  EsBandChooser *self = ES_BAND_CHOOSER (object);

  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->titles);
  if (self->groups != NULL)
    g_signal_handlers_disconnect_by_func (self->groups, outdate, self);
  g_clear_object (&self->groups);
  g_clear_object (&self->source);
  G_OBJECT_CLASS (es_band_chooser_parent_class)->dispose (object);
}

static void
es_band_chooser_finalize (GObject *object)
{
  g_free (ES_BAND_CHOOSER (object)->name);
  G_OBJECT_CLASS (es_band_chooser_parent_class)->finalize (object);
}

static void
es_band_chooser_class_init (EsBandChooserClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = es_band_chooser_dispose;
  object_class->finalize = es_band_chooser_finalize;
  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                  NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[CHOSEN_OTHER] = g_signal_new ("chosen-other", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                        NULL, NULL, NULL, G_TYPE_NONE, 2, ES_TYPE_PLANE_GROUP, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "bandchooser");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_band_chooser_init (EsBandChooser *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->prefix = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->prefix, "dim-label");
  self->label = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_width_chars (GTK_LABEL (self->label), 7);
  gtk_label_set_max_width_chars (GTK_LABEL (self->label), 16);
  gtk_widget_add_css_class (self->label, "numeric");
  gtk_box_append (GTK_BOX (row), self->prefix);
  gtk_box_append (GTK_BOX (row), self->label);

  self->popover = gtk_popover_new ();
  self->entry = gtk_search_entry_new ();
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (on_activate_entry), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (on_text_changed), self,
                           G_CONNECT_SWAPPED);
  /* Esc is the entry's before it is the popover's. */
  g_signal_connect_object (self->entry, "stop-search", G_CALLBACK (gtk_popover_popdown), self->popover,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (content), self->entry);
  gtk_box_append (GTK_BOX (content), _es_band_chooser_make_list (self));
  gtk_widget_set_size_request (content, 220, -1);

  gtk_popover_set_child (GTK_POPOVER (self->popover), content);
  g_signal_connect_object (self->popover, "show", G_CALLBACK (on_popover_shown), self, G_CONNECT_SWAPPED);
  gtk_search_entry_set_key_capture_widget (GTK_SEARCH_ENTRY (self->entry), self->popover);

  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_child (GTK_MENU_BUTTON (self->button), row);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), self->popover);
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (self->button), FALSE);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}
