/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-section-columns.h"

#include <string.h>

#include "widgets/es-settings.h"

#define SETTING "inspector-columns"
/* Of the window: two columns from here on, and one again below the other. */
#define WIDE   2000
#define NARROW 1900

typedef struct
{
  EsSection *section;            /* borrowed of its box */
  guint      column;
  gboolean   given;              /* the column was chosen */
} Entry;

struct _EsSectionColumns
{
  GtkWidget  parent_instance;

  GtkWidget *scrollers[2];
  GtkWidget *boxes[2];
  GArray    *entries;            /* of Entry, in order */
  guint      n;
  gboolean   wide;
  guint      idle;
  GdkSurface *surface;           /* of the window; NULL: none */
};

enum { PROP_0, PROP_N_COLUMNS, N_PROPS };
static GParamSpec *properties[N_PROPS];
enum { MOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSectionColumns, es_section_columns, GTK_TYPE_WIDGET)

static Entry *
entry_at (EsSectionColumns *self, guint i)
{
  return &g_array_index (self->entries, Entry, i);
}

static guint
find (EsSectionColumns *self, gconstpointer section)
{
  for (guint i = 0; i < self->entries->len; i++)
    if (entry_at (self, i)->section == section)
      return i;
  return G_MAXUINT;
}

static guint
column_of (EsSectionColumns *self, const Entry *entry)
{
  return self->n > 1 ? entry->column : 0;
}

/* Each into its box, behind the one before it. */
static void
arrange (EsSectionColumns *self)
{
  GtkWidget *last[2] = { NULL, NULL };

  for (guint i = 0; i < self->entries->len; i++)
    {
      const guint column = column_of (self, entry_at (self, i));
      GtkWidget *section = GTK_WIDGET (entry_at (self, i)->section), *box = self->boxes[column];
      GtkWidget *parent = gtk_widget_get_parent (section);

      if (parent != box)
        {
          g_object_ref (section);
          if (parent != NULL)
            gtk_box_remove (GTK_BOX (parent), section);
          gtk_box_insert_child_after (GTK_BOX (box), section, last[column]);
          g_object_unref (section);
        }
      else if (gtk_widget_get_prev_sibling (section) != last[column])
        gtk_box_reorder_child_after (GTK_BOX (box), section, last[column]);
      last[column] = section;
      es_section_set_across (ES_SECTION (section), self->n > 1);
    }
  gtk_widget_set_visible (self->scrollers[1], self->n > 1);
}

/* ---- how many columns ---- */

static gboolean
update_n (gpointer data)
{
  EsSectionColumns *self = data;
  g_autofree char *wanted = g_settings_get_string (es_settings_get (), SETTING);
  const guint n = g_str_equal (wanted, "two") || (g_str_equal (wanted, "automatic") && self->wide) ? 2 : 1;

  self->idle = 0;
  if (n != self->n)
    {
      self->n = n;
      arrange (self);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_COLUMNS]);
    }
  return G_SOURCE_REMOVE;
}

/* Not while the window is taking its size. */
static void
on_surface_width (EsSectionColumns *self)
{
  const int width = gdk_surface_get_width (self->surface);

  self->wide = width >= WIDE || (self->wide && width >= NARROW);
  if (self->idle == 0)
    self->idle = g_idle_add (update_n, self);
}

static void
es_section_columns_realize (GtkWidget *widget)
{
  EsSectionColumns *self = ES_SECTION_COLUMNS (widget);

  GTK_WIDGET_CLASS (es_section_columns_parent_class)->realize (widget);
  self->surface = g_object_ref (gtk_native_get_surface (gtk_widget_get_native (widget)));
  g_signal_connect_object (self->surface, "notify::width", G_CALLBACK (on_surface_width), self, G_CONNECT_SWAPPED);
  on_surface_width (self);
}

static void
es_section_columns_unrealize (GtkWidget *widget)
{
  EsSectionColumns *self = ES_SECTION_COLUMNS (widget);

  g_signal_handlers_disconnect_by_func (self->surface, on_surface_width, self);
  g_clear_object (&self->surface);
  g_clear_handle_id (&self->idle, g_source_remove);
  GTK_WIDGET_CLASS (es_section_columns_parent_class)->unrealize (widget);
}

guint
es_section_columns_get_n (EsSectionColumns *self)
{
  g_return_val_if_fail (ES_IS_SECTION_COLUMNS (self), 1);
  return self->n;
}

/* ---- moving ---- */

/* Before the entry that is at a place now. */
static void
put (EsSectionColumns *self, guint from, guint to, guint column)
{
  Entry entry = *entry_at (self, from);
  const gboolean across = self->n > 1 && entry.column != column;

  if (self->n > 1)
    {
      entry.column = column;
      entry.given |= across;
    }
  if (from != to)
    {
      g_array_remove_index (self->entries, from);
      to -= to > from;
      g_array_insert_val (self->entries, to, entry);
    }
  else
    *entry_at (self, from) = entry;
  arrange (self);
  g_signal_emit (self, signals[MOVED], 0);
}

