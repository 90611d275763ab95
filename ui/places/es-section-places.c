/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-section-places.h"

#include <string.h>

#include "es-large-pane.h"
#include "es-own-window.h"
#include "es-section-menu-private.h"
#include "widgets/es-settings.h"

#define WINDOW_WIDTH  720
#define WINDOW_HEIGHT 520

typedef struct
{
  EsSection     *section;
  EsSectionPlace place;          /* where it is to stand */
  EsLargePane   *pane;           /* a reference: what has its body; NULL: the section itself */
  GtkWindow     *window;         /* of the pane; NULL: it stands in the middle, or there is no pane */
} Entry;

struct _EsSectionPlaces
{
  GObject           parent_instance;

  EsSectionColumns *columns;     /* weak */
  EsLargeSplit     *split;       /* weak */
  GPtrArray        *entries;     /* of Entry */
  gboolean          fills, writing, restored;
};

enum { CHANGED, LARGE, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSectionPlaces, es_section_places, G_TYPE_OBJECT)

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_object (&entry->section);
  g_free (entry);
}

static Entry *
entry_of (EsSectionPlaces *self, gconstpointer section)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (((Entry *) g_ptr_array_index (self->entries, i))->section == section)
      return g_ptr_array_index (self->entries, i);
  return NULL;
}

/* ---- remembering ---- */

static void
store (EsSectionPlaces *self)
{
  g_autoptr (GStrvBuilder) windows = g_strv_builder_new ();
  GSettings *settings = es_settings_get ();
  const char *large = "";

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->place == ES_SECTION_LARGE)
        large = es_section_get_id (entry->section);
      else if (entry->place == ES_SECTION_IN_WINDOW)
        g_strv_builder_add (windows, es_section_get_id (entry->section));
    }
  g_auto (GStrv) names = g_strv_builder_end (windows);
  self->writing = TRUE;
  g_settings_set_string (settings, "cube-large", large);
  g_settings_set_boolean (settings, "cube-large-fills", self->fills);
  g_settings_set_strv (settings, "cube-windows", (const char *const *) names);
  self->writing = FALSE;
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- panes and windows ---- */

/* Before what has the focus goes elsewhere: to the heading, where the keys that moved it work. */
static void
keep_focus (Entry *entry)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (entry->pane));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (entry->pane)))
    return;
  if (gtk_widget_get_root (GTK_WIDGET (entry->section)) != root || !gtk_widget_get_mapped (GTK_WIDGET (entry->section))
      || !gtk_widget_child_focus (GTK_WIDGET (entry->section), GTK_DIR_TAB_FORWARD))
    gtk_root_set_focus (root, NULL);
}

/* Its body, back in the section, whatever is to become of it. */
static void
bring_back (EsSectionPlaces *self, Entry *entry)
{
  if (entry->pane == NULL)
    return;
  keep_focus (entry);
  es_large_pane_give_back (entry->pane);
  if (entry->window != NULL)
    {
      GtkWindow *window = g_steal_pointer (&entry->window);

      g_object_unref (es_own_window_take (window));
    }
  else if (self->split != NULL)
    es_large_split_set_large (self->split, NULL);
  g_clear_object (&entry->pane);
}

static gboolean
on_window_close (EsSectionPlaces *self, GtkWindow *window)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->window == window)
        {
          es_section_places_put (self, entry->section, ES_SECTION_IN_COLUMN);
          return GDK_EVENT_STOP;
        }
    }
  return GDK_EVENT_PROPAGATE;
}

static void
update_detail (EsSectionPlaces *self, GParamSpec *pspec, EsSection *section)
{
  Entry *entry = entry_of (self, section);

  if (entry != NULL && entry->window != NULL)
    es_own_window_set_detail (entry->window, es_section_get_detail (section));
}

