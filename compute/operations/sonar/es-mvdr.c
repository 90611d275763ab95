/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Minimum-variance distortionless-response beams of a whole recording beside the conventional ones (sonar.md 5 to 7):
 * what es-cbf.c brings of each kind of beams, eigenvalues, the weights of the strongest arrival, and every way to the
 * inverse on the same data.
 */

#include "es-mvdr-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-internal.h"
#include "beam/es-beam-params-internal.h"
#include "es-sonar-operations-internal.h"
#include "signal/es-source-count.h"

/* A method that would take longer on one block is refused, seconds. */
#define MOST_SECONDS 30
/* Of a pattern, dB. */
#define PATTERN_FLOOR 1e-12

static const EsParamSpec mvdr_params[] = {
  ES_ADAPTIVE_PARAMS,
  { .key = "compare", .label = N_("Compare methods"),
    .help = N_("Whether every method is tried on one block, the one in which the strongest arrival is loudest, and "
               "their times and differences are listed."),
    .type = ES_PARAM_BOOL, .advanced = TRUE },
  ES_BEAM_GATHER_PARAMS,
  { .type = ES_PARAM_END }
};

static void
mvdr_clear (EsMvdr *self)
{
  es_beam_gather_clear (&self->gather);
  g_clear_pointer (&self->aic, g_array_unref);
  g_clear_pointer (&self->mdl, g_array_unref);
  g_clear_object (&self->pattern);
  es_adaptive_routes_free (self->routes);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsMvdr, mvdr_clear)

/* The effective number of snapshots where some have faded, after the block at `frame`: 1 / sum of squares of their
 * weights, of which the first block's begins at 1. In the end es_beam_settings_get_effective_snapshots (). */
static double
count_unforgotten (EsMvdr *self, guint64 frame)
{
  const EsBeamSettings *settings = self->gather.settings;
  const guint64 before = MIN (self->gather.first / settings->block, es_adaptive_settings_get_memory (settings));
  const double alpha = settings->adaptive.forgetting;
  const double faded = pow (1 - alpha, 2.0 * (double) (before + (frame - self->gather.first) / settings->block));

  return settings->snapshots / (faded + (1 - faded) * alpha / (2 - alpha));
}

double
es_mvdr_get_snapshots (EsMvdr *self)
{
  const EsBeamGather *gather = &self->gather;

  if (gather->settings->adaptive.forgetting <= 0)
    return self->used;
  return count_unforgotten (self, gather->first + (guint64) (gather->n_blocks - 1) * gather->settings->block);
}

/* ---- blocks ---- */

static void
add_block (EsBeamBlock *block, EsBeamRecord *record, gpointer data)
{
  EsMvdr *self = data;
  const guint n_bins = self->gather.settings->n_bins;
  const EsAdaptiveReport *report = es_beam_block_get_report (block);
  guint n;
  const double *values = es_beam_block_get_eigenvalues (block, &n);

  record->report = *report;
  record->used = es_beam_block_get_used (block);
  self->gather.matrix_ms += 1e3 * report->matrix;
  self->gather.factor_ms += 1e3 * report->factor;
  self->gather.spectrum_ms += 1e3 * report->spectrum;
  if (values == NULL)
    return;
  const double snapshots = self->gather.settings->adaptive.forgetting > 0
                           ? count_unforgotten (self, es_beam_block_get_frame (block)) : record->used;
  record->has_counts = TRUE;
  record->aic = es_source_count_over_bins (values, n_bins, n, n, snapshots, FALSE);
  record->mdl = es_source_count_over_bins (values, n_bins, n, n, snapshots, TRUE);
}

static void
take_record (const EsBeamRecord *record, gpointer data)
{
  EsMvdr *self = data;

  self->method = record->report.method;
  self->loading = record->report.loading;
  self->sweeps = MAX (self->sweeps, record->report.sweeps);
  self->rotations += record->report.rotations;
  self->off = MAX (self->off, record->report.off);
  self->used = MAX (self->used, record->used);
  if (!record->has_counts)
    return;
  g_array_append_val (self->aic, record->aic);
  g_array_append_val (self->mdl, record->mdl);
}

/* ---- after the last one ---- */

/* The block in which that direction is loudest, of those that have all the snapshots there will be. */
static gboolean
find_loudest (EsMvdr *self, guint angle, guint64 *block, GError **error)
{
  EsField *btr = self->gather.sums[ES_BEAM_MVDR].btr;
  const guint n = es_field_get_rows (btr)->n;
  const guint first = es_adaptive_settings_get_first_full (self->gather.settings, n);
  g_autofree float *row = g_new (float, self->gather.settings->n_angles);
  float most = -1;

  *block = first;
  for (guint i = first; i < n; i++)
    {
      if (!es_field_read (btr, i, 1, row, error))
        return FALSE;
      if (row[angle] > most)
        {
          most = row[angle];
          *block = i;
        }
    }
  return TRUE;
}

