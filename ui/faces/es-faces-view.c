/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-faces-view.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-faces-axes.h"
#include "image/es-image-overlay.h"
#include "widgets/es-capture.h"
#include "widgets/es-latest.h"

#define TURN        28          /* degrees to begin with */
#define ABOVE       32
#define DEPTH       0.7         /* of the longer side of the picture */
#define KEY_TURN    5           /* degrees */
#define WHEEL_ZOOM  1.15
#define DRAG_TURN   0.4         /* degrees a pixel */

struct _EsFacesView
{
  GtkWidget      parent_instance;

  EsDisplay     *display;
  EsPicture     *picture;
  EsCube        *cube;           /* nullable */
  EsBandOrder   *order;          /* of the cube */
  GSignalGroup  *cube_signals;
  EsLatest      *reader;
  EsFacesAnswer *answer;         /* nullable */
  EsFacesRead    read;           /* that may be used again */
  char          *message;        /* what went wrong; nullable */

  EsFacesCut     cut;
  EsColormap     colormap;
  gboolean       each, gaps;
  double         turn, above, zoom;

  EsFace         pushed;         /* by the drag that is under way; ES_N_FACES: it turns */
  EsFacesCut     cut_before;
  double         turn_before, above_before;
};

enum { PROP_0, PROP_BUSY, N_PROPS };
enum { CHANGED, N_SIGNALS };
static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsFacesView, es_faces_view, GTK_TYPE_WIDGET)

/* ---- where it lies ---- */

static EsPoint3
get_extent (EsFacesView *self)
{
  const double width = (double) es_cube_get_width (self->cube), height = (double) es_cube_get_height (self->cube);

  return (EsPoint3) { width, height, DEPTH * MAX (width, height) };
}

static EsFacesBox
get_box (EsFacesView *self, const EsFacesCut *cut)
{
  const EsPoint3 extent = get_extent (self);
  const double a_band = extent.z / self->order->n;

  return (EsFacesBox) {
    { (double) cut->x[0] - extent.x / 2, (double) cut->y[0] - extent.y / 2, cut->band[0] * a_band - extent.z / 2 },
    { (double) cut->x[1] - extent.x / 2, (double) cut->y[1] - extent.y / 2, cut->band[1] * a_band - extent.z / 2 },
  };
}

static EsFacesLook
get_look (EsFacesView *self)
{
  const EsPoint3 extent = get_extent (self);
  const double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  const double across = sqrt (extent.x * extent.x + extent.y * extent.y + extent.z * extent.z);

  return (EsFacesLook) { self->turn, self->above, self->zoom * MIN (width, height) / across, width / 2, height / 2 };
}

/* ---- reading ---- */

static gboolean
is_wanted (EsFacesView *self, EsFace face)
{
  const EsFacesLook look = { self->turn, self->above, 1, 0, 0 };

  return es_faces_is_visible (&look, face);
}

static void
set_top (EsFacesView *self, EsFacesTop *top)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  /* A result of some other size does not lie on it. */
  if (source == NULL || es_picture_is_empty (self->picture)
      || es_plane_source_get_width (source) != es_cube_get_width (self->cube)
      || es_plane_source_get_height (source) != es_cube_get_height (self->cube)
      || !es_plane_source_is_complete (source))
    return;
  top->n = es_display_get_planes (self->display, top->planes);
  /* It is still being read. */
  if (top->n != es_picture_get_n_planes (self->picture))
    return;
  top->source = g_object_ref (source);
  top->curve = es_picture_get_curve (self->picture);
  top->colormap = es_picture_get_colormap (self->picture);
  for (guint i = 0; i < top->n; i++)
    {
      const EsPlaneStatistics *statistics = es_picture_get_statistics (self->picture, i);

      es_picture_get_stretch (self->picture, i, &top->low[i], &top->high[i]);
      if (es_stretch_counts (top->curve) && statistics != NULL)
        top->statistics[i] = g_memdup2 (statistics, sizeof *statistics);
    }
}