static void
set_fills (EsSectionPlaces *self, gboolean fills)
{
  self->fills = fills;
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->pane != NULL && entry->window == NULL)
        es_large_pane_set_fills (entry->pane, fills);
    }
  if (self->split != NULL)
    es_large_split_set_fills (self->split, fills);
}

static void
on_pane_place (EsSectionPlaces *self, const char *where, EsLargePane *pane)
{
  EsSection *section = es_large_pane_get_section (pane);

  if (g_str_equal (where, "fill"))
    {
      set_fills (self, !self->fills);
      store (self);
    }
  else
    es_section_places_put (self, section, g_str_equal (where, "window") ? ES_SECTION_IN_WINDOW : ES_SECTION_IN_COLUMN);
}

static gboolean
take_focus (gpointer pane)
{
  if (gtk_widget_get_mapped (pane))
    gtk_widget_grab_focus (pane);
  return G_SOURCE_REMOVE;
}

static void
make_large (EsSectionPlaces *self, Entry *entry)
{
  entry->pane = g_object_ref_sink (ES_LARGE_PANE (es_large_pane_new (entry->section, TRUE)));
  g_signal_connect_object (entry->pane, "place", G_CALLBACK (on_pane_place), self, G_CONNECT_SWAPPED);
  es_large_pane_set_fills (entry->pane, self->fills);
}

static void
make_window (EsSectionPlaces *self, Entry *entry)
{
  g_autofree char *id = g_strconcat ("cube-", es_section_get_id (entry->section), NULL);

  entry->pane = g_object_ref_sink (ES_LARGE_PANE (es_large_pane_new (entry->section, FALSE)));
  entry->window = es_own_window_new (id, es_section_get_title (entry->section), WINDOW_WIDTH, WINDOW_HEIGHT,
                                     GTK_WIDGET (entry->pane), GTK_WIDGET (self->columns));
  es_own_window_set_detail (entry->window, es_section_get_detail (entry->section));
  g_signal_connect_object (entry->window, "close-request", G_CALLBACK (on_window_close), self, G_CONNECT_SWAPPED);
  gtk_window_present (entry->window);
}

/* Where it can stand now is where it is to stand, or else its column. What is large has no room while it has nothing to
 * tell; a window that is there stays. */
static void
settle (EsSectionPlaces *self, Entry *entry)
{
  const gboolean visible = gtk_widget_get_visible (GTK_WIDGET (entry->section));

  if (!self->restored)
    return;
  if (entry->pane != NULL && (entry->window != NULL) != (entry->place == ES_SECTION_IN_WINDOW))
    bring_back (self, entry);
  if (entry->place == ES_SECTION_IN_COLUMN)
    {
      bring_back (self, entry);
      return;
    }
  if (entry->place == ES_SECTION_IN_WINDOW)
    {
      if (entry->pane == NULL && visible && self->columns != NULL
          && gtk_widget_get_realized (GTK_WIDGET (self->columns)))
        make_window (self, entry);
      return;
    }
  if (self->split == NULL)
    return;
  if (entry->pane == NULL)
    {
      g_signal_emit (self, signals[LARGE], 0);
      make_large (self, entry);
      es_large_split_set_fills (self->split, self->fills);
    }
  es_large_split_set_large (self->split, visible ? GTK_WIDGET (entry->pane) : NULL);
}

static void
settle_all (EsSectionPlaces *self)
{
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < self->entries->len; i++)
      {
        Entry *entry = g_ptr_array_index (self->entries, i);

        /* What goes makes room for what comes. */
        if ((entry->place == ES_SECTION_LARGE) == (pass == 1))
          settle (self, entry);
      }
}

static void
on_visible (EsSectionPlaces *self, GParamSpec *pspec, EsSection *section)
{
  settle (self, entry_of (self, section));
}

/* The window of the columns goes: those of sections go with it, and come again with the next. */
static void
on_unrealize (EsSectionPlaces *self)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->window != NULL)
        bring_back (self, entry);
    }
}

/* ---- from outside ---- */

