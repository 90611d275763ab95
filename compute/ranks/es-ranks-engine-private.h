/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * What the module promises that knows MPI (libeigenscope-mpi.so): messages between processes, none of which waits.
 * Plain C, so that a module that was built with another GLib would do. Functions answer 0, or -1 where the engine
 * says that it failed; explain () tells why.
 */

#define ES_RANKS_ABI 2
#define ES_RANKS_ENTRY "es_ranks_engine"
/* Bytes of a host's name, with its end. */
#define ES_RANKS_NAME 256

typedef enum
{
  ES_RANKS_SUM_INTEGERS,       /* int64 */
  ES_RANKS_SUM_WIDE,           /* int128 */
  ES_RANKS_SUM_DOUBLES,
  ES_RANKS_LEAST_INTEGERS,
  ES_RANKS_LEAST,              /* float64 */
  ES_RANKS_GREATEST,
  ES_RANKS_BROADCAST,          /* bytes of process 0 */
} EsRanksCall;

typedef struct
{
  int  rank, size;
  int  host_rank, host_size;
  int  threads;                /* any thread may call at any time; the module lets one in */
} EsRanksPlace;

typedef struct
{
  unsigned abi;
  int         (*start)   (EsRanksPlace *place);
  void        (*end)     (void);
  /* Ends all processes at once, this one too. */
  void        (*end_all)   (int status);
  const char *(*explain) (void);

  /* One call of all processes, in place, of n numbers or bytes. *request is handed to test () until that answers 1. */
  int         (*begin)   (EsRanksCall call, void *values, size_t n, void **request);
  int         (*test)    (void **request);
  /* Pieces of each process one after the other: lengths, which stays, has one a process. */
  int         (*gather)  (const void *piece, size_t n, void *all, const int *lengths, void **request);
  /* A piece of each process to each: those to process 0, 1, ... one after the other, and those that come in likewise;
   * lengths, which stay, have one a process. */
  int         (*exchange) (const void *out, const int *out_lengths, void *in, const int *in_lengths, void **request);
  /* The host of this process; ES_RANKS_NAME. */
  void        (*name)    (char *host);

  /* Small messages beside the calls: -1, or whether one came. They arrive or do not; nobody waits. */
  int         (*tell)    (int rank, int64_t word);
  int         (*hear)    (int *rank, int64_t *word);

  /* As gather, but the first process alone has all of them: all is NULL elsewhere. */
  int         (*collect) (const void *piece, size_t n, void *all, const int *lengths, void **request);
} EsRanksEngine;

typedef const EsRanksEngine *(*EsRanksEntry) (unsigned abi);
