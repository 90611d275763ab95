/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-peak-list.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sonar-pane.h"

enum { BEARING, MIRROR, LEVEL, WIDTH, MARGIN, N_COLUMNS };

struct _EsPeakList
{
  GtkGrid    parent_instance;

  GtkWidget *titles[N_COLUMNS];
  GtkWidget *note;               /* what the “!” behind a peak says */
  GtkWidget *cells[ES_PEAK_LIST_ROWS][N_COLUMNS];
  double     bearings[ES_PEAK_LIST_ROWS];
  guint      n;
};

G_DEFINE_FINAL_TYPE (EsPeakList, es_peak_list, GTK_TYPE_GRID)

static void
set_cell (EsPeakList *self, guint row, guint column, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->cells[row][column]), text);
}

static const char *
edge_words (void)
{
  return _("At the edge of the search: the true maximum may lie outside.");
}

void
es_peak_list_show (EsPeakList *self, guint n, const EsBeamPeak *peaks, EsBearingScale *scale, double heading)
{
  const gboolean mirrored = es_bearing_scale_is_mirrored (scale);
  gboolean any = FALSE;

  g_return_if_fail (ES_IS_PEAK_LIST (self));
  g_return_if_fail (n <= ES_PEAK_LIST_ROWS);

  self->n = n;
  gtk_widget_set_visible (self->titles[MIRROR], mirrored);
  /* One of both is where it is: neither is the other's image. */
  gtk_label_set_text (GTK_LABEL (self->titles[BEARING]),
                      es_bearing_scale_get_kind (scale) != ES_BEARINGS_TRUE ? _("Bearing")
                      : es_bearing_scale_is_line (scale) ? _("True, starboard") : _("True bearing"));
  gtk_label_set_text (GTK_LABEL (self->titles[MIRROR]),
                      es_bearing_scale_get_kind (scale) == ES_BEARINGS_TRUE && es_bearing_scale_is_line (scale)
                      ? _("or port") : C_("bearing", "Mirror"));
  for (guint i = 0; i < ES_PEAK_LIST_ROWS; i++)
    {
      const EsBeamPeak *peak = &peaks[i];

      /* Rows without an arrival keep their room: what is below stays where it is. */
      for (guint c = 0; c < N_COLUMNS; c++)
        {
          gtk_widget_set_visible (self->cells[i][c], c != MIRROR || mirrored);
          if (i >= n)
            set_cell (self, i, c, "");
        }
      if (i >= n)
        {
          gtk_widget_set_tooltip_text (self->cells[i][BEARING], NULL);
          continue;
        }
      self->bearings[i] = peak->bearing;

      double places[2];
      es_bearing_scale_get_places (scale, heading, peak->bearing, places);
      g_autofree char *bearing = es_bearing_scale_write (scale, places[0]);
      g_autofree char *mirror = es_bearing_scale_write (scale, places[1]);
      g_autofree char *at_edge = g_strdup_printf ("%s!", bearing);
      g_autofree char *level = es_sonar_format_level (peak->level);
      g_autofree char *width = isnan (peak->width) ? g_strdup ("–") : es_sonar_format_degrees (peak->width);
      g_autofree char *margin = isnan (peak->margin) ? g_strdup ("–") : es_sonar_format_level (peak->margin);

      set_cell (self, i, BEARING, peak->at_edge ? at_edge : bearing);
      gtk_widget_set_tooltip_text (self->cells[i][BEARING], peak->at_edge ? edge_words () : NULL);
      set_cell (self, i, MIRROR, mirror);
      set_cell (self, i, LEVEL, level);
      set_cell (self, i, WIDTH, width);
      set_cell (self, i, MARGIN, margin);
      any = any || peak->at_edge;
    }
  gtk_widget_set_opacity (self->note, any ? 1 : 0);
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  EsPeakList *self = ES_PEAK_LIST (user_data);
  GtkWidget *picked = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);

  for (guint i = 0; i < self->n; i++)
    for (guint c = 0; c < N_COLUMNS; c++)
      if (picked == self->cells[i][c])
        g_signal_emit_by_name (self, "picked", self->bearings[i]);
}

static GtkWidget *
make_label (const char *text, gboolean heading)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, heading ? "dim-label" : "numeric");
  return label;
}

static void
es_peak_list_init (EsPeakList *self)
{
  const char *titles[N_COLUMNS] = { _("Bearing"), C_("bearing", "Mirror"), _("Level (dB)"), _("Width"),
                                    _("Margin (dB)") };
  g_autofree char *words = g_strdup_printf ("! %s", edge_words ());
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGrid *grid = GTK_GRID (self);

  gtk_widget_add_css_class (GTK_WIDGET (self), "peak-list");
  gtk_grid_set_column_spacing (grid, 6);
  for (guint row = 0; row <= ES_PEAK_LIST_ROWS; row++)
    for (guint c = 0; c < N_COLUMNS; c++)
      {
        GtkWidget *label = make_label (row == 0 ? titles[c] : NULL, row == 0);

        *(row == 0 ? &self->titles[c] : &self->cells[row - 1][c]) = label;
        gtk_grid_attach (grid, label, (int) c, (int) row, 1, 1);
      }
  gtk_widget_set_tooltip_text (self->titles[MIRROR], _("Where it may come from as well: a line of hydrophones cannot "
                                                       "tell left from right."));
  gtk_widget_set_tooltip_text (self->titles[WIDTH], _("Between the bearings where half of the power is left"));
  gtk_widget_set_tooltip_text (self->titles[MARGIN], _("Over the next weaker arrival"));
  self->note = make_label (words, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->note), PANGO_ELLIPSIZE_END);
  gtk_widget_set_tooltip_text (self->note, edge_words ());
  gtk_widget_set_opacity (self->note, 0);
  gtk_grid_attach (grid, self->note, 0, ES_PEAK_LIST_ROWS + 1, N_COLUMNS, 1);
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
es_peak_list_class_init (EsPeakListClass *klass)
{
  g_signal_new ("picked", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_DOUBLE);
}

GtkWidget *
es_peak_list_new (void)
{
  return g_object_new (ES_TYPE_PEAK_LIST, NULL);
}
