/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the steps of a run over the blocks of a recording do, by the definition of what they compute. */

#include "es-beam-gather-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "recording/es-recording-internal.h"

/* Of the blocks of this process. */
typedef struct
{
  double bytes;                /* of samples, every channel, as they are stored */
  double transforms, transform_bytes;
  double beams, beam_bytes;
} Amounts;

static Amounts
count_amounts (const EsBeamGather *self, const EsBeamSettings *settings)
{
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const double n = es_array_get_n_alive (self->array), snapshots = settings->snapshots;
  const double near = (double) (settings->n_ranges - has_far) * settings->n_angles * settings->cbf_bins;
  const double far = has_far ? (double) settings->n_angles * settings->n_bins : 0;
  const double spectra = n * settings->n_bins * snapshots * 2 * sizeof (float);
  const double blocks = (double) (self->end - self->begin);
  const double size = esk_type_size (es_recording_get_type_code (self->recording));
  const double samples = (double) settings->block * es_recording_get_n_channels (self->recording) * size;

  return (Amounts) {
    .bytes = blocks * samples,
    .transforms = blocks * n * snapshots * 2.5 * settings->length * log2 (settings->length),
    .transform_bytes = blocks * ((double) settings->block * n * size + spectra),
    /* A complex multiplication and addition is 8. */
    .beams = blocks * 8 * n * snapshots * (near + far),
    .beam_bytes = blocks * spectra,
  };
}

static void
tell_adaptive (EsBeamGather *self, guint members)
{
  const guint n_alive = es_array_get_n_alive (self->array);
  const EsAdaptiveMethod method = es_beam_settings_get_method (self->settings, n_alive);
  const EsAdaptiveWork work = es_beam_settings_get_adaptive_work (self->settings, method, n_alive);
  const struct { const char *name; double operations, ms; const char *less; } steps[] = {
    { "matrix", work.matrix, self->matrix_ms, N_("Fewer snapshots in a matrix, or fewer bins, help.") },
    { "factor", work.factor, self->factor_ms, N_("Fewer bins help, and by Woodbury's formula fewer snapshots.") },
    { "spectrum", work.spectrum, self->spectrum_ms, N_("Fewer angles, ranges or bins help.") },
  };
  const double blocks = (double) (self->end - self->begin);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    es_job_add_work (self->job, steps[i].name,
                     &(EsStageWork) { .operations = steps[i].operations * blocks, .type = ES_WORK_FLOAT64,
                                      .busy_ms = steps[i].ms / members, .less = steps[i].less });
}

void
es_beam_gather_tell_work (EsBeamGather *self, const EsUploadChoice *upload)
{
  EsDevice *device = es_job_get_device (self->job);
  const gboolean on_cpu = es_device_is_cpu (device);
  /* Each has blocks of its own, and they are counted together. */
  const guint members = es_device_get_n_members (device);
  const Amounts amounts = count_amounts (self, self->settings);
  const double blocks = (double) (self->end - self->begin);
  const double adaptive_ms = self->matrix_ms + self->factor_ms + self->spectrum_ms;
  const EsStageWork input = {
    .file_bytes = amounts.bytes, .link_bytes = on_cpu ? 0 : amounts.bytes, .busy_ms = self->input_ms / members,
    .pageable = upload != NULL && upload->pageable,
    /* One thread reads, but for cards, where a feed does. */
    .threads = upload != NULL ? upload->threads : 1,
  };
  const EsStageWork transform = {
    .memory_bytes = amounts.transform_bytes, .operations = amounts.transforms,
    .busy_ms = self->transform_ms / members, .launches = on_cpu ? 0 : blocks,
    .less = N_("Less overlap of the transforms helps."),
  };
  const EsStageWork beams = {
    .memory_bytes = amounts.beam_bytes, .operations = amounts.beams,
    .busy_ms = MAX (self->beams_ms - adaptive_ms, 0) / members, .launches = on_cpu ? 0 : blocks,
    .less = N_("Fewer angles, ranges or bins help."),
  };

  es_job_add_work (self->job, "input", &input);
  es_job_add_work (self->job, "transform", &transform);
  es_job_add_work (self->job, "beams", &beams);
  if (self->settings->adaptive.on)
    tell_adaptive (self, members);
}

void
es_beam_gather_tell_again (EsBeamGather *self, const EsBeamSettings *settings)
{
  const gboolean on_cpu = es_device_is_cpu (es_job_get_device (self->job));
  const Amounts amounts = count_amounts (self, settings);
  EsStageWork work = {
    .file_bytes = amounts.bytes, .link_bytes = on_cpu ? 0 : amounts.bytes,
    .memory_bytes = amounts.transform_bytes + amounts.beam_bytes, .operations = amounts.transforms + amounts.beams,
    .less = N_("With its bearing given, the recording is gone through once."),
  };

  es_job_add_work (self->job, NULL, &work);
}
