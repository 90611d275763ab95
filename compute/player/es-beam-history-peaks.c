/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Peaks of rows. Those of conventional beams are found in the row itself; those of adaptive ones need the spectra of
 * the block, which are kept as far as there is room and in 16 bits: they are found as the block comes.
 */

#include "es-beam-history-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layer/es-layer-internal.h"

/* Of a row: as many and as weak as a display lists. */
#define KEPT 8
#define KEPT_RANGE 20
/* In a table. */
#define MOST_LISTED 64

typedef struct
{
  float   bearing, level, width, margin;
  guint16 index;
  guint16 at_edge;
} KeptPeak;

typedef struct
{
  guint    n;
  KeptPeak peaks[KEPT];
} RowPeaks;

void
_es_beam_history_keep_peaks (EsBeamHistory *self, guint index, EsBeamBlock *block)
{
  const float *far = es_beam_block_get_far_of (block, ES_BEAM_MVDR);
  const EsBeamSettings *settings = self->form->settings;
  EsBeamPeak peaks[KEPT];
  EsBeamLift lifts[ES_BEAM_MOST_LIFTS];
  RowPeaks *row;
  guint n_lifts;

  if (far == NULL || settings->n_angles > G_MAXUINT16)
    return;
  if (self->row_peaks == NULL)
    self->row_peaks = g_array_new (FALSE, TRUE, sizeof (RowPeaks));
  if (self->row_peaks->len <= index)
    g_array_set_size (self->row_peaks, MAX (self->n_rows, index + 1));
  row = &g_array_index (self->row_peaks, RowPeaks, index);

  const EsBeamCurve curve = es_beam_settings_get_curve (settings, ES_BEAM_MVDR, far,
                                                        es_beam_block_get_spectra_of (block, ES_BEAM_MVDR));
  row->n = es_find_peaks_and_lifts (&curve, KEPT, KEPT_RANGE, 0, peaks, lifts, &n_lifts);
  _es_beam_history_keep_lifts (self, index, lifts, n_lifts);
  for (guint i = 0; i < row->n; i++)
    row->peaks[i] = (KeptPeak) { (float) peaks[i].bearing, (float) peaks[i].level, (float) peaks[i].width,
                                 (float) peaks[i].margin, (guint16) peaks[i].index, peaks[i].at_edge };
}

gsize
_es_beam_history_get_peak_bytes (EsBeamHistory *self)
{
  return self->row_peaks != NULL ? self->row_peaks->len * sizeof (RowPeaks) : 0;
}

/* Of peaks, the strongest first, those that es_find_peaks () would list: not weaker, not closer; what is left out tells
 * the last one's margin. In place; how many. */
static guint
cut (EsBeamPeak *peaks, guint n_peaks, guint count, double range_db, double distance)
{
  const double strongest = n_peaks > 0 ? peaks[0].level : NAN;
  guint n = 0;

  for (guint i = 0; i < n_peaks; i++)
    {
      const EsBeamPeak peak = peaks[i];
      gboolean apart = TRUE;

      for (guint k = 0; k < n && apart; k++)
        apart = fabs (remainder (peak.bearing - peaks[k].bearing, 360)) >= distance;
      if (!apart)
        continue;
      if (n > 0)
        peaks[n - 1].margin = peaks[n - 1].level - peak.level;
      if (n == count || peak.level < strongest - range_db)
        break;
      peaks[n++] = peak;
    }
  return n;
}

static guint
choose (const RowPeaks *row, guint count, double range_db, double distance, EsBeamPeak *peaks)
{
  EsBeamPeak all[KEPT];
  guint n;

  for (guint i = 0; i < row->n; i++)
    {
      const KeptPeak *kept = &row->peaks[i];

      all[i] = (EsBeamPeak) {
        .bearing = kept->bearing, .index = kept->index, .power = pow (10, kept->level / 10), .level = kept->level,
        .width = kept->width, .margin = kept->margin, .at_edge = kept->at_edge != 0,
      };
    }
  n = cut (all, row->n, count, range_db, distance);
  memcpy (peaks, all, n * sizeof *peaks);
  return n;
}

guint
es_beam_history_list_peaks (EsBeamHistory *self, EsBeamKind kind, guint row, guint most, double range_db,
                            double distance, EsBeamPeak *peaks)
{
  const EsPeakThresholds *asked = &self->thresholds;

  if (asked->count == 0)
    return es_beam_history_find_peaks (self, kind, row, most, range_db, distance, peaks);
  return es_beam_history_find_peaks (self, kind, row, MIN (most, asked->count), asked->range,
                                     MAX (distance, asked->distance), peaks);
}

