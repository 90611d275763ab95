/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Counts what the first process tells all others: preloaded, it takes the place of the collectives of MPI, which it
 * calls by their other names. At the end it writes $ES_COUNT_MESSAGES: {"collectives", "bytes", "large",
 * "large_bytes"}, large being those of 1 KiB and more; without that a line of how many there were of each kind:
 * "messages: 12 sums, 3 broadcasts, 40 gathers". Bytes are those that a process ends with. */

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define LARGE 1024

static struct
{
  unsigned long long n, bytes, large, large_bytes;
} seen;
static int sums, broadcasts, gathers;

static void
count (long long n, MPI_Datatype type)
{
  int size = 0;

  PMPI_Type_size (type, &size);
  seen.n++;
  seen.bytes += (unsigned long long) (n * size);
  if (n * size < LARGE)
    return;
  seen.large++;
  seen.large_bytes += (unsigned long long) (n * size);
}

static long long
add_up (const int *counts, MPI_Comm comm)
{
  long long n = 0;
  int size = 0;

  PMPI_Comm_size (comm, &size);
  for (int i = 0; i < size; i++)
    n += counts[i];
  return n;
}

int
MPI_Iallreduce (const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  sums++;
  count (n, type);
  return PMPI_Iallreduce (from, to, n, type, op, comm, request);
}

int
MPI_Ibcast (void *values, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
  broadcasts++;
  count (n, type);
  return PMPI_Ibcast (values, n, type, root, comm, request);
}

int
MPI_Iallgatherv (const void *from, int n, MPI_Datatype type, void *to, const int *counts, const int *places,
                 MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request)
{
  gathers++;
  count (add_up (counts, comm), to_type);
  return PMPI_Iallgatherv (from, n, type, to, counts, places, to_type, comm, request);
}

int
MPI_Igatherv (const void *from, int n, MPI_Datatype type, void *to, const int *counts, const int *places,
              MPI_Datatype to_type, int root, MPI_Comm comm, MPI_Request *request)
{
  gathers++;
  count (add_up (counts, comm), to_type);
  return PMPI_Igatherv (from, n, type, to, counts, places, to_type, root, comm, request);
}

int
MPI_Ialltoallv (const void *from, const int *counts, const int *places, MPI_Datatype type, void *to,
                const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request)
{
  count (add_up (to_counts, comm), to_type);
  return PMPI_Ialltoallv (from, counts, places, type, to, to_counts, to_places, to_type, comm, request);
}

int
MPI_Finalize (void)
{
  const char *name = getenv ("ES_COUNT_MESSAGES");
  int rank = 0;
  FILE *file;

  PMPI_Comm_rank (MPI_COMM_WORLD, &rank);
  file = rank == 0 && name != NULL ? fopen (name, "w") : NULL;
  if (file != NULL)
    {
      fprintf (file, "{\"collectives\": %llu, \"bytes\": %llu, \"large\": %llu, \"large_bytes\": %llu}\n", seen.n,
               seen.bytes, seen.large, seen.large_bytes);
      fclose (file);
    }
  else if (rank == 0)
    fprintf (stderr, "messages: %d sums, %d broadcasts, %d gathers\n", sums, broadcasts, gathers);
  return PMPI_Finalize ();
}
