/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Steps of the analyses of recordings. Beams: each process forms those of blocks of time that follow each other, in
 * groups of which none is divided, and adds them up; in the end the sums of all are brought together, and what each
 * block has over time is gathered. What matrices remember is gone through before, of those that forget without an end
 * all. Lines: es-cluster-lines.c.
 */

#include "es-cluster-work-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "ranks/es-ranks-groups-internal.h"
#include "recording/es-recording-internal.h"

/* Shares of the best rates, as those of cubes: 64 elements, blocks of a second. */
#define TRANSFORM 0.3
#define BEAMS 0.2
#define MATRIX 0.2
#define FACTOR 0.3
#define EIGENVALUES 0.1
#define SPECTRUM 0.3
#define CARD 0.45
/* Bytes of a block's peaks and of what it tells of itself; of the arrays that a process has to add up, about. */
#define RECORD_BYTES 800.0
#define SUMS 4.0
/* Adding up a bin of a direction, counted as operations; of adaptive beams with the curve between the directions. */
#define ADD 40.0
#define ADD_ADAPTIVE 2000.0
/* Opposite places, and directions: relative to the largest, and in degrees. */
#define SAME_PLACE 1e-6
#define SAME_DIRECTION 1e-6
#define ADDING 0.25

/* How blocks are shared out. hears: it is done of those before, too. */
static void
share (const EsBeamSettings *settings, double blocks, gboolean hears, EsClusterStep *step)
{
  const double memory = es_adaptive_settings_get_memory (settings);

  step->pieces = (guint64) MIN (blocks, ES_RANKS_GROUPS);
  if (hears && settings->adaptive.on)
    step->warm = settings->adaptive.forgetting > 0 && memory > 0 ? (double) step->pieces
                 : memory * (double) step->pieces / blocks;
}

/* ---- what is saved by symmetry ---- */

