/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ladder-climb.h"
#include "job/es-job.h"
#include "lab/es-machine.h"

G_BEGIN_DECLS

/* What is asked of a climb. */
typedef struct
{
  EsLadderSize size;
  guint        repeats;        /* 0: as many as usual */
  double       seconds;        /* of a rung, at most; 0: as usual */
  char       **rungs;          /* the ids wanted; NULL or empty: all */
  char       **off;            /* strategies: what applies one of them is left out; nullable */
  gboolean     sweep;          /* the threads of a block, too, where the ladder leaves them open */
} EsLadderRequest;

/* An empty one, of a machine. Transfer full. */
EsLadderClimb *es_ladder_climb_new      (const EsLadder *ladder, const char *backend, const char *machine);
/* How many stages, each of weight 1, es_ladder_climb_run () will have; 0: the module cannot be used. */
guint          es_ladder_climb_count_stages (const EsLadder *ladder, EsMachine *machine,
                                         const EsLadderRequest *request);
/* Opens the machine's module, prepares and measures; the job's stages are the rungs. A rung that fails is refused by
 * what the device said. ES_COMPUTE_ERROR_DEVICE, _MEMORY, _PARAMETER: a rung that there is not; cancelled. */
gboolean       es_ladder_climb_run      (EsLadderClimb *self, EsMachine *machine, EsJob *job,
                                         const EsLadderRequest *request, GError **error);
void           es_ladder_climb_add_roof (EsLadderClimb *self, const char *type, gboolean matrix, double rate);
/* What is worked out of the numbers. Once all are there. */
void           es_ladder_climb_settle   (EsLadderClimb *self);
/* "ladder" of a result's values. Transfer full. */
JsonObject    *es_ladder_climb_to_json  (const EsLadderClimb *self);
EsLadderClimb *es_ladder_climb_from_json (JsonObject *object, GError **error);
/* Seconds that were published of a rung; *published: where (static). FALSE: nothing was. row: "D2". */
gboolean       es_ladder_find_published (const EsLadder *ladder, const char *backend, const char *row, const char *rung,
                                         double *seconds, const EsPublished **published);
/* How many times as fast as the one below it was: of that row where both were published of it, else of another one,
 * whose name *of is (static). */
gboolean       es_ladder_find_published_gain (const EsLadder *ladder, const char *backend, const char *row,
                                         const char *rung, const char *below, double *gain, const char **of);
/* Of a processor or a card the same seconds with so many threads. */
gboolean       es_ladder_find_published_threads (const EsLadder *ladder, const char *row, guint threads,
                                         double *seconds);
/* "float32" by the kernels' number; "": there is no such type. */
const char    *es_ladder_type_name      (guint type);

G_END_DECLS
