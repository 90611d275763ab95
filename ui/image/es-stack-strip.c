/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-stack-strip.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "widgets/es-latest.h"
#include "es-strip-channels.h"
#include "es-strip-item.h"

#define SIDE 84                 /* of a thumbnail, in widget pixels */

struct _EsStackStrip
{
  GtkWidget           parent_instance;

  GtkWidget          *scroller;
  GtkWidget          *list;

  EsDisplay          *display;
  EsPlaneSource      *source;
  GListStore         *items;
  GtkSingleSelection *selection;
  EsLatest           *reader;
  guint               update_idle;
  gboolean            following;     /* the selection follows the display, not the other way round */
};

G_DEFINE_TYPE (EsStackStrip, es_stack_strip, GTK_TYPE_WIDGET)

typedef struct
{
  EsPlaneSource *source;
  EsStripItem   *item;
  guint          plane, step;
} Request;

static void
request_free (gpointer data)
{
  Request *request = data;

  g_object_unref (request->source);
  g_object_unref (request->item);
  g_free (request);
}

static gpointer
read_thumbnail (gpointer data, GCancellable *cancellable, GError **error)
{
  Request *request = data;

  return es_plane_source_read (request->source, request->plane, request->step, cancellable, error);
}

static void
free_bytes (gpointer data)
{
  g_bytes_unref (data);
}

static void update_visible (EsStackStrip *self);

static void
thumbnail_read (gpointer data, gpointer answer, const GError *error, gpointer user_data)
{
  EsStackStrip *self = ES_STACK_STRIP (user_data);
  Request *request = data;

  /* One that cannot be read stays blank; the large view says why. */
  if (answer == NULL)
    return;
  es_strip_item_set_samples (request->item, answer, request->step);
  update_visible (self);
}

/* ---- what is in view ---- */

static gboolean
visible_range (EsStackStrip *self, guint *first, guint *last)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->items));
  double upper = gtk_adjustment_get_upper (adjustment);
  double page = gtk_adjustment_get_page_size (adjustment);
  double value = gtk_adjustment_get_value (adjustment);

  if (n == 0 || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return FALSE;
  if (!(page > 1) || !(upper > 1))
    {
      *first = 0;
      *last = MIN (n, 8) - 1;
      return TRUE;
    }
  *first = (guint) CLAMP (floor (value / upper * n), 0, n - 1.);
  *last = (guint) CLAMP (ceil ((value + page) / upper * n), 0, n - 1.);
  return TRUE;
}

/* Draws what has been read in the present look, and reads the first that is missing. */
static void
update_visible (EsStackStrip *self)
{
  int size = SIDE * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  guint first, last;

  if (self->source == NULL || !visible_range (self, &first, &last))
    return;

  for (guint i = first; i <= last; i++)
    {
      g_autoptr (EsStripItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);
      Request *request;

      if (es_strip_item_is_loaded (item))
        {
          es_strip_item_render (item, self->display, size);
          continue;
        }
      if (es_latest_is_busy (self->reader))
        continue;
      request = g_new0 (Request, 1);
      request->source = g_object_ref (self->source);
      request->item = g_object_ref (item);
      request->plane = i;
      request->step = es_plane_source_get_step_for (self->source, MAX (size, 1));
      es_latest_submit (self->reader, request);
    }
}

static gboolean
update_in_idle (gpointer data)
{
  EsStackStrip *self = ES_STACK_STRIP (data);

  self->update_idle = 0;
  update_visible (self);
  return G_SOURCE_REMOVE;
}

static void
queue_update (EsStackStrip *self)
{
  if (self->update_idle == 0)
    self->update_idle = g_idle_add (update_in_idle, self);
}

/* ---- following the display and leading it ---- */

static void
select_shown (EsStackStrip *self)
{
  guint planes[3], n = es_display_get_planes (self->display, planes);
  /* Of a composite none is shown alone: a click on any of them shows it. */
  guint selected = n == 1 ? planes[0] : GTK_INVALID_LIST_POSITION;

  if (self->source == NULL || n == 0)
    return;
  self->following = TRUE;
  if (gtk_single_selection_get_selected (self->selection) != selected)
    gtk_single_selection_set_selected (self->selection, selected);
  if (n == 1)
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", selected);
  self->following = FALSE;
  queue_update (self);
}

static void
on_selected (EsStackStrip *self)
{
  guint selected = gtk_single_selection_get_selected (self->selection);

  if (!self->following && self->source != NULL && selected != GTK_INVALID_LIST_POSITION)
    es_display_show_plane (self->display, selected);
}

static void
on_source_changed (EsStackStrip *self)
{
  EsPlaneSource *source = es_display_get_own_source (self->display);
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  guint n;

  if (source != NULL && es_plane_source_get_stack (source) == NULL)
    source = NULL;
  if (source == self->source)
    return;

  es_latest_cancel (self->reader);
  g_set_object (&self->source, source);
  n = source != NULL ? es_plane_source_get_n_planes (source) : 0;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (items, es_strip_item_new (source, i));
  self->following = TRUE;
  g_list_store_splice (self->items, 0, g_list_model_get_n_items (G_LIST_MODEL (self->items)), items->pdata,
                       items->len);
  self->following = FALSE;
  select_shown (self);
}

/* A wheel has no sideways: it scrolls the strip, which has nothing else to scroll. */
static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer user_data)
{
  EsStackStrip *self = ES_STACK_STRIP (user_data);
  GtkAdjustment *adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  double pixels = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE ? 1 : SIDE;

  if (dy == 0 || fabs (dx) > fabs (dy))
    return GDK_EVENT_PROPAGATE;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + dy * pixels);
  return GDK_EVENT_STOP;
}

