/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How much a beamformer takes before it is made: memory of the host and of devices, blocks on their way, operations. */

#include "es-beamformer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "device/es-limits.h"
#include "es-beam-params-internal.h"
#include "es-beam-settings-private.h"

/* Blocks on their way for each device: one is read, one copied, one computed, one taken. Large ones do with two. */
#define MOST_SLOTS 4
#define LARGE_BLOCK ((gsize) 64 << 20)
/* Of the host's memory, for all of them. */
#define BLOCKS_SHARE ((EsMemoryShare) { .of_limit = 1, .of_machine = 2 })
/* What back ends keep of a direction and of an element. */
#define DIRECTION_BYTES 64
#define ELEMENT_BYTES 64
/* Scratch memory of a GPU is cut down to this: rows and results of transforms, which beams share, and sums. */
#define SCRATCH_BYTES ((guint64) 256 << 20)
/* Phases that a GPU keeps, for each direction and element, as long as they are not more than this. */
#define PHASE_BYTES 8
#define TABLE_BYTES ((guint64) 1 << 30)

/* Adaptive beams: matrices of an evaluation at a bin, directions at once, what a GPU takes for bins side by side. */
#define MATRICES 3
#define STEERING_CHUNK 1024
#define ADAPTIVE_SCRATCH_BYTES (4.0 * (1 << 30))

static guint64
saturate (double bytes)
{
  return bytes < 1e18 ? (guint64) bytes : (guint64) 1e18;
}

typedef struct
{
  guint64 samples;             /* of a block, as stored */
  gboolean is_fed;             /* it is never in the memory of the host as a whole */
  guint64 fixed;               /* spectra, results, directions, elements */
  guint64 scratch;             /* that a device does with less of */
  guint64 results;
  gboolean fits;               /* the sizes of the spectra can be told at all */
} Sizes;

guint64
_es_beamformer_measure_results (const EsBeamSettings *settings, guint n_alive, gsize *band_at, gsize *health_at)
{
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const guint64 by_bin = has_far ? (guint64) settings->n_angles * settings->n_bins : 0;
  const guint64 band = (guint64) (settings->n_ranges - has_far) * settings->n_angles;

  *band_at = by_bin * sizeof (float);
  *health_at = (*band_at + band * sizeof (float) + 63) / 64 * 64;
  return *health_at + (guint64) n_alive * sizeof (EskChannelHealth);
}

/* What adaptive beams remember, and what one evaluation works with. */
static void
measure_adaptive (const EsBeamSettings *settings, guint n, gboolean on_cpu, Sizes *sizes)
{
  const guint columns = es_adaptive_settings_get_columns (settings, n);
  const double stride = esk_spectra_stride (n), foci = (double) settings->n_ranges * settings->n_angles;
  /* Of a matrix that is kept the CPU has one triangle; cards add up spectra in float64. */
  const double state = columns > 0 ? (double) columns * 2 * stride * sizeof (float)
                       : on_cpu ? (double) n * (n + 16) * sizeof (double) : (double) n * n * 2 * sizeof (double);
  const gboolean small = es_beam_settings_get_method (settings, n) == ES_ADAPTIVE_WOODBURY;
  /* Complex numbers: matrices, steering vectors, and the right-hand sides that a triangle is solved for. */
  const double one = 16 * (small ? (double) columns * columns + columns * foci + n * MIN (foci, STEERING_CHUNK)
                                 : MATRICES * (double) n * n + 2 * n * MIN (foci, STEERING_CHUNK));
  const guint lanes = es_device_get_lanes (es_device_get_cpu ());
  const double at_once = on_cpu ? MIN (lanes, settings->n_bins)
                         : MAX (MIN (settings->n_bins, ADAPTIVE_SCRATCH_BYTES / one), 1);

  sizes->fixed += saturate ((state + (on_cpu ? 0 : 2 * sizeof (double) * foci)) * settings->n_bins)
                  + saturate (foci * DIRECTION_BYTES) + _es_beamformer_adaptive_bytes (settings);
  sizes->scratch += saturate (one * at_once);
}

static Sizes
measure (EsRecording *recording, EsArray *array, const EsBeamSettings *settings, gboolean on_cpu)
{
  const guint n = es_array_get_n_alive (array);
  const guint64 spectra = esk_spectra_bytes (n, settings->n_bins, settings->snapshots);
  const guint64 transforms = (guint64) n * settings->snapshots * settings->length * sizeof (float);
  gsize band_at, health_at;
  Sizes sizes = {
    .samples = (guint64) settings->block * es_recording_get_n_channels (recording)
               * esk_type_size (es_recording_get_type_code (recording)),
    .results = _es_beamformer_measure_results (settings, n, &band_at, &health_at),
    .is_fed = !on_cpu && _es_frame_feed_suits (recording),
    .fits = spectra > 0,
  };

  sizes.fixed = spectra + sizes.results + (guint64) settings->n_ranges * settings->n_angles * DIRECTION_BYTES
                + (guint64) n * ELEMENT_BYTES;
  /* Beams are formed of a copy of the spectra in another order. */
  sizes.scratch = on_cpu ? spectra : 0;
  if (settings->adaptive.on)
    measure_adaptive (settings, n, on_cpu, &sizes);
  if (!on_cpu)
    sizes.scratch += 2 * MIN (transforms, SCRATCH_BYTES) + MIN (16 * sizes.results, SCRATCH_BYTES)
                    + MIN ((guint64) settings->n_ranges * settings->n_angles * n * PHASE_BYTES, TABLE_BYTES);
  return sizes;
}