static void
update (EsFacesView *self)
{
  EsFacesRequest *request;

  if (self->cube == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  request = g_new0 (EsFacesRequest, 1);
  request->cube = g_object_ref (self->cube);
  request->order = es_band_order_ref (self->order);
  request->cut = self->cut;
  request->colormap = self->colormap;
  request->each = self->each;
  for (EsFace face = 0; face < ES_N_FACES; face++)
    request->wanted[face] = is_wanted (self, face);
  set_top (self, &request->top);
  es_faces_read_copy (&request->read, &self->read);
  es_latest_submit (self->reader, request);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
painted (gpointer data, gpointer made, const GError *error, gpointer user_data)
{
  EsFacesView *self = ES_FACES_VIEW (user_data);
  const EsFacesRequest *request = data;
  EsFacesAnswer *answer = made;

  g_clear_pointer (&self->message, g_free);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    self->message = g_strdup (error->message);
  if (answer != NULL && request->order == self->order)
    {
      EsFacesAnswer *taken = g_new (EsFacesAnswer, 1);

      /* The answer is freed by who asked: what it holds is taken out of it. */
      *taken = *answer;
      *answer = (EsFacesAnswer) { 0 };
      g_clear_pointer (&self->answer, es_faces_answer_free);
      self->answer = taken;
      es_faces_read_clear (&self->read);
      es_faces_read_copy (&self->read, &taken->read);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
forget (EsFacesView *self)
{
  es_latest_cancel (self->reader);
  g_clear_pointer (&self->answer, es_faces_answer_free);
  es_faces_read_clear (&self->read);
  g_clear_pointer (&self->order, es_band_order_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Other bands take part. */
static void
on_selection (EsFacesView *self)
{
  forget (self);
  self->order = es_band_order_new (self->cube, self->gaps);
  es_faces_view_show_all (self);
}

/* ---- drawing ---- */

static char *
make_caption (EsFacesView *self)
{
  GString *text = g_string_new (es_dataset_get_name (ES_DATASET (self->cube)));
  guint step = 1;

  g_string_append_printf (text, " · %s · %s", g_dgettext (GETTEXT_PACKAGE, es_colormap_title (self->colormap)),
                          self->each ? _("each band from 2 to 98 %") : _("all bands from 2 to 98 %"));
  for (EsFace face = ES_FACE_LEFT; face <= ES_FACE_FRONT; face++)
    if (self->answer != NULL && self->answer->faces[face] != NULL)
      step = MAX (step, self->answer->step[face]);
  if (step > 1)
    {
      g_string_append (text, " · ");
      /* TRANSLATORS: a large cube is drawn in steps */
      g_string_append_printf (text, _("sides in steps of %u pixels"), step);
    }
  if (self->order->step > 1)
    {
      g_string_append (text, " · ");
      g_string_append_printf (text, _("bands in steps of %u"), self->order->step);
    }
  return g_string_free (text, FALSE);
}

static void
append_face (EsFacesView *self, GtkSnapshot *snapshot, const EsFacesLook *look, EsFace face)
{
  /* Of what they were painted: while more is read, that lies where it is. */
  const EsFacesBox box = get_box (self, &self->answer->cut);
  GdkTexture *texture = self->answer->faces[face];
  g_autoptr (GskTransform) transform = NULL;
  graphene_point_t points[3];
  EsPoint3 corners[3];

  if (texture == NULL || !es_faces_is_visible (look, face))
    return;
  es_faces_corners (&box, face, corners);
  for (guint i = 0; i < 3; i++)
    points[i] = es_faces_project (look, corners[i]);
  transform = es_faces_transform (points, gdk_texture_get_width (texture), gdk_texture_get_height (texture));
  if (transform == NULL)
    return;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_transform (snapshot, transform);
  gtk_snapshot_append_texture (snapshot, texture,
                               &GRAPHENE_RECT_INIT (0, 0, gdk_texture_get_width (texture),
                                                    gdk_texture_get_height (texture)));
  gtk_snapshot_restore (snapshot);
}

static void
es_faces_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };
  EsFacesView *self = ES_FACES_VIEW (widget);
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gtk_snapshot_append_color (snapshot, &canvas, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (self->cube == NULL || width <= 0 || height <= 0)
    return;
  const EsFacesLook look = get_look (self);
  const EsFacesBox box = get_box (self, &self->cut);
  g_autofree char *caption = make_caption (self);
  for (EsFace face = 0; self->answer != NULL && face < ES_N_FACES; face++)
    append_face (self, snapshot, &look, face);
  es_faces_axes_draw (widget, snapshot, &look, &box, get_extent (self), self->cube, self->order, &self->cut);
  es_image_overlay_text (widget, snapshot, ES_CORNER_TOP_LEFT, caption);
  es_image_overlay_text (widget, snapshot, ES_CORNER_CENTER,
                         self->message != NULL ? self->message : self->answer == NULL ? _("Reading the sides…") : NULL);
}

static void
es_faces_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  *minimum = 200;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 640 : 520;
}

/* ---- what is shown ---- */

void
es_faces_view_set_cube (EsFacesView *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (cube == self->cube)
    return;
  forget (self);
  g_clear_pointer (&self->message, g_free);
  g_set_object (&self->cube, cube);
  g_signal_group_set_target (self->cube_signals, cube);
  if (cube == NULL)
    {
      g_signal_emit (self, signals[CHANGED], 0);
      return;
    }
  self->order = es_band_order_new (cube, self->gaps);
  es_faces_view_show_all (self);
}

EsCube *
es_faces_view_get_cube (EsFacesView *self)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), NULL);
  return self->cube;
}

const EsBandOrder *
es_faces_view_get_order (EsFacesView *self)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), NULL);
  return self->order;
}

