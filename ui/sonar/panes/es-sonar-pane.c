/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "es-kind-chooser.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-source.h"

typedef struct
{
  EsSonarDisplay *display;
  GtkWidget      *child, *chooser;     /* the last is nullable; a reference */
  char           *id, *title, *detail;
  guint           pending;       /* EsSonarChange */
  gboolean        working;
} EsSonarPanePrivate;

enum { DETAIL_CHANGED, TITLE_CHANGED, WANTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EsSonarPane, es_sonar_pane, GTK_TYPE_WIDGET)

#define PRIVATE(self) ((EsSonarPanePrivate *) es_sonar_pane_get_instance_private (self))

void
es_sonar_pane_set_up (EsSonarPane *self, EsSonarDisplay *display, const char *id, const char *title, GtkWidget *child)
{
  EsSonarPanePrivate *priv = PRIVATE (self);

  g_return_if_fail (priv->display == NULL);

  priv->display = g_object_ref (display);
  priv->id = g_strdup (id);
  priv->title = g_strdup (title);
  priv->child = child;
  priv->pending = ES_SONAR_CHANGE_ALL;
  gtk_widget_set_parent (child, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (child), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

EsSonarDisplay *
es_sonar_pane_get_display (EsSonarPane *self)
{
  return PRIVATE (self)->display;
}

EsSonarSource *
es_sonar_source_of (gpointer pane)
{
  return es_sonar_display_get_source (PRIVATE (ES_SONAR_PANE (pane))->display);
}

EsSonarCursor *
es_sonar_cursor_of (gpointer pane)
{
  return es_sonar_display_get_cursor (PRIVATE (ES_SONAR_PANE (pane))->display);
}

EsSonarExtent *
es_sonar_extent_of (gpointer pane)
{
  return es_sonar_display_get_extent (PRIVATE (ES_SONAR_PANE (pane))->display);
}

EsSonarLook *
es_sonar_look_of (gpointer pane)
{
  return es_sonar_display_get_look (PRIVATE (ES_SONAR_PANE (pane))->display);
}

EsBearingScale *
es_bearing_scale_of (gpointer pane)
{
  return es_sonar_display_get_scale (PRIVATE (ES_SONAR_PANE (pane))->display);
}

double
es_sonar_heading_of (gpointer pane)
{
  EsBearingScale *scale = es_bearing_scale_of (pane);
  EsSonarCursor *cursor = es_sonar_cursor_of (pane);
  const gboolean is_mean = es_sonar_source_get_result (es_sonar_source_of (pane)) != NULL
                           && isnan (es_sonar_cursor_get_time (cursor));
  guint64 row = 0;

  /* A mean over all of the time has no heading of its own. */
  if ((!es_sonar_cursor_get_row (cursor, &row) || is_mean) && !es_bearing_scale_is_steady (scale))
    return NAN;
  return es_bearing_scale_get_heading (scale, row);
}

static guint
side_of (gpointer pane, double bearing)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (pane);

  return bearing == es_sonar_cursor_get_bearing (cursor) ? es_sonar_cursor_get_side (cursor) : 0;
}

/* A true bearing that is kept while the array turns is that one, and not the one its beam has at the moment. */
static double
keep_held (gpointer pane, double bearing)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (pane);
  const double held = es_sonar_cursor_get_held (cursor);
  double kept;

  if (isnan (held) || bearing != es_sonar_cursor_get_bearing (cursor))
    return bearing;
  kept = es_bearing_scale_find (es_bearing_scale_of (pane), es_sonar_heading_of (pane), held, NULL);
  return isnan (kept) ? bearing : kept;
}

char *
es_sonar_name_bearing (gpointer pane, double bearing)
{
  EsBearingScale *scale = es_bearing_scale_of (pane);
  const guint side = side_of (pane, bearing);
  double places[2];

  bearing = keep_held (pane, bearing);
  const guint n = es_bearing_scale_show (scale, es_sonar_heading_of (pane), bearing, places);

  return n == 0 ? es_sonar_describe_bearing (pane, bearing)
                : es_bearing_scale_format (scale, places[side < n ? side : 0]);
}