static EsCurve *
make_pattern (EsMvdr *self, const EsBeamProbe *probe)
{
  const EsAxis angles = es_beam_layers_get_angles (&self->gather);
  g_autofree char *title = g_strdup_printf (_("Beam pattern at %.1f°, %.5g Hz"),
                                            es_text_round_tenth (self->pattern_bearing), self->pattern_frequency);
  EsCurve *curve = es_curve_new ("beam-pattern", title, "beam-pattern", probe->n_angles, probe->angles, angles.title,
                                 angles.unit);
  g_autofree double *levels = g_new (double, probe->n_angles);

  for (guint kind = 0; kind < G_N_ELEMENTS (probe->patterns); kind++)
    {
      if (probe->patterns[kind] == NULL)
        continue;
      for (guint i = 0; i < probe->n_angles; i++)
        levels[i] = 10 * log10 (MAX (probe->patterns[kind][i], PATTERN_FLOOR));
      es_curve_add_series (curve, es_beam_kind_get_name (kind), "dB", ES_CURVE_LINE, FALSE, levels);
    }
  return curve;
}

/* At the strongest arrival's bearing and loudest frequency. */
static gboolean
look_closer (EsMvdr *self, EsBeamformer *beamformer, guint angle, guint64 frame, GError **error)
{
  const EsBeamSettings *settings = self->gather.settings;
  const double *spectrum = self->gather.sums[ES_BEAM_MVDR].spectra + (gsize) angle * settings->n_bins;
  g_autoptr (EsBeamBlock) block = NULL;
  guint loudest = 0;

  for (guint b = 1; b < settings->n_bins; b++)
    if (spectrum[b] > spectrum[loudest])
      loudest = b;
  if (!(spectrum[loudest] > 0))
    return TRUE;
  self->pattern_bearing = settings->angles[angle];
  self->pattern_frequency = es_beam_settings_get_frequency (settings, settings->first_bin + loudest);
  es_beamformer_set_probe (beamformer, self->pattern_bearing, self->pattern_frequency);
  block = es_beamformer_look (beamformer, frame, error);
  if (block == NULL)
    return FALSE;
  if (es_beam_block_get_probe (block) != NULL)
    self->pattern = make_pattern (self, es_beam_block_get_probe (block));
  return TRUE;
}

static gboolean
finish (EsBeamformer *beamformer, gpointer data, GError **error)
{
  EsMvdr *self = data;
  EsBeamGather *gather = &self->gather;
  guint64 loudest = gather->n_blocks - 1;

  if (es_beam_gather_has_far (gather))
    {
      const guint angle = es_beam_gather_find_strongest (gather, ES_BEAM_MVDR);

      if (!find_loudest (self, angle, &loudest, error)
          || !look_closer (self, beamformer, angle, gather->first + loudest * gather->settings->block, error))
        return FALSE;
    }
  if (es_params_get_bool (gather->params, "compare"))
    {
      es_job_begin_stage (gather->job, "methods", _("Comparing methods"), 0);
      self->routes = es_adaptive_compare (gather->recording, gather->array, gather->settings,
                                          es_job_get_device (gather->job),
                                          gather->first + loudest * gather->settings->block, MOST_SECONDS,
                                          es_job_get_cancellable (gather->job), error);
      if (self->routes == NULL)
        return FALSE;
    }
  return TRUE;
}

/* ---- the operation ---- */

static EsResult *
mvdr_run (EsJob *job, EsDataset *dataset, EsParams *params, GError **error)
{
  static const EsBeamGatherCalls calls = { add_block, take_record, finish };
  g_auto (EsMvdr) mvdr = { 0 };

  es_job_add_stage_ms (job, "input", _("Input"), 0);
  es_job_begin_stage (job, "setup", _("Making ready"), 0);
  mvdr.aic = g_array_new (FALSE, FALSE, sizeof (guint));
  mvdr.mdl = g_array_new (FALSE, FALSE, sizeof (guint));
  if (!es_beam_gather_init (&mvdr.gather, &es_operation_mvdr, job, ES_RECORDING (dataset), params, error))
    return NULL;
  mvdr.n_alive = es_array_get_n_alive (mvdr.gather.array);
  if (!es_beam_gather_run (&mvdr.gather, &calls, &mvdr, error))
    return NULL;
  return es_mvdr_describe (&mvdr, error);
}

const EsOperation es_operation_mvdr = {
  .id = "mvdr",
  .title = N_("Adaptive beams (MVDR)"),
  .short_title = N_("Adaptive beams"),
  .summary = N_("Tells sources apart that are closer together than conventional beams are wide, and keeps loud ones "
                "out of other directions: at every frequency the beam of least power that still hears its own "
                "direction as it is."),
  .version = 1,
  .takes = ES_DATASET_RECORDING,
  .by_ranks = TRUE,
  .params = mvdr_params,
  .plan = es_beam_plan,
  .run = mvdr_run,
};