static guint
wanted_slots (const Sizes *sizes)
{
  return sizes->samples > LARGE_BLOCK ? 2 : MOST_SLOTS;
}

/* The memory of the host for so many blocks on their way. */
static guint64
host_memory (const Sizes *sizes, EsRecording *recording, const EsBeamSettings *settings, guint n_blocks,
             const EsUploadChoice *choice)
{
  const guint64 samples = sizes->is_fed ? _es_frame_feed_bytes (recording, settings->block, n_blocks, choice)
                                        : n_blocks * sizes->samples;

  return samples + n_blocks * sizes->results;
}

guint64
_es_beamformer_measure_recording (EsRecording *recording)
{
  if (es_recording_is_growing (recording))
    return 0;
  return es_recording_get_frames (recording) * es_recording_get_n_channels (recording)
         * esk_type_size (es_recording_get_type_code (recording));
}

guint
_es_beamformer_count_members (EsDevice *device, const EsBeamSettings *settings)
{
  return es_adaptive_settings_get_memory (settings) > 0 ? 1 : es_device_get_n_members (device);
}

void
es_beamformer_estimate (EsRecording *recording, EsArray *array, const EsBeamSettings *settings, EsDevice *device,
                        guint64 *memory, guint64 *device_memory, double *flops)
{
  const guint members = _es_beamformer_count_members (device, settings);
  const gboolean on_cpu = es_device_is_cpu (device);
  const Sizes sizes = measure (recording, array, settings, on_cpu);
  const gboolean has_far = es_beam_settings_find_far (settings) < settings->n_ranges;
  const double near_beams = (double) (settings->n_ranges - has_far) * settings->n_angles * settings->cbf_bins;
  const double far_beams = has_far ? (double) settings->n_angles * settings->n_bins : 0;
  const guint n_alive = es_array_get_n_alive (array);
  const double elements = (double) n_alive * settings->snapshots;
  const guint64 one = sizes.fixed + sizes.scratch;

  const EsUploadChoice choice = es_upload_choose (device, members, _es_beamformer_measure_recording (recording), NULL);
  *memory = host_memory (&sizes, recording, settings, wanted_slots (&sizes) * members, &choice) + (on_cpu ? one : 0);
  *device_memory = on_cpu ? 0 : members * (one + wanted_slots (&sizes) * sizes.samples);
  /* A complex multiplication and addition is 8. */
  if (settings->adaptive.on)
    *flops = es_adaptive_settings_get_flops (settings, es_beam_settings_get_method (settings, n_alive), n_alive);
  else
    *flops = 0;
  *flops += elements * 2.5 * settings->length * log2 (settings->length) + elements * 8 * (near_beams + far_beams);
}

char *
_es_beamformer_foresee_memory (EsBeamformer *self, EsAdaptiveMethod method)
{
  EsBeamSettings settings = *self->settings;
  Sizes sizes;
  guint64 allowed;

  settings.adaptive.method = method;
  sizes = measure (self->recording, self->array, &settings, self->on_cpu);
  /* On a card there is already what was allowed; what a method adds is its scratch. */
  allowed = self->on_cpu ? es_limits_get_host_memory (NULL, BLOCKS_SHARE)
            : es_device_get_room (self->device, NULL) + sizes.fixed;
  if (sizes.fixed + sizes.scratch <= allowed)
    return NULL;

  g_autofree char *needed_text = g_format_size (sizes.fixed + sizes.scratch), *allowed_text = g_format_size (allowed);
  return g_strdup_printf (_("It would take %s of memory, of which %s may be used."), needed_text, allowed_text);
}

static gboolean
refuse (const char *whom, guint64 needed, guint64 allowed, GError **error)
{
  g_autofree char *needed_text = g_format_size (needed), *allowed_text = g_format_size (allowed);

  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
               _("A block of this recording and its beams take %s of memory on %s, of which %s may be used; choose a "
                 "shorter block or fewer beams."), needed_text, whom, allowed_text);
  return FALSE;
}

gboolean
_es_beamformer_choose_slots (EsBeamformer *self, const EsLimits *limits, const EsUploadChoice *choice, guint *n_slots,
                             GError **error)
{
  const Sizes sizes = measure (self->recording, self->array, self->settings, self->on_cpu);
  const guint64 one = sizes.fixed + (self->on_cpu ? sizes.scratch : 0);
  const guint64 memory = es_limits_get_host_memory (limits, BLOCKS_SHARE);
  guint64 needed;
  guint n = wanted_slots (&sizes) + 1;

  if (!sizes.fits)
    return refuse (es_device_get_name (self->device), G_MAXUINT64, memory, error);
  do
    needed = host_memory (&sizes, self->recording, self->settings, --n * self->n_members, choice)
             + (self->on_cpu ? one : 0);
  while (n > 1 && needed > memory);
  if (needed > memory)
    return refuse (es_device_get_name (es_device_get_cpu ()), needed, memory, error);
  if (!self->on_cpu)
    {
      const guint64 room = es_device_get_room (self->device, limits);

      while (n > 1 && one + n * sizes.samples > room)
        n--;
      if (one + n * sizes.samples > room)
        return refuse (es_device_get_name (self->device), one + n * sizes.samples, room, error);
    }
  *n_slots = n;
  return TRUE;
}
