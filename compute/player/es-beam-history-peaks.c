/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Peaks of rows. Those of conventional beams are found in the row itself; those of adaptive ones need the spectra of
 * the block, which are kept as far as there is room and in 16 bits: they are found as the block comes.
 */

#include "es-beam-history-private.h"

#include <math.h>

/* Of a row: as many and as weak as a display lists. */
#define KEPT 8
#define KEPT_RANGE 20

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
  RowPeaks *row;

  if (far == NULL || settings->n_angles > G_MAXUINT16)
    return;
  if (self->row_peaks == NULL)
    self->row_peaks = g_array_new (FALSE, TRUE, sizeof (RowPeaks));
  if (self->row_peaks->len <= index)
    g_array_set_size (self->row_peaks, MAX (self->n_rows, index + 1));
  row = &g_array_index (self->row_peaks, RowPeaks, index);

  const EsBeamCurve curve = es_beam_settings_get_curve (settings, ES_BEAM_MVDR, far,
                                                        es_beam_block_get_spectra_of (block, ES_BEAM_MVDR));
  row->n = es_find_peaks (&curve, KEPT, KEPT_RANGE, 0, peaks);
  for (guint i = 0; i < row->n; i++)
    row->peaks[i] = (KeptPeak) { (float) peaks[i].bearing, (float) peaks[i].level, (float) peaks[i].width,
                                 (float) peaks[i].margin, (guint16) peaks[i].index, peaks[i].at_edge };
}

gsize
_es_beam_history_get_peak_bytes (EsBeamHistory *self)
{
  return self->row_peaks != NULL ? self->row_peaks->len * sizeof (RowPeaks) : 0;
}

/* As es_find_peaks () would: not weaker, not closer; what is left out tells the last one's margin. */
static guint
choose (const RowPeaks *row, guint count, double range_db, double distance, EsBeamPeak *peaks)
{
  guint n = 0;

  for (guint i = 0; i < row->n; i++)
    {
      const KeptPeak *kept = &row->peaks[i];
      gboolean apart = TRUE;

      for (guint k = 0; k < n && apart; k++)
        apart = fabs (remainder (kept->bearing - peaks[k].bearing, 360)) >= distance;
      if (!apart)
        continue;
      if (n > 0)
        peaks[n - 1].margin = peaks[n - 1].level - kept->level;
      if (n == count || kept->level < row->peaks[0].level - range_db)
        break;
      peaks[n++] = (EsBeamPeak) {
        .bearing = kept->bearing, .index = kept->index, .power = pow (10, kept->level / 10), .level = kept->level,
        .width = kept->width, .margin = kept->margin, .at_edge = kept->at_edge != 0,
      };
    }
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
  return es_find_peaks (&curve, count, range_db, distance, peaks);
}
