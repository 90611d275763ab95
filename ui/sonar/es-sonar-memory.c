/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-memory.h"

#include <math.h>

#include "es-sonar-view-private.h"
#include "plane/es-colormap.h"
#include "sonar/panes/es-kind-chooser.h"

/* What is dragged is written when it has rested so long. */
#define STORE_DELAY_MS 400

struct _EsSonarMemory
{
  EsSonarView *view;
  GSettings   *settings;
  guint        store_source;
  gboolean     taking;           /* what the settings have, which need not be written */
};

static const char *const kinds[ES_N_BEAM_KINDS] = { "cbf", "mvdr", "music" };

static const struct { const char *key; gboolean (*get) (EsSonarLook *); void (*set) (EsSonarLook *, gboolean); } flags[]
  = {
  { "sonar-plan", es_sonar_look_get_plan, es_sonar_look_set_plan },
  { "sonar-harmonics", es_sonar_look_get_harmonics, es_sonar_look_set_harmonics },
  { "sonar-tracks", es_sonar_look_get_tracks, es_sonar_look_set_tracks },
  { "sonar-beside", es_sonar_look_get_beside, es_sonar_look_set_beside },
};

static EsSonarPane *
pane_of (EsSonarMemory *self, guint i)
{
  return es_pane_frame_get_pane (self->view->frames[i]);
}

static EsKindChooser *
chooser_of (EsSonarMemory *self, guint i)
{
  GtkWidget *chooser = es_sonar_pane_get_chooser (pane_of (self, i));

  return chooser != NULL ? ES_KIND_CHOOSER (chooser) : NULL;
}

/* ---- into the settings ---- */

/* Only what differs: what is as it was by default stays unset. */
static void
put (EsSonarMemory *self, const char *key, GVariant *value)
{
  g_autoptr (GVariant) wanted = g_variant_ref_sink (value);
  g_autoptr (GVariant) old = g_settings_get_value (self->settings, key);

  if (!g_variant_equal (old, wanted))
    g_settings_set_value (self->settings, key, wanted);
}

static void
store_look (EsSonarMemory *self)
{
  EsSonarLook *look = self->view->look;

  put (self, "sonar-colormap", g_variant_new_string (es_colormap_id (es_sonar_look_get_colormap (look))));
  put (self, "sonar-normaliser", g_variant_new_string (es_normaliser_id (es_sonar_look_get_normaliser (look))));
  put (self, "sonar-bearings", g_variant_new_string (es_bearings_id (es_sonar_look_get_bearings (look))));
  put (self, "sonar-clock", g_variant_new_string (es_clock_id (es_sonar_look_get_clock (look))));
  put (self, "sonar-range", g_variant_new_double (es_sonar_look_get_range (look)));
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    put (self, flags[i].key, g_variant_new_boolean (flags[i].get (look)));
}

static void
store_places (EsSonarMemory *self)
{
  EsSonarView *view = self->view;
  GVariantBuilder folded, beams;

  g_variant_builder_init (&folded, G_VARIANT_TYPE_STRING_ARRAY);
  g_variant_builder_init (&beams, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; i < view->n_frames; i++)
    {
      const char *id = es_sonar_pane_get_id (pane_of (self, i));
      EsKindChooser *chooser = chooser_of (self, i);

      /* What stands in the middle cannot be folded. */
      if (!es_pane_frame_get_expanded (view->frames[i]))
        g_variant_builder_add (&folded, "s", id);
      if (chooser != NULL && es_kind_chooser_get_wanted (chooser) != view->first_kinds[i])
        g_variant_builder_add (&beams, "{ss}", id, kinds[es_kind_chooser_get_wanted (chooser)]);
    }
  put (self, "sonar-folded", g_variant_builder_end (&folded));
  put (self, "sonar-beams", g_variant_builder_end (&beams));
  put (self, "sonar-middle", g_variant_new_string (es_sonar_pane_get_id (es_pane_frame_get_pane (view->chosen))));
  put (self, "sonar-divider", g_variant_new_double (view->divider));
}

static gboolean
store (gpointer data)
{
  EsSonarMemory *self = data;

  self->store_source = 0;
  store_look (self);
  store_places (self);
  return G_SOURCE_REMOVE;
}

static void
store_soon (EsSonarMemory *self)
{
  if (!self->taking && self->store_source == 0)
    self->store_source = g_timeout_add (STORE_DELAY_MS, store, self);
}

