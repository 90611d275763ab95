/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-array-internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
esk_array_steering (size_t  elements,
                    double  cosine,
                    double *steering)
{
  for (size_t k = 0; k < elements; k++)
    {
      const double turns = ESK_ARRAY_TURNS * esk_array_place (k, elements) * cosine;
      const double phase = 2.0 * M_PI * (turns - rint (turns));

      steering[2 * k] = cos (phase);
      steering[2 * k + 1] = sin (phase);
    }
}

float *
esk_array_spectra (size_t elements,
                   size_t snapshots)
{
  const size_t bytes = esk_spectra_bytes (elements, 1, snapshots);
  float *spectra = bytes > 0 ? aligned_alloc (64, (bytes + 63) / 64 * 64) : NULL;

  if (spectra != NULL)
    memset (spectra, 0, bytes);
  return spectra;
}

/* ---- the hot spot ---- */

static EskAdaptive *
adaptive_new (EskLadder    *ladder,
              size_t        elements,
              size_t        n_foci,
              const double *cosines,
              int          *code)
{
  double *positions = calloc (elements, 3 * sizeof *positions);
  EskFocus *foci = calloc (n_foci, sizeof *foci);
  EskAdaptive *adaptive = NULL;

  *code = ESK_ERROR_MEMORY;
  if (positions != NULL && foci != NULL)
    {
      const EskAdaptivePlan plan = { .elements = elements, .positions = positions, .n_foci = n_foci, .foci = foci,
                                     .sound_speed = ESK_ARRAY_SPEED, .first_frequency = ESK_ARRAY_FREQUENCY,
                                     .bin_spacing = 1.0, .bins = 1, .columns = 0 };

      for (size_t k = 0; k < elements; k++)
        positions[3 * k] = ESK_ARRAY_SPACING * esk_array_place (k, elements);
      for (size_t f = 0; f < n_foci; f++)
        foci[f] = (EskFocus) { .x = cosines[f], .y = sqrt (fmax (0.0, 1.0 - cosines[f] * cosines[f])) };
      adaptive = ladder->production->adaptive->adaptive_new (ladder->stream, &plan, code);
    }
  free (positions);
  free (foci);
  return adaptive;
}

/* The spectra and the room for the outcome where the device's hot spots want them. */
static int
bring (EskLadder        *ladder,
       EskSpectra       *spectra,
       EskArrayProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t bytes = esk_spectra_bytes (spectra->elements, 1, spectra->snapshots);
  const size_t out_bytes = produced->n_foci * sizeof (float);

  if (device == NULL)
    {
      produced->powers = malloc (out_bytes);
      return produced->powers != NULL ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
    }
  produced->memory = device->memory_new ((int) ladder->index, bytes);
  produced->powers = device->memory_new ((int) ladder->index, out_bytes);
  if (produced->memory == NULL || produced->powers == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  ESK_LADDER_TRY (esk_ladder_produced (ladder, device->upload (ladder->stream, produced->memory, spectra->values,
                                                               bytes)));
  spectra->values = produced->memory;

  return ESK_LADDER_OK;
}

int
esk_array_produce_begin (EskLadder         *ladder,
                         size_t             elements,
                         size_t             snapshots,
                         const float       *values,
                         size_t             n_foci,
                         const double      *cosines,
                         EskAdaptiveMethod  method,
                         double             loading,
                         double            *eigenvalues,
                         EskArrayProduced  *produced,
                         EskRungResult     *result)
{
  EskSpectra spectra = { (float *) values, elements, esk_spectra_stride (elements), 1, snapshots };
  int code;

  memset (produced, 0, sizeof *produced);
  if (ladder->production == NULL || !ESK_HAS (ladder->production, adaptive, adaptive_new))
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->n_foci = n_foci;
  ESK_LADDER_TRY (bring (ladder, &spectra, produced));
  produced->adaptive = adaptive_new (ladder, elements, n_foci, cosines, &code);
  ESK_LADDER_TRY (esk_ladder_produced (ladder, code));
  produced->run = (EskAdaptiveRun) { .method = method, .loading = loading, .by_bin = produced->powers,
                                     .eigenvalues = eigenvalues, .n_eigenvalues = eigenvalues != NULL ? elements : 0,
                                     .cancelled = &ladder->cancelled };
  result->type = ESK_TYPE_LAB_FLOAT64;
  ESK_LADDER_TRY (esk_ladder_produced (ladder, ladder->production->adaptive->adaptive_add (ladder->stream,
                                                                                           produced->adaptive, &spectra,
                                                                                           0, 0.0, 1.0)));
  return esk_ladder_produced (ladder, esk_hotspots_wait (ladder->production, ladder->stream));
}

int
esk_array_produce_run (EskLadder        *ladder,
                       EskArrayProduced *produced)
{
  return esk_ladder_produced (ladder, ladder->production->adaptive->adaptive_power (ladder->stream, produced->adaptive,
                                                                                    &produced->run, &produced->report));
}

int
esk_array_produce_finish (EskLadder              *ladder,
                          const EskArrayProduced *produced,
                          float                  *powers)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t bytes = produced->n_foci * sizeof *powers;

  if (device == NULL)
    {
      memcpy (powers, produced->powers, bytes);
      return ESK_LADDER_OK;
    }
  ESK_LADDER_TRY (esk_ladder_produced (ladder, device->download (ladder->stream, powers, bytes, produced->powers, bytes,
                                                                 bytes, 1)));
  return esk_ladder_produced (ladder, device->wait (ladder->stream));
}

void
esk_array_produce_end (EskLadder        *ladder,
                       EskArrayProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production != NULL ? ladder->production->device : NULL;

  if (produced->adaptive != NULL)
    ladder->production->adaptive->adaptive_free (produced->adaptive);
  if (device != NULL)
    {
      device->memory_free ((int) ladder->index, produced->memory);
      device->memory_free ((int) ladder->index, produced->powers);
    }
  else
    free (produced->powers);
  memset (produced, 0, sizeof *produced);
}