guint
es_beam_history_list_arrivals (EsBeamHistory *self, EsBeamKind kind, guint row, guint most, EsBeamPeak *peaks)
{
  const float *powers = es_beam_history_get_row_of (self, kind, row);
  guint n;

  if (powers == NULL)
    return 0;
  n = es_beam_history_list_peaks (self, kind, row, most, KEPT_RANGE, kind == ES_BEAM_CBF ? 2 : 1, peaks);
  return kind == ES_BEAM_CBF ? n : es_peaks_above_noise (peaks, n, powers, self->form->settings->n_angles);
}

/* ---- of a result ---- */

/* Its times have three digits once it was saved. */
#define SAME_TIME 6e-4

/* The first row of the detections at a time, or behind all that are earlier. */
static guint
find_detection (EsTable *table, double time)
{
  guint low = 0, high = es_table_get_n_rows (table);

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;
      if (es_table_get_value (table, middle, 0) < time - SAME_TIME)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static int
compare_levels (const void *a, const void *b)
{
  const EsBeamPeak *p = a, *q = b;

  return p->level != q->level ? (p->level > q->level ? -1 : 1) : p->index < q->index ? -1 : p->index > q->index;
}

/* From an angle to one beside it. */
static double
get_step (const EsBeamCurve *curve, guint at)
{
  const guint other = at > 0 ? at - 1 : MIN (at + 1, curve->n - 1);

  return fabs (curve->angles[at] - curve->angles[other]);
}

/* What the operation has found with the spectra of a block at hand stands for what a parabola through a row's values
 * makes of the same peak: adaptive beams are narrower than their angles lie apart. rows first to end - 1 of a table
 * whose columns are, from `column` on, bearing, mirror where there is one, range, level, width. */
static void
take_found (EsBeamHistory *self, EsTable *table, guint first, guint end, guint column, gboolean mirrored,
            EsBeamPeak *peaks, guint n)
{
  const EsBeamSettings *settings = self->form->settings;
  const EsBeamCurve curve = { .angles = settings->angles, .n = settings->n_angles };
  const guint range = column + (mirrored ? 2 : 1);
  double next = NAN;

  if (n == 0 || es_table_get_n_columns (table) < range + 3)
    return;
  if (!isnan (peaks[n - 1].margin))
    next = peaks[n - 1].level - peaks[n - 1].margin;
  for (guint i = first; i < end; i++)
    {
      const double bearing = es_table_get_value (table, i, column);

      for (guint k = 0; k < n && isinf (es_table_get_value (table, i, range)); k++)
        {
          const guint at = peaks[k].index;

          if (fabs (remainder (bearing - settings->angles[at], 360)) > get_step (&curve, at))
            continue;
          peaks[k].bearing = bearing;
          peaks[k].level = es_table_get_value (table, i, range + 1);
          peaks[k].power = pow (10, peaks[k].level / 10);
          peaks[k].width = es_table_get_value (table, i, range + 2);
          break;
        }
    }
  qsort (peaks, n, sizeof *peaks, compare_levels);
  for (guint k = 0; k < n; k++)
    peaks[k].margin = peaks[k].level - (k + 1 < n ? peaks[k + 1].level : next);
}

static gboolean
is_mirrored (EsBeamHistory *self)
{
  double plane;

  return self->form->array != NULL && es_array_get_mirror_plane (self->form->array, &plane);
}

/* Of a row: its detections; of the mean over all of the time: the table of peaks. */
static void
take_detections (EsBeamHistory *self, guint row, EsBeamPeak *peaks, guint n)
{
  EsTable *table = self->detections;
  EsLayer *mean = row == G_MAXUINT ? es_result_find_layer (self->result, "peaks") : NULL;
  double time;
  guint end;

  if (row == G_MAXUINT)
    {
      if (mean != NULL && ES_IS_TABLE (mean))
        take_found (self, ES_TABLE (mean), 0, es_table_get_n_rows (ES_TABLE (mean)), 0, is_mirrored (self), peaks, n);
      return;
    }
  time = es_beam_history_get_time_of (self, ES_BEAM_MVDR, row);
  if (table == NULL || isnan (time))
    return;
  end = find_detection (table, time);
  while (end < es_table_get_n_rows (table) && es_table_get_value (table, end, 0) <= time + SAME_TIME)
    end++;
  take_found (self, table, find_detection (table, time), end, 1, is_mirrored (self), peaks, n);
}

/* Of a maximum's angle from a bearing, degrees. */
static double
get_distance (const EsBeamCurve *curve, const EsBeamPeak *peak, double bearing)
{
  return fabs (remainder (curve->angles[peak->index] - bearing, 360));
}

/* Peaks of a row of a result that knows what is between its beams: what stands there tells which are the strongest. */
static guint
find_lifted (EsBeamHistory *self, guint row, const EsBeamCurve *curve, const EsBeamLift *lifts, guint n_lifts,
             guint count, double range_db, double distance, EsBeamPeak *peaks)
{
  EsBeamPeak all[MOST_LISTED];
  guint n = es_find_peaks (curve, MOST_LISTED, INFINITY, 0, all);

  for (guint k = 0; k < n_lifts; k++)
    {
      guint nearest = 0;

      for (guint i = 1; i < n; i++)
        if (get_distance (curve, &all[i], lifts[k].bearing) < get_distance (curve, &all[nearest], lifts[k].bearing))
          nearest = i;
      if (n == 0 || get_distance (curve, &all[nearest], lifts[k].bearing) > get_step (curve, all[nearest].index))
        continue;
      all[nearest].bearing = lifts[k].bearing;
      all[nearest].power = lifts[k].power;
      all[nearest].level = 10 * log10 (all[nearest].power);
    }
  qsort (all, n, sizeof *all, compare_levels);
  if (self->detections != NULL)
    take_detections (self, row, all, n);
  n = cut (all, n, count, range_db, distance);
  memcpy (peaks, all, n * sizeof *peaks);
  return n;
}

EsTable *
es_beam_history_make_peaks (EsBeamHistory *self, guint row, double heading)
{
  EsLayer *mean = self->result != NULL ? es_result_find_layer (self->result, "peaks") : NULL;
  const EsBeamKind kind = es_beam_history_get_tracked (self);
  EsArray *array = self->form != NULL ? self->form->array : NULL;
  EsBeamPeak peaks[MOST_LISTED];
  double plane, far = INFINITY;
  guint n, n_columns, n_plain;
  EsTable *table;

  if (mean == NULL || !ES_IS_TABLE (mean) || array == NULL || es_beam_history_get_row_of (self, kind, row) == NULL)
    return NULL;
  const gboolean mirrored = self->form->settings->adaptive.on && es_array_get_mirror_plane (array, &plane);

  /* As operations of beams make it: what is of the array, and behind it up to two true bearings. */
  n_plain = mirrored ? 6 : 5;
  n_columns = es_table_get_n_columns (ES_TABLE (mean));
  if (n_columns < n_plain || n_columns > n_plain + 2)
    return NULL;
  table = es_table_new ("peaks", es_layer_get_title (mean));
  for (guint i = 0; i < n_columns; i++)
    es_table_add_column (table, es_table_get_column_title (ES_TABLE (mean), i),
                         es_table_get_column_unit (ES_TABLE (mean), i),
                         es_table_get_column_digits (ES_TABLE (mean), i));
  n = es_beam_history_list_arrivals (self, kind, row, MOST_LISTED, peaks);
  for (guint i = 0; i < n; i++)
    {
      const double mirror = es_array_get_mirror (array, peaks[i].bearing);
      gconstpointer cells[8];
      double bearings[2];
      guint c = 0;

      es_array_get_true_bearings (array, heading, peaks[i].bearing, bearings);
      cells[c++] = &peaks[i].bearing;
      if (mirrored)
        cells[c++] = &mirror;
      cells[c++] = &far;
      cells[c++] = &peaks[i].level;
      cells[c++] = &peaks[i].width;
      cells[c++] = &peaks[i].margin;
      cells[c++] = &bearings[0];
      if (c < G_N_ELEMENTS (cells))
        cells[c] = &bearings[1];
      es_table_add_row (table, cells);
    }
  return table;
}

guint
es_beam_history_find_peaks (EsBeamHistory *self, EsBeamKind kind, guint row, guint count, double range_db,
                            double distance, EsBeamPeak *peaks)
{
  const float *powers = es_beam_history_get_row_of (self, kind, row);

  if (powers == NULL || count == 0)
    return 0;
  if (kind == ES_BEAM_MVDR && self->row_peaks != NULL && row < self->row_peaks->len
      && g_array_index (self->row_peaks, RowPeaks, row).n > 0)
    return choose (&g_array_index (self->row_peaks, RowPeaks, row), count, range_db, distance, peaks);
  const EsBeamCurve curve = es_beam_settings_get_curve (self->form->settings, kind, powers, NULL);
  guint n_lifts;
  const EsBeamLift *lifts = es_beam_history_get_lifts (self, kind, row, &n_lifts);
  if (lifts != NULL)
    return find_lifted (self, row, &curve, lifts, n_lifts, count, range_db, distance, peaks);
  const guint n = es_find_peaks (&curve, count, range_db, distance, peaks);
  if (kind == ES_BEAM_MVDR && self->result != NULL)
    take_detections (self, row, peaks, n);
  return n;
}