/* ---- cells ---- */

static void
on_entered (GtkEventControllerMotion *motion, double x, double y, gpointer channels)
{
  es_strip_channels_set_pointed (ES_STRIP_CHANNELS (channels), TRUE);
}

static void
on_left (GtkEventControllerMotion *motion, gpointer channels)
{
  es_strip_channels_set_pointed (ES_STRIP_CHANNELS (channels), FALSE);
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsStackStrip *self = ES_STACK_STRIP (data);
  GtkWidget *cell = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *overlay = gtk_overlay_new (), *picture = gtk_image_new ();
  GtkWidget *title = gtk_label_new (NULL), *share = gtk_label_new (NULL);
  GtkWidget *channels = es_strip_channels_new (self->display);
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect_object (motion, "enter", G_CALLBACK (on_entered), channels, 0);
  g_signal_connect_object (motion, "leave", G_CALLBACK (on_left), channels, 0);
  gtk_widget_add_controller (overlay, motion);

  /* Of one size whatever the shape of the image: a tall one would push the text out of the strip. */
  gtk_image_set_pixel_size (GTK_IMAGE (picture), SIDE);
  gtk_widget_add_css_class (picture, "strip-thumbnail");
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 10);
  gtk_widget_add_css_class (title, "caption-heading");
  gtk_widget_add_css_class (share, "caption");
  gtk_widget_add_css_class (share, "dim-label");
  gtk_widget_add_css_class (share, "numeric");
  gtk_overlay_set_child (GTK_OVERLAY (overlay), picture);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), channels);
  gtk_widget_set_halign (overlay, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (cell), overlay);
  gtk_box_append (GTK_BOX (cell), title);
  gtk_box_append (GTK_BOX (cell), share);
  gtk_list_item_set_child (item, cell);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *overlay = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *picture = gtk_overlay_get_child (GTK_OVERLAY (overlay));
  GtkWidget *channels = gtk_widget_get_next_sibling (picture);
  GtkWidget *title = gtk_widget_get_next_sibling (overlay);
  GtkWidget *share = gtk_widget_get_next_sibling (title);
  GObject *plane = gtk_list_item_get_item (item);
  GBinding *binding;
  g_autofree char *title_text = NULL, *share_text = NULL, *spoken = NULL;

  g_object_get (plane, "title", &title_text, "share", &share_text, NULL);
  gtk_label_set_text (GTK_LABEL (title), title_text);
  gtk_label_set_text (GTK_LABEL (share), share_text != NULL ? share_text : "");
  gtk_widget_set_visible (share, share_text != NULL);
  spoken = share_text != NULL ? g_strdup_printf ("%s, %s", title_text, share_text) : g_strdup (title_text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (picture), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  es_strip_channels_set_plane (ES_STRIP_CHANNELS (channels), es_strip_item_get_plane (ES_STRIP_ITEM (plane)),
                               title_text);
  binding = g_object_bind_property (plane, "paintable", picture, "paintable", G_BINDING_SYNC_CREATE);
  g_object_set_data (G_OBJECT (item), "es-binding", binding);
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GBinding *binding = g_object_get_data (G_OBJECT (item), "es-binding");

  if (binding != NULL)
    g_binding_unbind (binding);
  g_object_set_data (G_OBJECT (item), "es-binding", NULL);
}

/* ---- the widget ---- */

GtkWidget *
es_stack_strip_new (EsDisplay *display)
{
  EsStackStrip *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_STACK_STRIP, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (on_source_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (select_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
  on_source_changed (self);
  return GTK_WIDGET (self);
}

guint
es_stack_strip_get_n_loaded (EsStackStrip *self)
{
  guint n = 0;

  g_return_val_if_fail (ES_IS_STACK_STRIP (self), 0);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->items)); i++)
    {
      g_autoptr (EsStripItem) item = g_list_model_get_item (G_LIST_MODEL (self->items), i);

      n += es_strip_item_is_loaded (item);
    }
  return n;
}

gboolean
es_stack_strip_is_loading (EsStackStrip *self)
{
  g_return_val_if_fail (ES_IS_STACK_STRIP (self), FALSE);
  return es_latest_is_busy (self->reader) || self->update_idle != 0;
}

static void
es_stack_strip_dispose (GObject *object)
{
  EsStackStrip *self = ES_STACK_STRIP (object);

  g_clear_handle_id (&self->update_idle, g_source_remove);
  if (self->reader != NULL)
    es_latest_cancel (self->reader);
  g_clear_object (&self->reader);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->items);
  g_clear_object (&self->source);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_stack_strip_parent_class)->dispose (object);
}

static void
es_stack_strip_class_init (EsStackStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_stack_strip_dispose;
  gtk_widget_class_set_css_name (widget_class, "stackstrip");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_stack_strip_init (EsStackStrip *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkEventController *scroll;
  GtkAdjustment *adjustment;

  self->items = g_list_store_new (ES_TYPE_STRIP_ITEM);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->items)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  self->reader = es_latest_new (read_thumbnail, request_free, free_bytes, thumbnail_read, self);
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), NULL);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell), NULL);
  self->list = gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), factory);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->list), GTK_ORIENTATION_HORIZONTAL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Components"),
                                  -1);

  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));

  scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  gtk_event_controller_set_propagation_phase (scroll, GTK_PHASE_CAPTURE);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (self->scroller, scroll);

  adjustment = gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (queue_update), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "map", G_CALLBACK (queue_update), NULL);
  g_signal_connect (self, "notify::scale-factor", G_CALLBACK (queue_update), NULL);
}