char *
es_sonar_describe_bearing (gpointer pane, double bearing)
{
  return es_bearing_scale_describe (es_bearing_scale_of (pane), es_sonar_heading_of (pane), keep_held (pane, bearing),
                                    side_of (pane, bearing));
}

const char *
es_sonar_pane_get_id (EsSonarPane *self)
{
  return PRIVATE (self)->id;
}

const char *
es_sonar_pane_get_title (EsSonarPane *self)
{
  return PRIVATE (self)->title;
}

const char *
es_sonar_pane_get_detail (EsSonarPane *self)
{
  return PRIVATE (self)->detail;
}

GtkWidget *
es_sonar_pane_get_child (EsSonarPane *self)
{
  return PRIVATE (self)->child;
}

char *
es_sonar_pane_make_name (EsSonarPane *self)
{
  EsSonarPanePrivate *priv = PRIVATE (self);

  if (priv->chooser == NULL || es_sonar_source_get_kinds (es_sonar_source_of (self)) <= 1u << ES_BEAM_CBF)
    return g_strdup (priv->title);
  /* Translators: a display and the beams it is of: “Bearing-time record (MVDR)”. */
  return g_strdup_printf (_("%s (%s)"), priv->title, es_beam_kind_name (es_sonar_pane_get_kind (self)));
}

/* ---- one of several kinds of beams ---- */

static void
on_kind_changed (EsSonarPane *self)
{
  g_signal_emit (self, signals[TITLE_CHANGED], 0);
  es_sonar_pane_want (self, ES_SONAR_CHANGE_HISTORY);
}

void
es_sonar_pane_add_chooser (EsSonarPane *self, EsBeamKind kind)
{
  EsSonarPanePrivate *priv = PRIVATE (self);

  g_return_if_fail (priv->display != NULL && priv->chooser == NULL);

  priv->chooser = g_object_ref_sink (es_kind_chooser_new (priv->display, kind));
  g_signal_connect_object (priv->chooser, "changed", G_CALLBACK (on_kind_changed), self, G_CONNECT_SWAPPED);
}

GtkWidget *
es_sonar_pane_get_chooser (EsSonarPane *self)
{
  return PRIVATE (self)->chooser;
}

EsBeamKind
es_sonar_pane_get_kind (EsSonarPane *self)
{
  GtkWidget *chooser = PRIVATE (self)->chooser;

  return chooser != NULL ? es_kind_chooser_get_kind (ES_KIND_CHOOSER (chooser)) : ES_BEAM_CBF;
}

void
es_sonar_pane_set_kind (EsSonarPane *self, EsBeamKind kind)
{
  g_return_if_fail (PRIVATE (self)->chooser != NULL);
  es_kind_chooser_set_kind (ES_KIND_CHOOSER (PRIVATE (self)->chooser), kind);
}

void
es_sonar_pane_set_detail (EsSonarPane *self, const char *detail)
{
  EsSonarPanePrivate *priv = PRIVATE (self);

  if (g_strcmp0 (priv->detail, detail) == 0)
    return;
  g_free (priv->detail);
  priv->detail = g_strdup (detail);
  if (priv->child != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (priv->child), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    detail != NULL ? detail : "", -1);
  g_signal_emit (self, signals[DETAIL_CHANGED], 0);
}