static void
hold (guint64 range[2], guint64 before[2], guint64 length)
{
  range[0] = MIN (range[0], length - 1);
  range[1] = MIN (range[1], length);
  /* Whichever end was moved stops at the other. */
  if (range[0] >= range[1])
    {
      if (range[1] != before[1])
        range[1] = range[0] + 1;
      else
        range[0] = range[1] - 1;
    }
}

void
es_faces_view_set_cut (EsFacesView *self, const EsFacesCut *cut)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->cube == NULL)
    return;
  EsFacesCut held = *cut, old = self->cut;
  guint64 bands[2] = { cut->band[0], cut->band[1] }, bands_before[2] = { old.band[0], old.band[1] };

  hold (held.x, old.x, es_cube_get_width (self->cube));
  hold (held.y, old.y, es_cube_get_height (self->cube));
  hold (bands, bands_before, self->order->n);
  for (guint i = 0; i < 2; i++)
    held.band[i] = (guint) bands[i];
  self->cut = held;
  update (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[CHANGED], 0);
}

EsFacesCut
es_faces_view_get_cut (EsFacesView *self)
{
  return self->cut;
}

void
es_faces_view_show_all (EsFacesView *self)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->cube == NULL)
    return;
  es_faces_view_set_cut (self, &(EsFacesCut) { { 0, es_cube_get_width (self->cube) },
                                               { 0, es_cube_get_height (self->cube) }, { 0, self->order->n } });
}

void
es_faces_view_set_colormap (EsFacesView *self, EsColormap colormap)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (colormap >= ES_N_COLORMAPS || self->colormap == colormap)
    return;
  self->colormap = colormap;
  update (self);
}

void
es_faces_view_set_each (EsFacesView *self, gboolean each)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->each == each)
    return;
  self->each = each;
  update (self);
}

void
es_faces_view_set_gaps (EsFacesView *self, gboolean gaps)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));

  if (self->gaps == gaps)
    return;
  self->gaps = gaps;
  if (self->cube != NULL)
    on_selection (self);
}

