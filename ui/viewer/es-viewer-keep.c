/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What outlives the program of a view: its place, the selected pixel, the second picture. */

#include "es-viewer-private.h"

#include <math.h>

#include "keeping/es-kept-id.h"

/* A millisecond's worth. */
#define MOST_CORNERS 2000

static void
set_number (JsonObject *object, const char *name, double value)
{
  json_object_set_double_member (object, name, value);
}

static void
tell_place (EsViewer *self, JsonObject *object)
{
  EsImageView *view = self->left.view;
  guint pixel_x, pixel_y;
  double x, y;

  if (self->waiting_place.any)
    {
      set_number (object, "zoom", self->waiting_place.zoom);
      set_number (object, "x", self->waiting_place.x);
      set_number (object, "y", self->waiting_place.y);
    }
  else if (!es_image_view_get_fit (view) && es_image_view_get_place (view, &x, &y))
    {
      set_number (object, "zoom", es_image_view_get_zoom (view));
      set_number (object, "x", x);
      set_number (object, "y", y);
    }
  if (self->waiting.any || es_image_view_get_selected (view, &pixel_x, &pixel_y))
    {
      JsonArray *pixel = json_array_new ();

      json_array_add_int_element (pixel, self->waiting.any ? self->waiting.x : pixel_x);
      json_array_add_int_element (pixel, self->waiting.any ? self->waiting.y : pixel_y);
      json_object_set_array_member (object, "pixel", pixel);
    }
}

/* Drawn by hand, and no class yet. A set of pixels from the scatter plot is found again there. */
static void
tell_selection (EsViewer *self, JsonObject *object)
{
  EsRegion *selection = es_region_control_get_selection (es_inspector_get_control (self->inspector));
  guint n = 0;

  if (selection == NULL || es_region_get_outline (selection, &n) == NULL || n > MOST_CORNERS)
    return;
  g_autofree char *text = es_region_format (selection);
  json_object_set_string_member (object, "selection", text);
}

/* How planes are played; whether they are is of the moment. */
static void
tell_playing (EsViewer *self, JsonObject *object)
{
  JsonObject *play = json_object_new ();
  gboolean back, skip;
  guint rate;

  g_object_get (self->player, "rate", &rate, "back-and-forth", &back, "skip-bad", &skip, NULL);
  json_object_set_int_member (play, "rate", rate);
  json_object_set_boolean_member (play, "back_and_forth", back);
  json_object_set_boolean_member (play, "skip_bad", skip);
  json_object_set_object_member (object, "play", play);
  json_object_set_boolean_member (object, "held", es_display_get_held (self->left.display));
}

JsonNode *
es_viewer_tell (EsViewer *self, EsSession *session)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonNode *root = json_node_alloc ();
  GObject *beside = es_viewer_get_beside (self);
  g_autofree char *reference = es_kept_id_refer (session, beside);
  JsonNode *profile = es_profile_pane_tell (es_inspector_get_profile (self->inspector));
  JsonNode *shown = reference != NULL ? es_display_tell_now (self->right.display) : NULL;
  gboolean spectra;

  g_object_get (self, "spectra", &spectra, NULL);
  if (spectra)
    json_object_set_boolean_member (object, "spectra", TRUE);
  tell_place (self, object);
  tell_selection (self, object);
  tell_playing (self, object);
  if (profile != NULL)
    json_object_set_member (object, "profile", profile);
  if (reference != NULL)
    {
      json_object_set_string_member (object, "beside", reference);
      json_object_set_string_member (object, "compare",
                                     _es_viewer_compare_mode_id (es_compare_view_get_mode (self->compare)));
      set_number (object, "divider", es_compare_view_get_divider (self->compare));
    }
  if (shown != NULL)
    json_object_set_member (object, "beside_display", shown);
  return json_node_init_object (root, object);
}

static double
get_number (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : NAN;
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static gboolean
get_pixel (JsonObject *object, double pixel[2])
{
  JsonNode *node = json_object_get_member (object, "pixel");
  JsonArray *array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;

  if (array == NULL || json_array_get_length (array) != 2)
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      pixel[i] = JSON_NODE_HOLDS_VALUE (element) ? json_node_get_double (element) : -1;
    }
  return pixel[0] >= 0 && pixel[1] >= 0 && pixel[0] < G_MAXUINT && pixel[1] < G_MAXUINT;
}

static gboolean
get_flag (JsonObject *object, const char *name, gboolean otherwise)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_BOOLEAN
         ? json_node_get_boolean (node) : otherwise;
}