EsSectionPlace
es_section_places_get (EsSectionPlaces *self, EsSection *section)
{
  const Entry *entry;

  g_return_val_if_fail (ES_IS_SECTION_PLACES (self), ES_SECTION_IN_COLUMN);

  entry = entry_of (self, section);
  return entry != NULL ? entry->place : ES_SECTION_IN_COLUMN;
}

EsSection *
es_section_places_get_large (EsSectionPlaces *self)
{
  g_return_val_if_fail (ES_IS_SECTION_PLACES (self), NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);

      if (entry->place == ES_SECTION_LARGE)
        return entry->section;
    }
  return NULL;
}

EsSection *
es_section_places_find (EsSectionPlaces *self, GtkWidget *widget)
{
  g_return_val_if_fail (ES_IS_SECTION_PLACES (self), NULL);

  for (guint i = 0; widget != NULL && i < self->entries->len; i++)
    {
      const Entry *entry = g_ptr_array_index (self->entries, i);

      if (gtk_widget_is_ancestor (widget, GTK_WIDGET (entry->section))
          || (entry->pane != NULL && gtk_widget_is_ancestor (widget, GTK_WIDGET (entry->pane))))
        return entry->section;
    }
  return NULL;
}

void
es_section_places_put (EsSectionPlaces *self, EsSection *section, EsSectionPlace place)
{
  Entry *entry;

  g_return_if_fail (ES_IS_SECTION_PLACES (self));

  entry = entry_of (self, section);
  if (entry == NULL || entry->place == place)
    return;
  for (guint i = 0; place == ES_SECTION_LARGE && i < self->entries->len; i++)
    {
      Entry *other = g_ptr_array_index (self->entries, i);

      if (other->place == ES_SECTION_LARGE)
        other->place = ES_SECTION_IN_COLUMN;
    }
  entry->place = place;
  settle_all (self);
  store (self);
  /* Where it is now, keys go to it. */
  if (entry->pane != NULL && entry->window == NULL)
    g_idle_add_full (G_PRIORITY_LOW, take_focus, g_object_ref (entry->pane), g_object_unref);
  else if (entry->window != NULL)
    gtk_window_present (entry->window);
}

static void
on_section_place (EsSectionPlaces *self, const char *where, EsSection *section)
{
  if (g_str_equal (where, "large"))
    es_section_places_put (self, section, ES_SECTION_LARGE);
  else if (g_str_equal (where, "window"))
    es_section_places_put (self, section, ES_SECTION_IN_WINDOW);
  else if (g_str_equal (where, "column"))
    es_section_places_put (self, section, ES_SECTION_IN_COLUMN);
  else if (self->columns != NULL)
    es_section_columns_move (self->columns, section, where);
}

