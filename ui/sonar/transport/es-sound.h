/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Sound that somebody else makes, mono, block by block, sent to the loudspeakers by GStreamer. Quiet beams are made
 * loud enough to hear, loud ones are kept from clipping. The environment variable ES_SOUND_SINK replaces the sink
 * ("fakesink sync=true": for tests).
 *
 * Signal "failed" (const char *sentence), in the main context: there is no sound any more.
 */
#define ES_TYPE_SOUND (es_sound_get_type ())
G_DECLARE_FINAL_TYPE (EsSound, es_sound, ES, SOUND, GObject)

/* Whether this build and this machine have what it takes; why (nullable): a translated sentence where not, transfer
 * full. Main context. */
gboolean  es_sound_is_possible   (char **why);
/* rate: samples a second at which they are to be heard. ES_DATA_ERROR_UNSUPPORTED: as above, or no sink opens. */
EsSound  *es_sound_new           (double rate, GError **error);
/* Any thread; copies, never blocks. What is more than two seconds ahead is dropped, the oldest first. */
void      es_sound_push          (EsSound *self, const float *samples, guint n);
/* Forgets what waits: another place or bearing is heard from now on. Any thread. */
void      es_sound_flush         (EsSound *self);
/* Samples that the sink has taken from what was pushed. Any thread. */
guint64   es_sound_get_played    (EsSound *self);

G_END_DECLS
