/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-ranks.h"

G_BEGIN_DECLS

/* What all processes call with arrays of the same length. With one process all of them do nothing, and answer TRUE. */

/* The parts of n things that are this process's, [*first, *end), of all processes in order, together all of them: by
 * the weights of processes (es_ranks_set_weights ()), as equal as can be where they have none. Each has one at least
 * where there are enough, but of weight 0. */
void     es_ranks_share            (guint64 n, guint64 *first, guint64 *end);
/* The same of any process. */
void     es_ranks_share_of         (guint rank, guint64 n, guint64 *first, guint64 *end);

/* In place; of integers the same whoever adds. Of float64 the order is that of the engine: who wants the same bytes for
 * any number of processes gives each number to one of them, and zeros to the others. */
gboolean es_ranks_sum_integers     (gint64 *values, gsize n, GError **error);
gboolean es_ranks_sum_wide         (__int128 *values, gsize n, GError **error);
gboolean es_ranks_sum_doubles      (double *values, gsize n, GError **error);
gboolean es_ranks_least            (double *values, gsize n, GError **error);
gboolean es_ranks_greatest         (double *values, gsize n, GError **error);
/* Of process 0 to all. */
gboolean es_ranks_broadcast        (gpointer bytes, gsize n, GError **error);
/* A text of process 0 (NULL there: none). Transfer full of what it becomes. */
gboolean es_ranks_broadcast_text   (char **text, GError **error);
/* A text of each process, in order; transfer full. NULL: an error. With one process: its own. */
char   **es_ranks_gather           (const char *text, GError **error);
/* Bytes of each process, in order, one after the other in `all`: lengths has one a process, and is the same in all of
 * them. Less than 2 GB of all. */
gboolean es_ranks_gather_bytes     (gconstpointer piece, gpointer all, const int *lengths, GError **error);
/* Bytes of each process for each: `out` has those for process 0, 1, ... one after the other, `in` gets those of process
 * 0, 1, ... likewise. Lengths have one a process: what one sends the other expects. Less than 2 GB each way. */
gboolean es_ranks_exchange         (gconstpointer out, const int *out_lengths, gpointer in, const int *in_lengths,
                                    GError **error);
gboolean es_ranks_wait             (GError **error);
/* Something that all do without these calls has failed here, and the others may be in the midst of it: they are told.
 * Once; es_ranks_agree () tells why. */
void     es_ranks_call_off         (void);
/* Atomic: another number than 0 once it was called off, a process has not been heard of, or somebody wants an end. */
const int *es_ranks_get_ending     (void);

/*
 * n things in turn, each of so many bytes: the processes make `chunk` of them each at a time, and all take all of them,
 * in order. make fills out with things first ... first + n - 1; take is given the same. *error is set where they answer
 * FALSE.
 */
typedef gboolean (*EsRanksMake) (guint64 first, guint64 n, gpointer out, gpointer data, GError **error);
typedef gboolean (*EsRanksTake) (guint64 first, guint64 n, gconstpointer in, gpointer data, GError **error);
gboolean es_ranks_in_turn          (guint64 n, gsize bytes, guint chunk, EsRanksMake make, EsRanksTake take,
                                    gpointer data, GError **error);
/* The same of one round: each makes its share of them (es_ranks_share ()), which may be nothing. */
gboolean es_ranks_in_shares        (guint64 n, gsize bytes, EsRanksMake make, EsRanksTake take, gpointer data,
                                    GError **error);
/* The same where the first process alone takes them, in order: the others make the next meanwhile. */
gboolean es_ranks_collect          (guint64 n, gsize bytes, guint chunk, EsRanksMake make, EsRanksTake take,
                                    gpointer data, GError **error);
/* A chunk for n things of so many bytes each, of which a round has no more than round_bytes, all processes together (at
 * least one thing each): as few rounds as can be, and as equal. One process: 1. */
guint    es_ranks_choose_chunk     (guint64 n, gsize bytes, guint64 round_bytes);

/* What this process has waited for others, since the beginning. */
double   es_ranks_get_waited_ms    (void);

/*
 * Steps that are alike, one message each: what every process brings (numbers, of each process as many in every step, of
 * others another number perhaps) all have after it. Whether a process has failed rides along, so nothing else is told:
 * between begin and end whoever fails goes to es_ranks_steps_end (), and the others learn it in the step that they are
 * in, or at the end. Every process takes as many steps as all others. With one process a step is nothing.
 */
typedef struct _EsRanksSteps EsRanksSteps;
/* n: of this process. *error is set where NULL is returned, in all processes. */
EsRanksSteps *es_ranks_steps_begin (gsize n, GError **error);
/* n numbers to be filled in before each step. */
double       *es_ranks_steps_own   (EsRanksSteps *self);
/* After a step, to the next: what a process brought to it, and how many numbers that is. */
const double *es_ranks_steps_of    (EsRanksSteps *self, guint rank, gsize *n);
gboolean      es_ranks_steps_next  (EsRanksSteps *self, GError **error);
/* After the last step: one more message, which tells what own has as well, and whether all are here. ok: FALSE where
 * this process has failed, with its *error, or where it has been told that another one has. */
gboolean      es_ranks_steps_end   (EsRanksSteps *self, gboolean ok, GError **error);
void          es_ranks_steps_free  (EsRanksSteps *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRanksSteps, es_ranks_steps_free)

/* What is under way while something else is computed: begun and finished by all in the same order, one at a time. The
 * values are left alone in between. */
typedef struct _EsRanksSum EsRanksSum;
EsRanksSum *es_ranks_sum_begin     (double *values, gsize n, GError **error);
gboolean es_ranks_sum_finish       (EsRanksSum *self, GError **error);

G_END_DECLS
