/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Loaded before a program of several processes (LD_PRELOAD): how many calls of each kind its first process has made of
 * MPI, printed at the end: "messages: 12 sums, 3 broadcasts, 40 gathers". */

#include <mpi.h>
#include <stdio.h>

static int sums, broadcasts, gathers;

int
MPI_Iallreduce (const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
  sums++;
  return PMPI_Iallreduce (in, out, n, type, op, comm, request);
}

int
MPI_Ibcast (void *bytes, int n, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request)
{
  broadcasts++;
  return PMPI_Ibcast (bytes, n, type, root, comm, request);
}

int
MPI_Iallgatherv (const void *in, int n, MPI_Datatype in_type, void *out, const int lengths[], const int places[],
                 MPI_Datatype type, MPI_Comm comm, MPI_Request *request)
{
  gathers++;
  return PMPI_Iallgatherv (in, n, in_type, out, lengths, places, type, comm, request);
}

int
MPI_Finalize (void)
{
  int rank = -1;

  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf (stderr, "messages: %d sums, %d broadcasts, %d gathers\n", sums, broadcasts, gathers);
  return PMPI_Finalize ();
}