static void
take_playing (EsViewer *self, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "play");
  JsonObject *play = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  double rate = play != NULL ? get_number (play, "rate") : NAN;

  es_display_set_held (self->left.display, get_flag (object, "held", FALSE));
  if (play == NULL)
    return;
  g_object_set (self->player, "back-and-forth", get_flag (play, "back_and_forth", FALSE),
                "skip-bad", get_flag (play, "skip_bad", TRUE), NULL);
  if (rate >= 1 && rate <= ES_PLANE_PLAYER_MOST_RATE)
    g_object_set (self->player, "rate", (guint) rate, NULL);
}

static void
take_beside (EsViewer *self, EsSession *session, JsonObject *object)
{
  GObject *beside = es_kept_id_find (session, get_string (object, "beside"));
  const char *mode = get_string (object, "compare");
  double divider = get_number (object, "divider");
  EsCompareMode found;

  if (beside == NULL || !es_viewer_show_beside (self, beside, G_MAXUINT))
    return;
  if (mode != NULL && _es_viewer_find_compare_mode (mode, &found) && found != ES_COMPARE_OFF)
    g_object_set (self, "compare-mode", mode, NULL);
  if (divider >= 0 && divider <= 1)
    es_compare_view_set_divider (self->compare, divider);
  es_display_take_now (self->right.display, json_object_get_member (object, "beside_display"));
}

void
es_viewer_take (EsViewer *self, EsSession *session, JsonNode *told)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  EsViewerPlace place = { TRUE, 0, 0, 0 };
  double pixel[2];

  g_return_if_fail (ES_IS_VIEWER (self));

  if (object == NULL || self->dataset == NULL)
    return;
  if (get_pixel (object, pixel))
    es_viewer_select_pixel (self, (guint64) pixel[0], (guint64) pixel[1]);
  if (get_string (object, "selection") != NULL)
    {
      g_autoptr (EsRegion) selection = es_region_parse (get_string (object, "selection"), NULL);

      if (selection != NULL)
        es_region_control_set_selection (es_inspector_get_control (self->inspector), selection);
    }
  place.zoom = get_number (object, "zoom");
  place.x = get_number (object, "x");
  place.y = get_number (object, "y");
  if (place.zoom > 0 && place.zoom < 1e6 && isfinite (place.x) && isfinite (place.y))
    {
      self->waiting_place = place;
      if (!es_picture_is_empty (self->left.picture))
        _es_viewer_take_waiting (self);
    }
  /* Below the picture, wherever they were. */
  if (json_object_has_member (object, "spectra"))
    g_object_set (self, "spectra", TRUE, NULL);
  take_playing (self, object);
  es_profile_pane_take (es_inspector_get_profile (self->inspector), json_object_get_member (object, "profile"));
  take_beside (self, session, object);
}

void
_es_viewer_take_waiting (EsViewer *self)
{
  if (self->waiting.any)
    {
      self->waiting.any = FALSE;
      es_image_view_select (self->left.view, self->waiting.x, self->waiting.y);
    }
  /* Behind it, as a pixel that is selected is moved into view. */
  if (self->waiting_place.any)
    {
      self->waiting_place.any = FALSE;
      es_image_view_set_place (self->left.view, self->waiting_place.zoom, self->waiting_place.x, self->waiting_place.y);
    }
}

/* ---- changes ---- */

static void
on_changed (EsViewer *self)
{
  g_signal_emit_by_name (self, "view-changed");
}

void
_es_viewer_watch_view (EsViewer *self)
{
  static const char * const of_display[] = { "source-changed", "planes-changed", "look-changed", "stretched" };
  EsDisplay *displays[] = { self->left.display, self->right.display };

  for (guint i = 0; i < G_N_ELEMENTS (displays); i++)
    for (guint k = 0; k < G_N_ELEMENTS (of_display); k++)
      g_signal_connect_object (displays[i], of_display[k], G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_inspector_get_control (self->inspector), "changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  static const char *const of_player[] = { "notify::rate", "notify::back-and-forth", "notify::skip-bad" };
  for (guint i = 0; i < G_N_ELEMENTS (of_player); i++)
    g_signal_connect_object (self->player, of_player[i], G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.display, "notify::held", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::spectra", G_CALLBACK (on_changed), NULL);
  g_signal_connect_object (es_inspector_get_profile (self->inspector), "changed", G_CALLBACK (on_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.view, "moved", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left.view, "selected", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->compare, "notify::mode", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
}