void
es_section_columns_move (EsSectionColumns *self, EsSection *section, const char *where)
{
  guint from, column;

  g_return_if_fail (ES_IS_SECTION_COLUMNS (self));

  from = find (self, section);
  if (from == G_MAXUINT)
    return;
  column = column_of (self, entry_at (self, from));
  if (g_str_equal (where, "across"))
    {
      if (self->n > 1)
        put (self, from, from, 1 - column);
      return;
    }
  const int step = g_str_equal (where, "up") ? -1 : 1;
  for (int i = (int) from + step; i >= 0 && i < (int) self->entries->len; i += step)
    if (column_of (self, entry_at (self, (guint) i)) == column
        && gtk_widget_get_visible (GTK_WIDGET (entry_at (self, (guint) i)->section)))
      {
        put (self, from, (guint) (step > 0 ? i + 1 : i), column);
        return;
      }
}

static GdkContentProvider *
on_drag_prepare (GtkDragSource *source, double x, double y, gpointer section)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (gtk_widget_get_first_child (section));

  gtk_drag_source_set_icon (source, paintable, (int) x, (int) y);
  return gdk_content_provider_new_typed (ES_TYPE_SECTION, section);
}

/* The first section of a box whose middle lies below a place; all of them: none does. */
static guint
find_below (EsSectionColumns *self, GtkWidget *box, double y)
{
  for (guint i = 0; i < self->entries->len; i++)
    {
      GtkWidget *section = GTK_WIDGET (entry_at (self, i)->section);
      graphene_rect_t bounds;

      if (gtk_widget_get_parent (section) == box && gtk_widget_get_visible (section)
          && gtk_widget_compute_bounds (section, box, &bounds) && y < bounds.origin.y + bounds.size.height / 2)
        return i;
    }
  return self->entries->len;
}

/* A line shows where it would come to stand. */
static void
mark (EsSectionColumns *self, GtkWidget *box, guint to)
{
  for (guint i = 0; i < self->entries->len; i++)
    gtk_widget_remove_css_class (GTK_WIDGET (entry_at (self, i)->section), "drop-before");
  for (guint i = 0; i < 2; i++)
    gtk_widget_remove_css_class (self->boxes[i], "drop-behind");
  if (box != NULL && to < self->entries->len)
    gtk_widget_add_css_class (GTK_WIDGET (entry_at (self, to)->section), "drop-before");
  else if (box != NULL)
    gtk_widget_add_css_class (box, "drop-behind");
}

static GdkDragAction
on_drop_motion (GtkDropTarget *target, double x, double y, gpointer data)
{
  GtkWidget *box = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));

  mark (data, box, find_below (data, box, y));
  return GDK_ACTION_MOVE;
}

static void
on_drop_leave (GtkDropTarget *target, gpointer data)
{
  mark (data, NULL, 0);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, gpointer data)
{
  EsSectionColumns *self = data;
  GtkWidget *box = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (target));
  const guint from = find (self, g_value_get_object (value));

  mark (self, NULL, 0);
  if (from == G_MAXUINT)
    return FALSE;
  put (self, from, find_below (self, box, y), box == self->boxes[1]);
  return TRUE;
}

/* By turns, but that the first one, the legend that few scenes have, moves no other to the other side. */
static guint
usual_column (guint i)
{
  return i == 0 ? 0 : (i - 1) % 2;
}

void
es_section_columns_add (EsSectionColumns *self, EsSection *section)
{
  Entry entry = { section, 0, FALSE };
  GtkDragSource *source;
  GtkWidget *heading;

  g_return_if_fail (ES_IS_SECTION_COLUMNS (self));
  g_return_if_fail (ES_IS_SECTION (section));

  entry.column = usual_column (self->entries->len);
  g_object_set_data (G_OBJECT (section), "es-added", GUINT_TO_POINTER (self->entries->len));
  g_array_append_val (self->entries, entry);
  heading = gtk_widget_get_first_child (GTK_WIDGET (section));
  source = gtk_drag_source_new ();
  gtk_drag_source_set_actions (source, GDK_ACTION_MOVE);
  g_signal_connect (source, "prepare", G_CALLBACK (on_drag_prepare), section);
  gtk_widget_add_controller (heading, GTK_EVENT_CONTROLLER (source));
  /* What it has may want all the height that there is, where it is large: here it gets what it needs. */
  gtk_widget_set_vexpand (GTK_WIDGET (section), FALSE);
  arrange (self);
}

/* ---- remembering ---- */

char **
es_section_columns_tell (EsSectionColumns *self)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_return_val_if_fail (ES_IS_SECTION_COLUMNS (self), NULL);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const Entry *entry = entry_at (self, i);
      const char *id = es_section_get_id (entry->section);
      g_autofree char *text = entry->given ? g_strdup_printf ("%s:%u", id, entry->column) : g_strdup (id);

      g_strv_builder_add (builder, text);
    }
  return g_strv_builder_end (builder);
}