static void
on_display_changed (EsSonarDisplay *display, guint change, EsSonarMemory *self)
{
  if (change & (ES_SONAR_CHANGE_LOOK | ES_SONAR_CHANGE_NORMALISER | ES_SONAR_CHANGE_MARKS | ES_SONAR_CHANGE_FREQUENCY
                | ES_SONAR_CHANGE_WRITING))
    store_soon (self);
}

/* ---- out of the settings ---- */

static void
take_look (EsSonarMemory *self)
{
  EsSonarLook *look = self->view->look;
  g_autofree char *map = g_settings_get_string (self->settings, "sonar-colormap");
  g_autofree char *normaliser = g_settings_get_string (self->settings, "sonar-normaliser");
  g_autofree char *bearings = g_settings_get_string (self->settings, "sonar-bearings");
  g_autofree char *clock = g_settings_get_string (self->settings, "sonar-clock");
  EsColormap colormap;

  if (es_colormap_find (map, &colormap))
    es_sonar_look_set_colormap (look, colormap);
  for (guint i = 0; i < ES_N_NORMALISERS; i++)
    if (g_str_equal (es_normaliser_id (i), normaliser))
      es_sonar_look_set_normaliser (look, i);
  for (guint i = 0; i < ES_N_BEARINGS; i++)
    if (g_str_equal (es_bearings_id (i), bearings))
      es_sonar_look_set_bearings (look, i);
  for (guint i = 0; i < ES_N_CLOCKS; i++)
    if (g_str_equal (es_clock_id (i), clock))
      es_sonar_look_set_clock (look, i);
  es_sonar_look_set_range (look, g_settings_get_double (self->settings, "sonar-range"));
  for (guint i = 0; i < G_N_ELEMENTS (flags); i++)
    flags[i].set (look, g_settings_get_boolean (self->settings, flags[i].key));
}

static void
take_places (EsSonarMemory *self)
{
  EsSonarView *view = self->view;
  g_auto (GStrv) folded = g_settings_get_strv (self->settings, "sonar-folded");
  g_autoptr (GVariant) beams = g_settings_get_value (self->settings, "sonar-beams");
  g_autofree char *middle = g_settings_get_string (self->settings, "sonar-middle");
  EsPaneFrame *chosen = _es_sonar_view_find_frame (view, middle);
  const char *kind;

  for (guint i = 0; i < view->n_frames; i++)
    {
      const char *id = es_sonar_pane_get_id (pane_of (self, i));

      es_pane_frame_set_expanded (view->frames[i], !g_strv_contains ((const char *const *) folded, id));
      if (chooser_of (self, i) != NULL && g_variant_lookup (beams, id, "&s", &kind))
        for (guint k = 0; k < ES_N_BEAM_KINDS; k++)
          if (g_str_equal (kinds[k], kind))
            es_sonar_pane_set_kind (pane_of (self, i), k);
    }
  /* One that a later version has, or that belongs elsewhere, is not here. */
  if (chosen != NULL && chosen != view->frames[1] && chosen != view->field_frame
      && !_es_sonar_view_is_second (view, chosen))
    view->chosen = chosen;
  _es_sonar_view_go_home (view);
  _es_sonar_view_set_divider (view, g_settings_get_double (self->settings, "sonar-divider"));
}

EsSonarMemory *
_es_sonar_memory_new (EsSonarView *view, GSettings *settings)
{
  EsSonarMemory *self = g_new0 (EsSonarMemory, 1);

  self->view = view;
  self->settings = g_object_ref (settings);
  self->taking = TRUE;
  take_look (self);
  take_places (self);
  self->taking = FALSE;
  g_signal_connect (view->display, "changed", G_CALLBACK (on_display_changed), self);
  g_signal_connect_swapped (view, "arranged", G_CALLBACK (store_soon), self);
  for (guint i = 0; i < view->n_frames; i++)
    {
      g_signal_connect_swapped (view->frames[i], "notify::expanded", G_CALLBACK (store_soon), self);
      if (chooser_of (self, i) != NULL)
        g_signal_connect_swapped (chooser_of (self, i), "changed", G_CALLBACK (store_soon), self);
    }
  return self;
}

void
_es_sonar_memory_free (EsSonarMemory *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->view->display, self);
  g_signal_handlers_disconnect_by_data (self->view, self);
  for (guint i = 0; i < self->view->n_frames; i++)
    {
      g_signal_handlers_disconnect_by_data (self->view->frames[i], self);
      if (chooser_of (self, i) != NULL)
        g_signal_handlers_disconnect_by_data (chooser_of (self, i), self);
    }
  if (self->store_source != 0)
    {
      g_source_remove (self->store_source);
      store (self);
    }
  g_object_unref (self->settings);
  g_free (self);
}
