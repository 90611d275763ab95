/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-band-chooser.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "widgets/es-format.h"
#include "widgets/es-wheel.h"

struct _EsBandChooser
{
  GtkWidget      parent_instance;

  /* children */
  GtkWidget     *button;
  GtkWidget     *prefix;
  GtkWidget     *label;
  GtkWidget     *popover;
  GtkWidget     *entry;
  GtkWidget     *list;
  GtkWidget     *hint;

  /* Of GtkStringObject, each with its "es-plane"; those of others with their "es-group". Over each group, where there
   * are several, one that is its heading ("es-heading"). */
  GListStore    *titles;
  GtkCustomFilter *filter;
  GtkSingleSelection *selection;

  EsPlaneSource *source;
  GListModel    *groups;         /* whose planes can be chosen as well; nullable */
  gboolean       stale;          /* the list does not have all of them */
  char          *name;
  guint          plane;
  gboolean       updating;
};

enum { CHOSEN, CHOSEN_OTHER, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsBandChooser, es_band_chooser, GTK_TYPE_WIDGET)

static const double *
get_wavelengths (EsPlaneSource *source)
{
  EsCube *cube = source != NULL ? es_plane_source_get_cube (source) : NULL;

  return cube != NULL ? es_cube_get_wavelengths (cube) : NULL;
}

/* A number is a wavelength where it lies among the wavelengths, else a band counted from 1. */
static gboolean
is_wavelength (EsPlaneSource *source, double number)
{
  const double *wavelengths = get_wavelengths (source);
  double least = INFINITY, most = -INFINITY;

  if (wavelengths == NULL)
    return FALSE;
  for (guint i = 0; i < es_plane_source_get_n_planes (source); i++)
    {
      least = fmin (least, wavelengths[i]);
      most = fmax (most, wavelengths[i]);
    }
  return number >= least - 100 && number <= most + 100;
}

static int
find_in (EsPlaneSource *source, const char *text)
{
  const guint n = es_plane_source_get_n_planes (source);
  double number;

  if (es_format_parse (text, &number))
    {
      /* "2.2 um" */
      if (number < 100 && (strstr (text, "um") != NULL || strstr (text, "µm") != NULL
                           || strstr (text, "μm") != NULL))
        number *= 1000;
      if (is_wavelength (source, number))
        return es_cube_find_wavelength (es_plane_source_get_cube (source), number);
      if (number >= 1 && number <= n && number == floor (number))
        return (int) number - 1;
      /* Among wavelengths a number means nothing else. */
      if (get_wavelengths (source) != NULL)
        return -1;
    }
  for (guint i = 0; *text != '\0' && i < n; i++)
    {
      g_autofree char *title = es_plane_source_get_plane_title (source, i);

      if (g_str_match_string (text, title, TRUE))
        return (int) i;
    }
  return -1;
}

int
es_band_chooser_find (EsBandChooser *self, const char *text)
{
  g_return_val_if_fail (ES_IS_BAND_CHOOSER (self), -1);
  g_return_val_if_fail (text != NULL, -1);

  return self->source != NULL ? find_in (self->source, text) : -1;
}

/* What a text means: one of the source's own, else of the first of the others that has such a one. */
static int
find_anywhere (EsBandChooser *self, const char *text, EsPlaneGroup **group)
{
  int found = es_band_chooser_find (self, text);

  *group = NULL;
  for (guint i = 0; found < 0 && self->groups != NULL && i < g_list_model_get_n_items (self->groups); i++)
    {
      g_autoptr (EsPlaneGroup) other = g_list_model_get_item (self->groups, i);

      found = find_in (es_plane_group_get_source (other), text);
      if (found >= 0)
        *group = other;
    }
  return found;
}

static EsPlaneSource *
source_of (EsBandChooser *self, gpointer item)
{
  EsPlaneGroup *group = g_object_get_data (item, "es-group");

  return group != NULL ? es_plane_group_get_source (group) : self->source;
}

/* The list narrows to what is near a typed number, or contains a typed text. */
static gboolean
matches (gpointer item, gpointer user_data)
{
  EsBandChooser *self = ES_BAND_CHOOSER (user_data);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const char *title = gtk_string_object_get_string (item);
  guint plane = GPOINTER_TO_UINT (g_object_get_data (item, "es-plane"));
  EsPlaneSource *source = source_of (self, item);
  double number;

  if (*text == '\0')
    return TRUE;
  /* What is found says itself what it is of. */
  if (g_object_get_data (item, "es-heading") != NULL || source == NULL)
    return FALSE;
  if (strstr (title, text) != NULL)
    return TRUE;
  if (es_format_parse (text, &number))
    {
      const double *wavelengths = get_wavelengths (source);

      if (is_wavelength (source, number))
        return fabs (wavelengths[plane] - number) <= 25;
      return plane + 1 == number;
    }
  return g_str_match_string (text, title, TRUE)
         || (g_object_get_data (item, "es-group") != NULL
             && g_str_match_string (text, es_plane_group_get_title (g_object_get_data (item, "es-group")), TRUE));
}