static guint
find_name (GArray *entries, const char *name, gsize length)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const char *id = es_section_get_id (g_array_index (entries, Entry, i).section);

      if (strlen (id) == length && strncmp (id, name, length) == 0)
        return i;
    }
  return G_MAXUINT;
}

static int
compare_added (gconstpointer a, gconstpointer b)
{
  const Entry *one = a, *two = b;
  const guint first = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (one->section), "es-added"));
  const guint second = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (two->section), "es-added"));

  return first < second ? -1 : first > second;
}

void
es_section_columns_take (EsSectionColumns *self, const char *const *told)
{
  guint next = 0;

  g_return_if_fail (ES_IS_SECTION_COLUMNS (self));

  g_array_sort (self->entries, compare_added);
  for (guint i = 0; i < self->entries->len; i++)
    {
      entry_at (self, i)->column = usual_column (i);
      entry_at (self, i)->given = FALSE;
    }
  for (guint i = 0; told != NULL && told[i] != NULL; i++)
    {
      const char *colon = strrchr (told[i], ':');
      const guint at = find_name (self->entries, told[i], colon != NULL ? (gsize) (colon - told[i]) : strlen (told[i]));
      Entry entry;

      /* A name that comes twice counts once. */
      if (at == G_MAXUINT || at < next)
        continue;
      entry = *entry_at (self, at);
      if (colon != NULL)
        {
          entry.column = g_str_equal (colon, ":1");
          entry.given = TRUE;
        }
      g_array_remove_index (self->entries, at);
      g_array_insert_val (self->entries, next, entry);
      next++;
    }
  arrange (self);
}

/* ---- the widget ---- */

GtkWidget *
es_section_columns_new (void)
{
  return g_object_new (ES_TYPE_SECTION_COLUMNS, NULL);
}

static void
es_section_columns_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_N_COLUMNS)
    g_value_set_uint (value, ES_SECTION_COLUMNS (object)->n);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_section_columns_dispose (GObject *object)
{
  EsSectionColumns *self = ES_SECTION_COLUMNS (object);

  g_clear_handle_id (&self->idle, g_source_remove);
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&self->scrollers[i], gtk_widget_unparent);
  G_OBJECT_CLASS (es_section_columns_parent_class)->dispose (object);
}

static void
es_section_columns_finalize (GObject *object)
{
  g_array_unref (ES_SECTION_COLUMNS (object)->entries);
  G_OBJECT_CLASS (es_section_columns_parent_class)->finalize (object);
}

static void
es_section_columns_class_init (EsSectionColumnsClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  G_OBJECT_CLASS (class)->get_property = es_section_columns_get_property;
  G_OBJECT_CLASS (class)->dispose = es_section_columns_dispose;
  G_OBJECT_CLASS (class)->finalize = es_section_columns_finalize;
  widget_class->realize = es_section_columns_realize;
  widget_class->unrealize = es_section_columns_unrealize;
  properties[PROP_N_COLUMNS] = g_param_spec_uint ("n-columns", NULL, NULL, 1, 2, 1,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
  signals[MOVED] = g_signal_new ("moved", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "sectioncolumns");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
on_setting (EsSectionColumns *self)
{
  update_n (self);
}

static void
es_section_columns_init (EsSectionColumns *self)
{
  gtk_box_layout_set_homogeneous (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), TRUE);
  self->n = 1;
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  for (guint i = 0; i < 2; i++)
    {
      GtkWidget *viewport = gtk_viewport_new (NULL, NULL);
      GtkDropTarget *target = gtk_drop_target_new (ES_TYPE_SECTION, GDK_ACTION_MOVE);

      self->boxes[i] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      g_signal_connect (target, "motion", G_CALLBACK (on_drop_motion), self);
      g_signal_connect (target, "leave", G_CALLBACK (on_drop_leave), self);
      g_signal_connect (target, "drop", G_CALLBACK (on_drop), self);
      gtk_widget_add_controller (self->boxes[i], GTK_EVENT_CONTROLLER (target));
      /* Tables are as high as their rows want, not as low as they could be. */
      gtk_scrollable_set_vscroll_policy (GTK_SCROLLABLE (viewport), GTK_SCROLL_NATURAL);
      gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (viewport), TRUE);
      gtk_viewport_set_child (GTK_VIEWPORT (viewport), self->boxes[i]);
      self->scrollers[i] = gtk_scrolled_window_new ();
      gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrollers[i]), GTK_POLICY_NEVER,
                                      GTK_POLICY_AUTOMATIC);
      gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrollers[i]), viewport);
      gtk_widget_set_hexpand (self->scrollers[i], TRUE);
      gtk_widget_set_visible (self->scrollers[i], i == 0);
      gtk_widget_set_parent (self->scrollers[i], GTK_WIDGET (self));
    }
  g_signal_connect_object (es_settings_get (), "changed::" SETTING, G_CALLBACK (on_setting), self, G_CONNECT_SWAPPED);
}
