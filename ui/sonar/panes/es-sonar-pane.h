/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "signal/es-beam-peaks.h"
#include "picture/es-heatmap.h"
#include "plot/es-plot.h"
#include "sonar/display/es-bearing-scale.h"
#include "sonar/display/es-sonar-display.h"

G_BEGIN_DECLS

/*
 * One display of the sonar workspace: what it shows of the history, brought up to date on a frame while it can be seen.
 * Its frame (EsPaneFrame) has the title and the menu. Signals: "detail-changed", "title-changed".
 */
#define ES_TYPE_SONAR_PANE (es_sonar_pane_get_type ())
G_DECLARE_DERIVABLE_TYPE (EsSonarPane, es_sonar_pane, ES, SONAR_PANE, GtkWidget)

struct _EsSonarPaneClass
{
  GtkWidgetClass parent_class;
  /* What has changed since the last time. */
  void     (*update)  (EsSonarPane *self, EsSonarChange change);
  /* What takes longer goes on here, until that moment (monotonic) or the end. TRUE: there is more to do. Nullable. */
  gboolean (*work)    (EsSonarPane *self, gint64 until);
  /* The numbers behind it with a header row; NULL: there are none. Transfer full. */
  char    *(*to_text) (EsSonarPane *self, char separator);
  /* What it is of, where that is not levels of beams: in the place of unit and band, and of bearings where it has none.
   * Nullable; transfer full. */
  char    *(*name_subject) (EsSonarPane *self);
  gboolean   has_no_bearings;
  gboolean   is_of_array;      /* to_text () tells bearings from the array, however they are shown */
  gboolean (*shows_array) (EsSonarPane *self);   /* nullable: what is drawn does so, too, by now */
};

/* Of the classes: id for settings and actions, title translated; child: transfer floating. */
void            es_sonar_pane_set_up      (EsSonarPane *self, EsSonarDisplay *display, const char *id,
                                           const char *title, GtkWidget *child);
EsSonarDisplay *es_sonar_pane_get_display (EsSonarPane *self);
const char     *es_sonar_pane_get_id      (EsSonarPane *self);
const char     *es_sonar_pane_get_title   (EsSonarPane *self);
const char     *es_sonar_pane_get_detail  (EsSonarPane *self);             /* nullable */
void            es_sonar_pane_set_detail  (EsSonarPane *self, const char *detail);
/* Another one than that it was set up with, where what it shows has a name of its own. */
void            es_sonar_pane_set_title   (EsSonarPane *self, const char *title);
GtkWidget      *es_sonar_pane_get_child   (EsSonarPane *self);
/* "Bearing-time record (MVDR)": with its beams, where there is a choice. Transfer full. */
char           *es_sonar_pane_make_name   (EsSonarPane *self);

/* What a pane of any class takes of its display: the header of each says what it is. */
EsSonarSource  *es_sonar_source_of        (gpointer pane);
EsSonarCursor  *es_sonar_cursor_of        (gpointer pane);
EsSonarExtent  *es_sonar_extent_of        (gpointer pane);
EsSonarLook    *es_sonar_look_of          (gpointer pane);
EsBearingScale *es_bearing_scale_of       (gpointer pane);
/* Where the array points at the moment that is looked at (es_bearing_scale_get_heading ()). */
double          es_sonar_heading_of       (gpointer pane);
/* A bearing of the array as it is written at that moment, on the side that is looked at; with its mirror image.
 * Transfer full. */
char           *es_sonar_name_bearing     (gpointer pane, double bearing);
char           *es_sonar_describe_bearing (gpointer pane, double bearing);

/* Of a class that shows one kind of beams at a time, once it is set up: those it begins with; a change is
 * ES_SONAR_CHANGE_HISTORY. */
void            es_sonar_pane_add_chooser (EsSonarPane *self, EsBeamKind kind);
GtkWidget      *es_sonar_pane_get_chooser (EsSonarPane *self);             /* nullable */
EsBeamKind      es_sonar_pane_get_kind    (EsSonarPane *self);             /* ES_BEAM_CBF without a chooser */
void            es_sonar_pane_set_kind    (EsSonarPane *self, EsBeamKind kind);

/* Remembers what has changed. */
void            es_sonar_pane_mark        (EsSonarPane *self, EsSonarChange change);
/* The same, and asks for a frame. */
void            es_sonar_pane_want        (EsSonarPane *self, EsSonarChange change);
gboolean        es_sonar_pane_is_stale    (EsSonarPane *self);             /* and can be seen */
void            es_sonar_pane_refresh     (EsSonarPane *self, gint64 until);
char           *es_sonar_pane_to_text     (EsSonarPane *self, char separator);
/* A line of a file before it that says what it is of, as above a picture: "# sea.wav: Bearing-time record (CBF); dB
 * re full scale; ...". Transfer full. */
char           *es_sonar_pane_describe_data (EsSonarPane *self);
/* Above a picture of it: "sea.wav: Bearing-time record (CBF)" as its heading, and the unit, the band, what bearings
 * are, when it began and where the cursor is, by the clock with its zone; the beginning, where it is known, also where
 * the displays show no clock. Transfer full, both. */
char           *es_sonar_pane_describe_picture (EsSonarPane *self, char **heading);
/* Of a class that shows it: whenever it is saved, it says the same above it, with its own title. */
void            es_sonar_pane_describe_plot (EsSonarPane *self, EsPlot *plot);

/* For to_text: the separator and a number; a row of a map, n values, each behind the separator, to the end of the line.
 * NAN: nothing behind the separator. */
void            es_sonar_append_number    (GString *text, char separator, double value);
void            es_sonar_append_map_row   (GString *text, char separator, EsHeatmap *map, guint64 row, guint n);

/* A sentence in the place of a pane. */
GtkWidget      *es_sonar_placeholder_new  (const char *sentence);

/* "61.2": of a power, one decimal. Transfer full. */
char           *es_sonar_format_level     (double level);
/* "12.3°": of a width. Transfer full. */
char           *es_sonar_format_degrees   (double degrees);
/* Of the x axes of plots: a frequency "120.00 Hz". Transfer full. */
char           *es_sonar_name_frequency   (double frequency);

G_END_DECLS