static void
choose (EsBandChooser *self, EsPlaneGroup *group, int plane)
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
  int found = find_anywhere (self, text, &group);
  g_autoptr (GObject) first = g_list_model_get_item (G_LIST_MODEL (self->selection), 0);

  /* The name of a result is no plane, but its planes are what is left of the list. */
  if (found < 0 && *text != '\0' && first != NULL)
    {
      group = g_object_get_data (first, "es-group");
      found = (int) GPOINTER_TO_UINT (g_object_get_data (first, "es-plane"));
    }
  choose (self, group, found);
}

static void
on_activate_row (EsBandChooser *self, guint position)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item != NULL && g_object_get_data (item, "es-heading") == NULL)
    choose (self, g_object_get_data (item, "es-group"), (int) GPOINTER_TO_UINT (g_object_get_data (item, "es-plane")));
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
  int found = *text != '\0' ? find_anywhere (self, text, &group) : find_shown (self, &group);

  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  mark (self, group, found);
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (NULL), *number = gtk_label_new (NULL);

  /* The names of results and bands may be of any length. */
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 40);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_label_set_xalign (GTK_LABEL (number), 1);
  gtk_widget_add_css_class (title, "numeric");
  gtk_widget_add_css_class (number, "numeric");
  gtk_widget_add_css_class (number, "dim-label");
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), number);
  gtk_list_item_set_child (item, row);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsBandChooser *self = ES_BAND_CHOOSER (data);
  GtkWidget *row = gtk_list_item_get_child (item);
  GObject *title = gtk_list_item_get_item (item);
  const char *text = gtk_string_object_get_string (GTK_STRING_OBJECT (title));
  guint plane = GPOINTER_TO_UINT (g_object_get_data (title, "es-plane"));
  gboolean heading = g_object_get_data (title, "es-heading") != NULL;
  EsPlaneGroup *group = g_object_get_data (title, "es-group");
  EsPlaneSource *source = source_of (self, title);
  gboolean bad = !heading && source != NULL && plane < es_plane_source_get_n_planes (source)
                 && es_plane_source_is_bad (source, plane);
  gboolean found = group != NULL && *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0';
  g_autofree char *number = heading ? g_strdup ("")
                            : found ? g_strdup (es_plane_group_get_title (group))
                                    : g_strdup_printf (bad ? _("bad · %u") : "%u", plane + 1);

  gtk_list_item_set_activatable (item, !heading);
  gtk_list_item_set_selectable (item, !heading);
  if (heading)
    gtk_widget_add_css_class (gtk_widget_get_first_child (row), "caption-heading");
  else
    gtk_widget_remove_css_class (gtk_widget_get_first_child (row), "caption-heading");
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (row)), text);
  es_set_tooltip (row, text);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (row)), number);
}

static void
add_planes (GPtrArray *titles, EsPlaneSource *source, EsPlaneGroup *group)
{
  for (guint i = 0; source != NULL && i < es_plane_source_get_n_planes (source); i++)
    {
      g_autofree char *title = es_plane_source_get_plane_title (source, i);
      GtkStringObject *item = gtk_string_object_new (title);

      g_object_set_data (G_OBJECT (item), "es-plane", GUINT_TO_POINTER (i));
      if (group != NULL)
        g_object_set_data_full (G_OBJECT (item), "es-group", g_object_ref (group), g_object_unref);
      g_ptr_array_add (titles, item);
    }
}

static void
add_heading (GPtrArray *titles, const char *title)
{
  GtkStringObject *item = gtk_string_object_new (title);

  g_object_set_data (G_OBJECT (item), "es-heading", GUINT_TO_POINTER (1));
  g_ptr_array_add (titles, item);
}

/* An item knows its plane before the list does: rows are bound, and filtered, while it is put in. The own planes come
 * first. */
static void
fill (EsBandChooser *self)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_object_unref);
  GObject *own = self->source != NULL ? es_plane_source_get_data (self->source) : NULL;
  EsPlaneGroup *own_group = es_plane_groups_find (self->groups, own);
  const guint n = self->groups != NULL && own != NULL ? g_list_model_get_n_items (self->groups) : 0;

  if (own_group != NULL && n > 1)
    add_heading (titles, es_plane_group_get_title (own_group));
  add_planes (titles, self->source, NULL);
  /* Bands are many: behind them nothing would be found. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      {
        g_autoptr (EsPlaneGroup) group = g_list_model_get_item (self->groups, i);
        const gboolean bands = es_plane_source_get_cube (es_plane_group_get_source (group)) != NULL;

        if (group == own_group || bands != (pass == 1))
          continue;
        add_heading (titles, es_plane_group_get_title (group));
        add_planes (titles, es_plane_group_get_source (group), group);
      }
  g_list_store_splice (self->titles, 0, g_list_model_get_n_items (G_LIST_MODEL (self->titles)), titles->pdata,
                       titles->len);
  self->stale = FALSE;
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
  const double *wavelengths = get_wavelengths (self->source);
  EsPlaneGroup *group;
  int shown;

  if (self->stale)
    fill (self);
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
    fill (self);
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

static GtkWidget *
make_list (EsBandChooser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkFilterListModel *filtered;

  self->titles = g_list_store_new (GTK_TYPE_STRING_OBJECT);
  self->filter = gtk_custom_filter_new (matches, self, NULL);
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->titles)),
                                        GTK_FILTER (self->filter));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (filtered));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_row), self, 0);
  self->list = gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (self->list), TRUE);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_activate_row), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 260);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  return scroller;
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
  gtk_box_append (GTK_BOX (content), make_list (self));
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