static void
on_moved (EsSectionPlaces *self)
{
  g_auto (GStrv) told = es_section_columns_tell (self->columns);

  self->writing = TRUE;
  g_settings_set_strv (es_settings_get (), "cube-sections", (const char *const *) told);
  self->writing = FALSE;
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- settings ---- */

static void
take_settings (EsSectionPlaces *self)
{
  GSettings *settings = es_settings_get ();
  g_auto (GStrv) windows = g_settings_get_strv (settings, "cube-windows");
  g_autofree char *large = g_settings_get_string (settings, "cube-large");

  self->restored = TRUE;
  self->fills = g_settings_get_boolean (settings, "cube-large-fills");
  for (guint i = 0; i < self->entries->len; i++)
    {
      Entry *entry = g_ptr_array_index (self->entries, i);
      const char *id = es_section_get_id (entry->section);

      entry->place = g_str_equal (id, large) ? ES_SECTION_LARGE
                     : g_strv_contains ((const char *const *) windows, id) ? ES_SECTION_IN_WINDOW
                     : ES_SECTION_IN_COLUMN;
    }
  set_fills (self, self->fills);
  settle_all (self);
}

static void
take_order (EsSectionPlaces *self)
{
  g_auto (GStrv) told = g_settings_get_strv (es_settings_get (), "cube-sections");

  if (self->columns != NULL)
    es_section_columns_take (self->columns, (const char *const *) told);
}

static void
on_setting (EsSectionPlaces *self, const char *key)
{
  if (self->writing || !self->restored)
    return;
  if (g_str_equal (key, "cube-sections"))
    take_order (self);
  else if (g_str_equal (key, "cube-large") || g_str_equal (key, "cube-large-fills")
           || g_str_equal (key, "cube-windows"))
    take_settings (self);
  else
    return;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
es_section_places_restore (EsSectionPlaces *self)
{
  g_return_if_fail (ES_IS_SECTION_PLACES (self));

  take_order (self);
  take_settings (self);
}

void
es_section_places_set_split (EsSectionPlaces *self, EsLargeSplit *split)
{
  g_return_if_fail (ES_IS_SECTION_PLACES (self));
  g_return_if_fail (self->split == NULL);

  g_set_weak_pointer (&self->split, split);
  g_settings_bind (es_settings_get (), "cube-large-share", split, "share", G_SETTINGS_BIND_DEFAULT);
  settle_all (self);
}

/* ---- making ---- */

void
es_section_places_add (EsSectionPlaces *self, EsSection *section)
{
  g_autoptr (GMenuModel) menu = _es_section_menu_new ();
  Entry *entry = g_new0 (Entry, 1);

  g_return_if_fail (ES_IS_SECTION_PLACES (self));

  entry->section = g_object_ref (section);
  g_ptr_array_add (self->entries, entry);
  es_section_columns_add (self->columns, section);
  es_section_set_movable (section, menu);
  g_signal_connect_object (section, "place", G_CALLBACK (on_section_place), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (section, "notify::visible", G_CALLBACK (on_visible), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (section, "notify::detail", G_CALLBACK (update_detail), self, G_CONNECT_SWAPPED);
}

EsSectionPlaces *
es_section_places_new (EsSectionColumns *columns)
{
  EsSectionPlaces *self = g_object_new (ES_TYPE_SECTION_PLACES, NULL);
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  g_autoptr (GAction) wanted = g_settings_create_action (es_settings_get (), "inspector-columns");


  g_set_weak_pointer (&self->columns, columns);
  g_action_map_add_action (G_ACTION_MAP (group), wanted);
  gtk_widget_insert_action_group (GTK_WIDGET (columns), "columns", G_ACTION_GROUP (group));
  g_signal_connect_object (columns, "moved", G_CALLBACK (on_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (columns, "realize", G_CALLBACK (settle_all), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (columns, "unrealize", G_CALLBACK (on_unrealize), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_settings_get (), "changed", G_CALLBACK (on_setting), self, G_CONNECT_SWAPPED);
  return self;
}

static void
es_section_places_dispose (GObject *object)
{
  EsSectionPlaces *self = ES_SECTION_PLACES (object);

  for (guint i = 0; i < self->entries->len; i++)
    bring_back (self, g_ptr_array_index (self->entries, i));
  g_ptr_array_set_size (self->entries, 0);
  g_clear_weak_pointer (&self->columns);
  g_clear_weak_pointer (&self->split);
  G_OBJECT_CLASS (es_section_places_parent_class)->dispose (object);
}

static void
es_section_places_finalize (GObject *object)
{
  g_ptr_array_unref (ES_SECTION_PLACES (object)->entries);
  G_OBJECT_CLASS (es_section_places_parent_class)->finalize (object);
}

static void
es_section_places_class_init (EsSectionPlacesClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_section_places_dispose;
  G_OBJECT_CLASS (class)->finalize = es_section_places_finalize;
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[LARGE] = g_signal_new ("large", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
es_section_places_init (EsSectionPlaces *self)
{
  self->entries = g_ptr_array_new_with_free_func (entry_free);
}
