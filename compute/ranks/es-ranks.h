/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * The processes that compute one thing together, where a launcher has started several (mpirun, srun): the one place
 * that knows of them. Each has a rank, from 0 on. A program that was started alone is one process of rank 0, and
 * nothing here does or costs anything.
 *
 * What several processes do together they all call, in the same order. A call that fails in one of them fails in all,
 * with the same error, which nobody may swallow: whoever fails between two calls says so by es_ranks_agree (), or
 * es_ranks_fail () where it leaves altogether, and the others learn it from whatever they call next.
 */

/* By the environment, before anything is started: whether a launcher has started this process, as which rank of how
 * many (0: it does not say). */
gboolean es_ranks_are_launched     (guint *rank, guint *size);
/* Joins the others; once. Loads the module that knows MPI ($ES_MPI_MODULE: another one, or "none"). Nothing where there
 * is one process. ES_COMPUTE_ERROR_DEVICE: there are several, and they cannot be joined, or the clocks of their hosts
 * are more than five seconds apart ($ES_RANKS_CLOCK: another number; 0: any). */
gboolean es_ranks_start            (GError **error);
/* Takes leave of the others, which do so as well. Nothing may be called after it. */
void     es_ranks_end              (void);

guint    es_ranks_get_rank         (void);
guint    es_ranks_get_size         (void);
/* Of the processes of this host. */
guint    es_ranks_get_host_rank    (void);
guint    es_ranks_get_host_size    (void);
guint    es_ranks_get_n_hosts      (void);
/* Where a process runs; valid to the end. NULL: there is one process, and nobody asked. */
const char *es_ranks_get_host      (guint rank);
/* What is computed by one process though there are several: until it is taken back, this one counts as alone. */
void     es_ranks_set_alone        (gboolean alone);

/* TRUE where ok holds in every process. Otherwise FALSE, with the error of the first that has one, which names process
 * and host where not all have the same. With ok FALSE *error is set, and is replaced. */
gboolean es_ranks_agree            (gboolean ok, GError **error);
/* The last word of a process that leaves: the error becomes that of all. Nothing where it is that already. */
void     es_ranks_fail             (GError **error);
/* Where a process has not been heard of any more: whether this one says so though it may not be the first, which is
 * gone or speaks itself: the others wait in here to be ended by it, and speak if nobody does. */
gboolean es_ranks_speaks_instead  (void);
/* FALSE where a text is not the same in all processes: what (translated, at the beginning of a sentence: "The input")
 * differs, between which processes. ES_DATA_ERROR_UNSUPPORTED. */
gboolean es_ranks_compare          (const char *what, const char *text, GError **error);

/* What all of them do where each could: *may becomes whether it is so in all. */
gboolean es_ranks_have_all         (gboolean *may, GError **error);
/* How far this process is, 0..1, for process 0; and there, how far the others have said they are: the one that is least
 * advanced, and which it is. FALSE: there is one process, or it is not told here. Any thread. */
void     es_ranks_tell_progress    (double fraction);
gboolean es_ranks_get_least_progress (double *fraction, guint *rank);

/* How fast each process is against the others, one number a process, the same array in all of them: shares are made by
 * it from now on. 0: it has no part. NULL, or nothing above 0: all are equal. */
void     es_ranks_set_weights      (const double *weights);
/* The share of all that is a process's by its weight, 0..1. */
double   es_ranks_get_weight       (guint rank);
/* One number of each process for all: of n = es_ranks_get_size () numbers, own is put at this one's place. */
gboolean es_ranks_tell_numbers     (double own, double *all, GError **error);

/* What process 0 has come to, for all; and any bytes of it. */
gboolean es_ranks_tell             (gpointer bytes, gsize n, GError **error);
gboolean es_ranks_tell_status      (int *status, GError **error);

/* Somebody wants an end (SIGINT): the others are told, and cancelled (es_ranks_on_cancel ()). Safe in a handler of
 * signals. soon: whoever ends this process does not wait for long (SIGTERM), and nobody is waited for. */
void     es_ranks_cancel           (gboolean soon);
/* Called by a thread of its own when another process was cancelled, or has not been heard of any more. */
void     es_ranks_on_cancel        (void (*cancel) (gpointer data), gpointer data);

/* Somebody wants an end that another run can go on from: the others are told, and nobody is cancelled. Safe in a
 * handler of signals; with one process, too. soon: whoever ends this process waits for as long as launchers and queues
 * do (SIGTERM), and the others are waited for a little less; a minute otherwise. */
void     es_ranks_pause            (gboolean soon);
gboolean es_ranks_is_paused        (void);
/* Called by a thread of its own when another process was paused. */
void     es_ranks_on_pause         (void (*pause) (gpointer data), gpointer data);

G_END_DECLS