void
es_faces_view_set_look (EsFacesView *self, double turn, double above, double zoom)
{
  gboolean other = FALSE;

  g_return_if_fail (ES_IS_FACES_VIEW (self));

  self->turn = fmod (fmod (turn, 360) + 360, 360);
  self->above = CLAMP (above, -90, 90);
  self->zoom = CLAMP (zoom, 0.2, 20);
  /* Sides that come round are read then. */
  for (EsFace face = 0; face < ES_N_FACES; face++)
    other = other || (is_wanted (self, face) && (self->answer == NULL || self->answer->faces[face] == NULL));
  if (other)
    update (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_faces_view_get_look (EsFacesView *self, double *turn, double *above, double *zoom)
{
  g_return_if_fail (ES_IS_FACES_VIEW (self));
  *turn = self->turn;
  *above = self->above;
  *zoom = self->zoom;
}

void
es_faces_view_turn_back (EsFacesView *self)
{
  es_faces_view_set_look (self, TURN, ABOVE, 1);
}

gboolean
es_faces_view_is_busy (EsFacesView *self)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), FALSE);
  return es_latest_is_busy (self->reader);
}

GdkTexture *
es_faces_view_get_texture (EsFacesView *self, EsFace face)
{
  g_return_val_if_fail (ES_IS_FACES_VIEW (self), NULL);
  return self->answer != NULL && face < ES_N_FACES ? self->answer->faces[face] : NULL;
}

/* ---- pointer and keys ---- */

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  EsFacesView *self = data;
  const GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->pushed = ES_N_FACES;
  self->turn_before = self->turn;
  self->above_before = self->above;
  self->cut_before = self->cut;
  if (self->cube != NULL && ((state & GDK_CONTROL_MASK)
      || gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_SECONDARY))
    {
      const EsFacesLook look = get_look (self);
      const EsFacesBox box = get_box (self, &self->cut);

      self->pushed = es_faces_pick (&look, &box, x, y);
    }
}

/* A side goes by whole pixels, or bands. */
static void
push (EsFacesView *self, double dx, double dy)
{
  const EsFacesLook look = get_look (self);
  const double by = es_faces_push (&look, self->pushed, dx, dy);
  const gboolean high = self->pushed % 2 == 1;
  EsFacesCut cut = self->cut_before;

  if (self->pushed >= ES_FACE_TOP)
    {
      const double n = self->order->n, to = cut.band[high] + round (by / get_extent (self).z * n);

      cut.band[high] = (guint) CLAMP (to, high ? cut.band[0] + 1. : 0, high ? n : cut.band[1] - 1.);
    }
  else
    {
      guint64 *range = self->pushed <= ES_FACE_RIGHT ? cut.x : cut.y;
      const double length = (double) (self->pushed <= ES_FACE_RIGHT ? es_cube_get_width (self->cube)
                                                                    : es_cube_get_height (self->cube));
      const double to = (double) range[high] + round (by);

      range[high] = (guint64) CLAMP (to, high ? (double) range[0] + 1 : 0, high ? length : (double) range[1] - 1);
    }
  es_faces_view_set_cut (self, &cut);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  EsFacesView *self = data;

  if (self->cube == NULL)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (self->pushed < ES_N_FACES)
    push (self, dx, dy);
  else
    es_faces_view_set_look (self, self->turn_before - dx * DRAG_TURN, self->above_before + dy * DRAG_TURN, self->zoom);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  EsFacesView *self = data;

  if (gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE)
    dy /= 30;
  es_faces_view_set_look (self, self->turn, self->above, self->zoom * pow (WHEEL_ZOOM, -dy));
  return GDK_EVENT_STOP;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  if (n_press == 2)
    es_faces_view_turn_back (data);
}