void
es_sonar_pane_set_title (EsSonarPane *self, const char *title)
{
  EsSonarPanePrivate *priv = PRIVATE (self);

  if (g_strcmp0 (priv->title, title) == 0)
    return;
  g_free (priv->title);
  priv->title = g_strdup (title);
  if (priv->child != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (priv->child), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  g_signal_emit (self, signals[TITLE_CHANGED], 0);
}

void
es_sonar_pane_mark (EsSonarPane *self, EsSonarChange change)
{
  PRIVATE (self)->pending |= change;
}

void
es_sonar_pane_want (EsSonarPane *self, EsSonarChange change)
{
  es_sonar_pane_mark (self, change);
  g_signal_emit (self, signals[WANTED], 0);
}

gboolean
es_sonar_pane_is_stale (EsSonarPane *self)
{
  EsSonarPanePrivate *priv = PRIVATE (self);

  return (priv->pending != 0 || priv->working) && gtk_widget_get_mapped (GTK_WIDGET (self));
}

void
es_sonar_pane_refresh (EsSonarPane *self, gint64 until)
{
  EsSonarPaneClass *klass = ES_SONAR_PANE_GET_CLASS (self);
  EsSonarPanePrivate *priv = PRIVATE (self);
  guint change = priv->pending;

  priv->pending = 0;
  if (change != 0)
    klass->update (self, change);
  priv->working = klass->work != NULL && klass->work (self, until);
}

char *
es_sonar_pane_to_text (EsSonarPane *self, char separator)
{
  EsSonarPaneClass *klass = ES_SONAR_PANE_GET_CLASS (self);

  return klass->to_text != NULL ? klass->to_text (self, separator) : NULL;
}

static void
append_number (GString *text, char separator, const char *format, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, separator);
  if (!isnan (value))
    g_string_append (text, g_ascii_formatd (number, sizeof number, format, value));
}

void
es_sonar_append_number (GString *text, char separator, double value)
{
  append_number (text, separator, "%.9g", value);
}

void
es_sonar_append_map_row (GString *text, char separator, EsHeatmap *map, guint64 row, guint n)
{
  for (guint c = 0; c < n; c++)
    append_number (text, separator, "%.6g", es_heatmap_get_value (map, c, row));
  g_string_append_c (text, '\n');
}

GtkWidget *
es_sonar_placeholder_new (const char *sentence)
{
  GtkWidget *label = gtk_label_new (sentence);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  /* Or the column would be as wide as the sentence. */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 32);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_valign (label, GTK_ALIGN_START);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "section-placeholder");
  return label;
}

char *
es_sonar_format_level (double level)
{
  char text[32];

  if (isnan (level))
    return g_strdup (_("no data"));
  if (isinf (level))
    return g_strdup (level > 0 ? "∞" : "−∞");
  g_snprintf (text, sizeof text, "%.1f", fabs (level));
  return g_strdup_printf ("%s%s", level < 0 && !g_str_equal (text, "0.0") ? "−" : "", text);
}

char *
es_sonar_format_degrees (double degrees)
{
  char text[32];

  g_snprintf (text, sizeof text, "%.1f", fabs (degrees));
  return g_strdup_printf ("%s%s°", degrees < 0 && !g_str_equal (text, "0.0") ? "−" : "", text);
}

/* ---- the widget ---- */

static void
es_sonar_pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (es_sonar_pane_parent_class)->map (widget);
  g_signal_emit (widget, signals[WANTED], 0);
}

static void
es_sonar_pane_dispose (GObject *object)
{
  EsSonarPanePrivate *priv = PRIVATE (ES_SONAR_PANE (object));

  g_clear_pointer (&priv->child, gtk_widget_unparent);
  if (priv->chooser != NULL)
    g_signal_handlers_disconnect_by_data (priv->chooser, object);
  g_clear_object (&priv->chooser);
  g_clear_object (&priv->display);
  G_OBJECT_CLASS (es_sonar_pane_parent_class)->dispose (object);
}

static void
es_sonar_pane_finalize (GObject *object)
{
  EsSonarPanePrivate *priv = PRIVATE (ES_SONAR_PANE (object));

  g_free (priv->id);
  g_free (priv->title);
  g_free (priv->detail);
  G_OBJECT_CLASS (es_sonar_pane_parent_class)->finalize (object);
}

static void
es_sonar_pane_class_init (EsSonarPaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_sonar_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = es_sonar_pane_finalize;
  widget_class->map = es_sonar_pane_map;
  signals[DETAIL_CHANGED] = g_signal_new ("detail-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                          NULL, G_TYPE_NONE, 0);
  signals[TITLE_CHANGED] = g_signal_new ("title-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                         NULL, G_TYPE_NONE, 0);
  /* It can be seen: what was put off is due. */
  signals[WANTED] = g_signal_new ("wanted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "sonarpane");
}

static void
es_sonar_pane_init (EsSonarPane *self)
{
}

char *
es_sonar_name_frequency (double frequency)
{
  return g_strdup_printf (_("%.2f Hz"), frequency);
}
