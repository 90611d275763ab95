/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Steps of LOFAR and DEMON. Each process reads what its rows need, a thread of it makes them, on the processor, and the
 * first one has all of them, in rounds: it keeps the waterfall and writes it.
 */

#include "es-cluster-work-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "recording/es-recording-internal.h"

/* Shares of the best rate: transforms of rows, the envelope of a segment, and the sound of a beam. */
#define SPECTRA 0.027
#define ENVELOPE 0.053
#define BEAM 0.1
/* What listening by a beam costs a sample of an element. */
#define BEAM_OF_LINE (2 * (2.5 * 13 + 8))
#define MOST_LENGTH (1u << 24)
/* Groups of rows, as they are shared out: a few at least, and of so many rows and bytes at most. */
#define FEW_GROUPS 64.0
#define MOST_ROWS 64.0
#define MOST_BYTES 1048576.0
/* Of a process at a time: so many bytes, or so many times what is read for the first row beside what is its own. */
#define CHUNK_BYTES 4194304.0
#define TIMES_BEFORE 16.0
#define SEGMENT 8192.0

/* Rows of a line. */
typedef struct
{
  double rows, bins;
  double frames, step;         /* of a row, and from one to the next */
  double operations;           /* of all rows, beside the beam's */
  double reach;
  EsClusterKind kind;
} Line;

gboolean
_es_cluster_find_frames (EsRecording *recording, EsParams *params, double *frames, GError **error)
{
  const double rate = es_recording_get_rate (recording), all = (double) es_recording_get_frames (recording);
  const double from = es_params_get_float (params, "from"), to = es_params_get_float (params, "to");
  const double end = to > 0 ? MIN (floor (to * rate + 0.5), all) : all;

  *frames = end - floor (from * rate + 0.5);
  if (*frames >= 1)
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("There is nothing to listen to from %.6g to %.6g s: the recording has %.6g s."), from, end / rate,
               all / rate);
  return FALSE;
}

/* Groups of rows are pieces; the first process has all of them, and what is its alone goes through its memory. */
static void
share (const Line *line, EsClusterStep *step)
{
  const double row = line->bins * sizeof (float);
  const double most = fmin (fmax (floor (MOST_BYTES / row), 1), MOST_ROWS);
  const double groups = fmax (ceil (line->rows / most), fmin (line->rows, FEW_GROUPS));
  const double bytes = line->bins * sizeof (double) + ceil (line->rows / groups) * row;
  const double fresh = fmax (floor (line->rows / groups) * line->step, 1);
  const double before = fmax (line->frames - line->step, 0) + SEGMENT;

  step->pieces = (guint64) groups;
  step->turn = (guint64) fmax (CHUNK_BYTES / bytes, floor (TIMES_BEFORE * before / fresh) + 1);
  step->gathered_bytes = groups * bytes;
  step->merged_bytes = 3 * step->gathered_bytes;
}

static gboolean
add_line (GArray *steps, EsRecording *recording, EsParams *params, EsClusterStep step, const Line *line, double frames,
          GError **error)
{
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  const gboolean beam = *es_params_get_text (params, "bearing") != '\0';
  const EsClusterStep waterfall = { .name = "waterfall", .title = N_("Waterfall"), .serial = TRUE, .threads = 1,
                                    .pieces = 1, .written_bytes = line->rows * line->bins * sizeof (float) };
  double of_beam;

  if (beam && array == NULL)
    {
      es_beam_settings_refuse_missing_array (recording, error);
      return FALSE;
    }
  of_beam = beam ? frames * es_array_get_n_alive (array) * BEAM_OF_LINE : 0;
  step.file_bytes = frames * es_recording_get_n_channels (recording)
                    * (double) esk_type_size (es_recording_get_type_code (recording));
  step.operations = line->operations + of_beam;
  step.reach_cpu = step.operations / (line->operations / line->reach + of_beam / BEAM);
  step.threads = 1;
  step.parts[0] = (EsClusterPart) { line->kind, line->operations, 0, line->rows * line->bins };
  if (beam)
    step.parts[1] = (EsClusterPart) { ES_CLUSTER_LISTENING, of_beam, 0, 0 };
  share (line, &step);
  g_array_append_val (steps, step);
  g_array_append_val (steps, waterfall);
  return TRUE;
}

gboolean
_es_cluster_add_lofar (GArray *steps, EsRecording *recording, EsParams *params, GError **error)
{
  const double rate = es_recording_get_rate (recording);
  const double average = (double) es_params_get_int (params, "average");
  double frames, length = floor ((double) es_params_get_int (params, "transform") / 2) * 2, low = 0, high = rate / 2;

  if (!_es_cluster_find_frames (recording, params, &frames, error)
      || (*es_params_get_text (params, "band") != '\0'
          && !es_parse_band (es_params_get_text (params, "band"), &low, &high, error)))
    return FALSE;
  if (length == 0)
    for (length = 2; length < rate && length < MOST_LENGTH;)
      length *= 2;

  const double hop = MAX (floor (length * (1 - es_params_get_float (params, "overlap")) + 0.5), 1);
  const double row = (average - 1) * hop + length, rows = floor ((frames - row) / (hop * average)) + 1;
  const Line line = {
    .rows = rows, .bins = MAX (floor (MIN (high, rate / 2) * length / rate) - ceil (low * length / rate) + 1, 1),
    .frames = row, .step = hop * average, .operations = rows * average * 2.5 * length * log2 (length),
    .reach = SPECTRA, .kind = ES_CLUSTER_LINES,
  };

  if (row > frames)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("A row of %u transforms of %u samples takes %.6g s, but there are %.6g s."), (guint) average,
                   (guint) length, row / rate, frames / rate);
      return FALSE;
    }
  return add_line (steps, recording, params, (EsClusterStep) { .name = "spectra", .title = N_("Spectra") }, &line,
                   frames, error);
}

gboolean
_es_cluster_add_demon (GArray *steps, EsRecording *recording, EsParams *params, GError **error)
{
  const double rate = es_recording_get_rate (recording);
  double frames;

  if (!_es_cluster_find_frames (recording, params, &frames, error))
    return FALSE;
  const double wanted = floor (es_params_get_float (params, "segment") * rate + 0.5);
  const double n = MAX (MIN (wanted, frames), 1);
  const double hop = MAX (floor (n * (1 - es_params_get_float (params, "overlap")) + 0.5), 1);
  const double rows = floor ((frames - n) / hop) + 1;
  const Line line = {
    .rows = rows, .bins = floor (MIN (es_params_get_float (params, "max-frequency"), rate / 2) * n / rate) + 1,
    .frames = n, .step = hop, .operations = rows * 4 * 2.5 * n * log2 (MAX (n, 2)), .reach = ENVELOPE,
    .kind = ES_CLUSTER_ENVELOPE,
  };

  return add_line (steps, recording, params, (EsClusterStep) { .name = "envelope", .title = N_("Envelopes") }, &line,
                   frames, error);
}