static int
compare (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Whether there is one of n sorted values so near. */
static gboolean
has_near (const double *sorted, guint n, double value, double tolerance)
{
  guint first = 0, end = n;

  while (first < end)
    {
      const guint middle = first + (end - first) / 2;

      if (sorted[middle] < value - tolerance)
        first = middle + 1;
      else
        end = middle;
    }
  return first < n && sorted[first] <= value + tolerance;
}

/* No two places of any array that people build have the same. */
static double
find_key (const EsElement *element)
{
  return element->x + 0.7548776662466927 * element->y + 0.5698402909980532 * element->z;
}

/* Every element that is heard has another one opposite: a phasor is then both of theirs. */
static gboolean
is_symmetric (EsArray *array)
{
  const EsElement *elements = es_array_get_elements (array);
  const guint n = es_array_get_n_elements (array);
  const double tolerance = SAME_PLACE * es_array_get_length (array);
  g_autofree double *keys = g_new (double, n + 1);
  gboolean symmetric = TRUE;
  double sum = 0;
  guint alive = 0;

  for (guint i = 0; i < n; i++)
    if (!elements[i].dead)
      sum += keys[alive++] = find_key (&elements[i]);
  qsort (keys, alive, sizeof *keys, compare);
  for (guint i = 0; i < alive && symmetric; i++)
    symmetric = has_near (keys, alive, 2 * sum / alive - keys[i], tolerance);
  return symmetric;
}

/* The share of the directions that another one looks away from, whose delays are the same the other way round. */
static double
find_twins (const EsBeamSettings *settings)
{
  const guint n = settings->n_angles;
  g_autofree double *sorted = g_memdup2 (settings->angles, MAX (n, 1) * sizeof (double));
  guint found = 0;

  qsort (sorted, n, sizeof *sorted, compare);
  for (guint i = 0; i < n; i++)
    {
      const double angle = sorted[i];

      if (settings->line)
        found += fabs (angle - 90) > SAME_DIRECTION && has_near (sorted, n, 180 - angle, SAME_DIRECTION);
      else
        found += has_near (sorted, n, angle - 180, SAME_DIRECTION) || has_near (sorted, n, angle + 180, SAME_DIRECTION);
    }
  return (double) found / MAX (n, 1);
}

/* How many times less an element and direction far away takes. */
static double
find_saving (const EsBeamSettings *settings, EsArray *array)
{
  return is_symmetric (array) ? 2 / (1 - find_twins (settings) / 2) : 1;
}

/* How full what is kept of blocks is, of `blocks` one after the other: the mean of its power. */
static double
find_filled (double kept, double blocks, double power)
{
  double sum = MAX (blocks - kept + 1, 0);

  for (double i = 1; i < kept && i <= blocks; i++)
    sum += pow (i / kept, power);
  return sum / blocks;
}

/* ---- steps ---- */

static void
add_adaptive (GArray *steps, const EsBeamSettings *settings, guint n_alive, double blocks, double saving)
{
  const EsAdaptiveMethod method = es_beam_settings_get_method (settings, n_alive);
  const EsAdaptiveWork work = es_beam_settings_get_adaptive_work (settings, method, n_alive);
  const double n = es_adaptive_settings_get_n_eigenvalues (settings, n_alive);
  /* Those of a Hermitian matrix take 16 n³ / 3, which no run counts as factors: these are slower by as much. */
  const double eigenvalues = settings->adaptive.eigenvalues ? settings->n_bins * 16 * n * n * n / 3 : 0;
  const double reach = work.factor > 0 ? work.factor / (work.factor / FACTOR + eigenvalues / EIGENVALUES) : FACTOR;
  /* What is kept grows with the first blocks. Of snapshots a direction takes 8 K B operations and 4 K² ones. */
  const double k = es_adaptive_settings_get_columns (settings, n_alive), foci = settings->n_angles * settings->n_ranges;
  const double kept = k > 0 ? es_adaptive_settings_get_memory (settings) + 1.0 : 1;
  const gboolean few = method == ES_ADAPTIVE_WOODBURY;
  const double once = find_filled (kept, blocks, 1), square = few ? find_filled (kept, blocks, 2) : 1;
  const double cube = few ? find_filled (kept, blocks, 3) : 1, order = few ? k : n_alive;
  const double solved = settings->n_bins * foci, values = blocks * settings->n_bins * order * order * square;
  const double snapshots = few ? solved * 8 * k * n_alive * once / saving : 0;
  const double spectrum = few ? snapshots + solved * 4 * k * k * square : work.spectrum;
  const EsClusterStep made[] = {
    { .name = "matrix", .title = N_("Matrix"), .operations = blocks * work.matrix, .reach_cpu = MATRIX,
      .parts = { { ES_CLUSTER_MATRIX, blocks * work.matrix * (few ? square : once), 0, values } } },
    { .name = "factor", .title = N_("Factor"), .operations = blocks * work.factor, .reach_cpu = reach,
      .parts = { { ES_CLUSTER_FACTOR, blocks * work.factor * cube, 0, values },
                 { eigenvalues > 0 ? ES_CLUSTER_EIGENVALUES : ES_CLUSTER_NO_KIND, blocks * eigenvalues * cube } } },
    { .name = "spectrum", .title = N_("Spectrum"), .operations = blocks * work.spectrum,
      .reach_cpu = SPECTRUM * work.spectrum / spectrum,
      .parts = { { ES_CLUSTER_SPECTRUM, blocks * (spectrum - snapshots), 0, blocks * solved * order * once },
                 { few ? ES_CLUSTER_SNAPSHOTS : ES_CLUSTER_NO_KIND, blocks * snapshots, 0,
                   few ? blocks * solved * n_alive / fmin (saving, 2) : 0 } } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (made); i++)
    {
      EsClusterStep step = made[i];

      step.type = ES_WORK_FLOAT64;
      step.joined = TRUE;
      step.reach_card = CARD;
      /* A matrix that is kept is formed by hearing. */
      share (settings, blocks, i == 0 && es_adaptive_settings_get_columns (settings, n_alive) == 0, &step);
      g_array_append_val (steps, step);
    }
}

gboolean
_es_cluster_add_beams (GArray *steps, EsRecording *recording, EsParams *params, GError **error)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = NULL;
  double frames, blocks;

  if (array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return FALSE;
    }
  if ((settings = es_beam_settings_new (params, recording, array, error)) == NULL
      || !_es_cluster_find_frames (recording, params, &frames, error))
    return FALSE;
  blocks = MAX (floor (frames / settings->block), 1);

  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const guint n_alive = es_array_get_n_alive (array);
  const double n = n_alive, snapshots = settings->snapshots;
  const double size = esk_type_size (es_recording_get_type_code (recording));
  const double near = (double) (settings->n_ranges - has_far) * settings->n_angles * settings->cbf_bins;
  const double far = has_far ? (double) settings->n_angles * settings->n_bins : 0;
  const double spectra = n * settings->n_bins * snapshots * 2 * sizeof (float);
  const double kinds = !settings->adaptive.on ? 1 : settings->adaptive.sources == 0 ? 2 : 3;
  const double maps = (double) settings->n_angles * (settings->n_ranges + settings->n_bins) * kinds;
  const double rows = blocks * (settings->n_angles * kinds + settings->n_bins);
  const double eigenvalues = settings->adaptive.on && settings->adaptive.eigenvalues ? settings->n_bins * n : 0;
  const double saving = find_saving (settings, array), beams_of = blocks * 8 * n * snapshots;
  const double powers = blocks * settings->n_angles * (double) settings->n_bins;
  EsClusterStep transform = {
    .name = "transform", .title = N_("Transform"),
    .file_bytes = blocks * settings->block * es_recording_get_n_channels (recording) * size,
    .memory_bytes = blocks * ((double) settings->block * n * size + spectra),
    .operations = blocks * n * snapshots * 2.5 * settings->length * log2 (settings->length), .launches = blocks,
    .reach_cpu = TRANSFORM, .reach_card = CARD, .gathered_bytes = rows * sizeof (float) + blocks * RECORD_BYTES,
    .sums = 1, .sum_bytes = SUMS * (maps + eigenvalues) * sizeof (double),
    .written_bytes = (maps + rows) * sizeof (float),
    .parts = { { ES_CLUSTER_TRANSFORM, blocks * n * snapshots * 2.5 * settings->length * log2 (settings->length), 0,
                 blocks * settings->block * n * size } },
  };
  /* A complex multiplication and addition is 8. */
  EsClusterStep beams = {
    .name = "beams", .title = N_("Beams"), .memory_bytes = blocks * spectra,
    .operations = beams_of * (near + far), .joined = TRUE, .launches = blocks, .reach_cpu = BEAMS, .reach_card = CARD,
    .parts = { { ES_CLUSTER_BEAMS, beams_of * (near + far), 0, blocks * snapshots * (near + far) } },
  };
  EsClusterStep adding = {
    .name = "adding", .title = N_("Adding up"), .joined = TRUE, .threads = 1,
    .operations = powers * (settings->adaptive.on ? ADD_ADAPTIVE : ADD), .reach_cpu = ADDING,
    .parts = { { settings->adaptive.on ? ES_CLUSTER_ADDING : ES_CLUSTER_NO_KIND, 0, 0, powers } },
  };

  share (settings, blocks, TRUE, &transform);
  share (settings, blocks, FALSE, &beams);
  share (settings, blocks, FALSE, &adding);
  g_array_append_val (steps, transform);
  g_array_append_val (steps, beams);
  if (settings->adaptive.on)
    add_adaptive (steps, settings, n_alive, blocks, saving);
  g_array_append_val (steps, adding);
  return TRUE;
}
