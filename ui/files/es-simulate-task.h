/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "progress/es-activity.h"
#include "simulate/es-simulate-recording.h"
#include "simulate/es-simulate.h"

G_BEGIN_DECLS

/* Of what size the simulated cube of the empty window is: quick to make, and good to look at. Transfer full. */
EsParams *es_simulate_default_params (void);

/* Makes a cube with these parameters in the user's cache, on a worker; one that is there already is taken as it is.
 * Finish tells where it is (transfer full). */
void   es_simulate_async  (EsParams *params, EsActivity *activity, GAsyncReadyCallback callback, gpointer user_data);
GFile *es_simulate_finish (GAsyncResult *result, GError **error);

/* The same for a recording: a line of hydrophones that hears a ship passing by, a source beside it and a hum far
 * away. */
EsParams *es_simulate_default_recording (void);

/* Scenes that are worth a look, the first the one above. id: "passing", "two-sources"; NULL: no more. title:
 * translated. */
typedef struct { const char *id, *title; } EsSimulateScene;
const EsSimulateScene *es_simulate_get_scenes (guint *n);
/* Transfer full; NULL: there is none of that id. */
EsParams *es_simulate_scene             (const char *id);
void   es_simulate_recording_async (EsParams *params, EsActivity *activity, GAsyncReadyCallback callback,
                                    gpointer user_data);

G_END_DECLS