static gboolean
on_key_turn (GtkWidget *widget, GVariant *by, gpointer data)
{
  EsFacesView *self = ES_FACES_VIEW (widget);
  int turn, above;

  g_variant_get (by, "(ii)", &turn, &above);
  es_faces_view_set_look (self, self->turn + turn * KEY_TURN, self->above + above * KEY_TURN, self->zoom);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_zoom (GtkWidget *widget, GVariant *by, gpointer data)
{
  EsFacesView *self = ES_FACES_VIEW (widget);
  const double factor = g_variant_get_double (by);

  if (factor > 0)
    es_faces_view_set_look (self, self->turn, self->above, self->zoom * factor);
  else
    es_faces_view_turn_back (self);
  return GDK_EVENT_STOP;
}

/* ---- the widget ---- */

GtkWidget *
es_faces_view_new (EsDisplay *display, EsPicture *picture)
{
  EsFacesView *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);
  g_return_val_if_fail (ES_IS_PICTURE (picture), NULL);

  self = g_object_new (ES_TYPE_FACES_VIEW, NULL);
  self->display = g_object_ref (display);
  self->picture = g_object_ref (picture);
  g_signal_connect_object (picture, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_faces_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_BUSY)
    g_value_set_boolean (value, es_faces_view_is_busy (ES_FACES_VIEW (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_faces_view_dispose (GObject *object)
{
  EsFacesView *self = ES_FACES_VIEW (object);

  if (self->reader != NULL)
    forget (self);
  g_clear_object (&self->reader);
  g_clear_object (&self->cube_signals);
  g_clear_object (&self->cube);
  g_clear_object (&self->picture);
  g_clear_object (&self->display);
  g_clear_pointer (&self->message, g_free);
  G_OBJECT_CLASS (es_faces_view_parent_class)->dispose (object);
}

static void
bind_keys (GtkWidgetClass *klass)
{
  static const struct { guint keys[2]; int turn, above; } arrows[] = {
    { { GDK_KEY_Left, GDK_KEY_KP_Left }, 1, 0 }, { { GDK_KEY_Right, GDK_KEY_KP_Right }, -1, 0 },
    { { GDK_KEY_Up, GDK_KEY_KP_Up }, 0, 1 },     { { GDK_KEY_Down, GDK_KEY_KP_Down }, 0, -1 },
  };
  static const struct { guint key; double factor; } zooms[] = {
    { GDK_KEY_plus, WHEEL_ZOOM },      { GDK_KEY_equal, WHEEL_ZOOM }, { GDK_KEY_KP_Add, WHEEL_ZOOM },
    { GDK_KEY_minus, 1 / WHEEL_ZOOM }, { GDK_KEY_KP_Subtract, 1 / WHEEL_ZOOM },
    { GDK_KEY_0, 0 },                  { GDK_KEY_KP_0, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    for (guint k = 0; k < 2; k++)
      gtk_widget_class_add_binding (klass, arrows[i].keys[k], 0, on_key_turn, "(ii)", arrows[i].turn, arrows[i].above);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    gtk_widget_class_add_binding (klass, zooms[i].key, 0, on_key_zoom, "d", zooms[i].factor);
}

static void
es_faces_view_class_init (EsFacesViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = es_faces_view_get_property;
  object_class->dispose = es_faces_view_dispose;
  widget_class->snapshot = es_faces_view_snapshot;
  widget_class->measure = es_faces_view_measure;
  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "imageview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  bind_keys (widget_class);
}

static void
es_faces_view_init (EsFacesView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
  GtkGesture *drag = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  self->colormap = ES_COLORMAP_VIRIDIS;
  self->each = TRUE;
  self->turn = TURN;
  self->above = ABOVE;
  self->zoom = 1;
  self->pushed = ES_N_FACES;
  self->reader = es_latest_new (es_faces_paint, es_faces_request_free, es_faces_answer_free, painted, self);
  self->cube_signals = g_signal_group_new (ES_TYPE_CUBE);
  g_signal_group_connect_swapped (self->cube_signals, "notify::selection", G_CALLBACK (on_selection), self);
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("The cube in three dimensions"), -1);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  gtk_widget_add_controller (widget, scroll);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
  gtk_gesture_group (click, drag);
  g_signal_connect (self, "map", G_CALLBACK (update), NULL);
}
