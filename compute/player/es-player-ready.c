/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The player's worker made ready: a beamformer of the parameters there are, on the device that is wanted or fits. */

#include "es-player-worker-private.h"

#include <glib/gi18n-lib.h>

#include "job/es-device-choose.h"
#include "job/es-device-fallback-internal.h"

void
_es_player_worker_drop (EsPlayerWorker *self)
{
  g_clear_pointer (&self->beamformer, es_beamformer_free);
  g_clear_pointer (&self->sound, es_beam_sound_free);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->calibration, es_calibration_unref);
  g_clear_pointer (&self->settings, es_beam_settings_free);
  g_clear_pointer (&self->samples, g_free);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
}

/* The operation knows what its beams cost. */
static EsDevice *
choose_device (EsPlayerWorker *self, const EsOperation *operation, EsParams *params, EsDevice *wanted)
{
  g_autofree char *reason = NULL;

  return wanted != NULL ? wanted
                        : es_device_choose (operation, ES_DATASET (self->link->recording), params, NULL, &reason);
}

/* Whether the CPU is to play instead of a card that is full or does not work; then that will be told. What plays can
 * neither ask nor begin anew with less memory. */
gboolean
_es_player_worker_falls_back (EsPlayerWorker *self, EsDevice *device, const GError *error)
{
  if (es_device_fall_back (device, error, ES_FALLBACK_FOR_ANYTHING, NULL) != ES_FALLBACK_CPU)
    return FALSE;
  g_free (self->notice);
  self->notice = g_strdup_printf (_("The CPU computes instead. %s"), error->message);
  return TRUE;
}

static EsBeamformer *
make_beamformer (EsPlayerWorker *self, EsBeamSettings *settings, EsDevice **device, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  EsBeamformer *beamformer = es_beamformer_new_calibrated (self->link->recording, self->array, settings,
                                                           self->calibration, *device, NULL, &local_error);

  if (beamformer == NULL && _es_player_worker_falls_back (self, *device, local_error))
    {
      *device = es_device_get_cpu ();
      beamformer = es_beamformer_new_calibrated (self->link->recording, self->array, settings, self->calibration,
                                                 *device, NULL, error);
    }
  else if (beamformer == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (beamformer != NULL)
    es_beamformer_set_give_up (beamformer, &self->link->give_up);
  return beamformer;
}

/* With the lock held: the record is of these beams from now on. */
static void
begin_record (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  g_autoptr (EsBeamForm) form = es_beam_form_new_calibrated (self->settings, self->array, self->calibration);

  es_player_link_set_form (link, form);
  self->archive = es_beam_archive_ref (link->archive);
  self->generation = link->generation;
}

/* Takes settings and array over; NULL: there are none, because of the error. */
void
_es_player_worker_prepare (EsPlayerWorker *self, const EsOperation *operation, EsParams *params,
                           EsBeamSettings *settings, EsArray *array, EsDevice *wanted, gboolean on_cpu,
                           double bearing, double frequency, GError *settings_error)
{
  EsPlayerLink *link = self->link;
  g_autoptr (GError) error = settings_error;
  EsDevice *device = NULL;

  _es_player_worker_drop (self);
  self->array = array;
  self->calibration = es_recording_dup_calibration (link->recording);
  self->settings = settings;
  self->wanted = wanted;
  if (settings != NULL)
    {
      device = on_cpu ? es_device_get_cpu () : choose_device (self, operation, params, wanted);
      self->beamformer = make_beamformer (self, settings, &device, &error);
    }
  if (self->beamformer != NULL)
    {
      self->block = settings->block;
      self->n_factor = self->punctual = 0;
      es_beamformer_set_probe (self->beamformer, bearing, frequency);
    }

  g_mutex_lock (&link->lock);
  g_free (link->failure);
  link->failure = error != NULL ? g_strdup (error->message) : g_steal_pointer (&self->notice);
  link->device = self->beamformer != NULL ? device : NULL;
  if (self->beamformer != NULL)
    link->factor = 0;
  link->lagging = FALSE;
  if (self->beamformer != NULL)
    begin_record (self);
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
}
