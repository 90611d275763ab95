/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-plan.h"

#include <math.h>

#include "job/es-job-internal.h"

/* Of a node's memory what the system's cache keeps of files, and of a card's what samples may take. */
#define CACHE_SHARE 0.5
#define CARD_SHARE 0.8
/* Of copies what reading from the system's cache, and writing to files, reaches. */
#define READ_REACH 0.22
#define WRITE_REACH 0.08
/* A message between processes of one node. */
#define LOCAL_LATENCY 1e-6
#define LOCAL_SHARE 0.25       /* of its memory's bandwidth: read and written on both sides */
#define AGREEMENT 8.0          /* bytes */
#define HALF 0.5

/* ---- messages ---- */

static double
by_doubling (double n, double latency, double rate, double bytes)
{
  return ceil (log2 (n)) * (latency + bytes / rate);
}

static double
sum_seconds (double n, double latency, double rate, double bytes)
{
  if (n <= 1)
    return 0;
  return fmin (by_doubling (n, latency, rate, bytes),
               2 * ceil (log2 (n)) * latency + 2 * bytes * (n - 1) / (n * rate));
}

static double
broadcast_seconds (double n, double latency, double rate, double bytes)
{
  if (n <= 1)
    return 0;
  return fmin (by_doubling (n, latency, rate, bytes),
               (ceil (log2 (n)) + n - 1) * latency + 2 * bytes * (n - 1) / (n * rate));
}

double
es_cluster_sum_seconds (const EsCluster *cluster, guint nodes, double bytes)
{
  return sum_seconds (nodes, cluster->latency, cluster->bandwidth, bytes)
         + sum_seconds (cluster->processes, LOCAL_LATENCY, LOCAL_SHARE * cluster->host.memory, bytes);
}

double
es_cluster_broadcast_seconds (const EsCluster *cluster, guint nodes, double bytes)
{
  return broadcast_seconds (nodes, cluster->latency, cluster->bandwidth, bytes)
         + broadcast_seconds (cluster->processes, LOCAL_LATENCY, LOCAL_SHARE * cluster->host.memory, bytes);
}

static double
gather_seconds (double n, double latency, double rate, double bytes)
{
  return n > 1 ? ceil (log2 (n)) * latency + bytes * (n - 1) / (n * rate) : 0;
}

double
es_cluster_gather_seconds (const EsCluster *cluster, guint nodes, double bytes)
{
  return gather_seconds (nodes, cluster->latency, cluster->bandwidth, bytes)
         + gather_seconds (cluster->processes, LOCAL_LATENCY, LOCAL_SHARE * cluster->host.memory, bytes);
}

/* ---- one pass ---- */

/* Who computes, and how large its share is. */
typedef struct
{
  const EsCluster *cluster;
  double nodes, processes;     /* processes: of all nodes */
  double share;                /* of the slowest process */
} Share;

/* Of `pieces` what the busiest process goes through, in so many rounds: processes take turns of a few pieces where each
 * round is gathered, and go through some pieces before each of them. */
static double
count_pieces (const EsClusterStep *step, double processes, gboolean even, double *rounds)
{
  const double pieces = (double) MAX (step->pieces, 1);
  double turn;

  *rounds = 1;
  if (processes <= 1)
    return pieces;
  if (step->turn == 0)
    return fmin ((even ? pieces / processes : ceil (pieces / processes)) + step->warm, pieces);
  turn = fmin ((double) step->turn, floor (pieces / processes));
  if (step->gathered_bytes > 0)
    turn = fmin (turn, floor (ES_CLUSTER_ROUND_BYTES * pieces / (processes * step->gathered_bytes)));
  turn = fmax (turn, 1);
  *rounds = ceil (pieces / (turn * processes));
  if (even)
    return fmin (pieces / processes + *rounds * step->warm, pieces);
  /* The first has a whole turn in the last round, too, where there are as many left. */
  return fmin ((*rounds - 1) * turn + fmin (turn, pieces - (*rounds - 1) * turn * processes)
               + *rounds * step->warm, pieces);
}

static Share
find_share (const EsCluster *cluster, guint nodes, const EsClusterStep *step, gboolean even)
{
  const double processes = (double) nodes * cluster->processes, pieces = (double) MAX (step->pieces, 1);
  double rounds;

  return (Share) { cluster, nodes, processes,
                   step->serial ? 1 : count_pieces (step, processes, even, &rounds) / pieces };
}

static double
divide (double amount, double rate)
{
  return amount > 0 && rate > 0 ? amount / rate : 0;
}

static gboolean
is_of_card (const EsCluster *cluster, const EsClusterStep *step)
{
  return cluster->cards > 0 && step->reach_card > 0;
}

/* Of a process: its share of a node's processor. */
static double
threads_of (const Share *share, const EsClusterStep *step)
{
  const double all = (double) share->cluster->threads / share->cluster->processes;

  return step->threads > 0 ? fmin (step->threads, all) : all;
}

static gboolean
fits (const Share *share, const EsClusterStep *step)
{
  const EsCluster *cluster = share->cluster;
  const double mine = step->file_bytes * share->share;

  if (is_of_card (cluster, step) && mine <= CARD_SHARE * cluster->card_memory)
    return TRUE;
  return mine * cluster->processes <= CACHE_SHARE * cluster->memory;
}

/* All nodes together, or one with its share: whichever takes longer. */
static double
disk_seconds (const Share *share, double bytes, double all, double one)
{
  if (!share->cluster->has_disk)
    return 0;
  return fmax (divide (bytes, all), divide (bytes * fmin (share->share * share->cluster->processes, 1), one));
}

static void
need_disk (const Share *share, const EsClusterStep *step, double *needs)
{
  const EsCluster *cluster = share->cluster;

  if (step->file_bytes > 0 && !(step->again && fits (share, step)))
    needs[ES_CLUSTER_READ] = disk_seconds (share, step->file_bytes, cluster->read, cluster->node_read);
  needs[ES_CLUSTER_WRITE] = disk_seconds (share, step->written_bytes, cluster->write, cluster->node_write);
}

/* By the speeds of its kinds of work; FALSE: nobody has measured one of them. */
static gboolean
find_measured (const EsClusterRates *host, const EsClusterStep *step, double *seconds)
{
  *seconds = 0;
  for (guint i = 0; i < ES_CLUSTER_PARTS && step->parts[i].kind != ES_CLUSTER_NO_KIND; i++)
    {
      const EsClusterPart *part = &step->parts[i];
      const EsClusterSpeed *speed = &host->speeds[part->kind];

      if (!es_cluster_speed_is_known (speed))
        return FALSE;
      *seconds += divide (part->operations, speed->operations) + divide (part->samples, speed->samples)
                  + divide (part->values, speed->values);
    }
  return step->parts[0].kind != ES_CLUSTER_NO_KIND;
}

/* Of a node's threads all together. */
static double
read_seconds (const EsClusterRates *host, const EsClusterStep *step)
{
  const EsClusterSpeed *speed = &host->speeds[ES_CLUSTER_READING];

  if (!es_cluster_speed_is_known (speed))
    return divide (step->file_bytes, host->copy * READ_REACH);
  return divide (step->file_bytes, speed->values) + divide (step->looked, speed->samples);
}

static double
write_seconds (const EsClusterRates *host, const EsClusterStep *step)
{
  const EsClusterSpeed *speed = &host->speeds[ES_CLUSTER_WRITING];

  return divide (step->written_bytes, es_cluster_speed_is_known (speed) ? speed->values : host->copy * WRITE_REACH);
}

static void
need_processor (const Share *share, const EsClusterStep *step, double *needs)
{
  const EsCluster *cluster = share->cluster;
  const double threads = threads_of (share, step), part = threads / cluster->threads;
  double seconds;

  if (!find_measured (&cluster->host, step, &seconds))
    seconds = divide (step->operations, cluster->host.operations[step->type] * step->reach_cpu);
  needs[ES_CLUSTER_ARITHMETIC] += seconds * share->share / part;
  needs[ES_CLUSTER_MEMORY] += divide (step->memory_bytes * share->share, cluster->host.memory / cluster->processes);
  needs[ES_CLUSTER_COPY] += (read_seconds (&cluster->host, step) + write_seconds (&cluster->host, step))
                            * share->share / part;
}

static void
need_card (const Share *share, const EsClusterStep *step, double *needs)
{
  const EsCluster *cluster = share->cluster;
  const gboolean there = step->again && step->file_bytes * share->share <= CARD_SHARE * cluster->card_memory;
  const double part = 1.0 / cluster->processes;

  needs[ES_CLUSTER_ARITHMETIC] += divide (step->operations * share->share,
                                          cluster->card.operations[step->type] * step->reach_card);
  needs[ES_CLUSTER_MEMORY] += divide (step->memory_bytes * share->share, cluster->card.memory * step->reach_card);
  needs[ES_CLUSTER_LAUNCHES] += divide (step->launches * (step->pieces > ES_PASS_GROUPS ? share->share : 1),
                                        cluster->card.launches);
  needs[ES_CLUSTER_LINK] += (there ? 0 : divide (step->file_bytes * share->share, cluster->card.link_to))
                            + divide (step->link_back * share->share, cluster->card.link_from);
  needs[ES_CLUSTER_COPY] += ((there ? 0 : read_seconds (&cluster->host, step)) + write_seconds (&cluster->host, step))
                            * share->share / part;
}

/* ---- what overlaps, and what does not ---- */

static void
add (EsClusterTime *time, EsClusterCause cause, double seconds)
{
  time->of[cause] += seconds;
  time->seconds += seconds;
}

static void
add_disk (EsClusterTime *time, const double *needs)
{
  add (time, ES_CLUSTER_READ, needs[ES_CLUSTER_READ]);
  add (time, ES_CLUSTER_WRITE, needs[ES_CLUSTER_WRITE]);
}

/* Of a card everything goes on at once; of a processor copies are work of the same threads as arithmetic is. */
static void
add_computing (EsClusterTime *time, const double *needs, gboolean card)
{
  EsClusterCause most = needs[ES_CLUSTER_MEMORY] > needs[ES_CLUSTER_ARITHMETIC] ? ES_CLUSTER_MEMORY
                                                                                : ES_CLUSTER_ARITHMETIC;

  for (EsClusterCause c = ES_CLUSTER_ARITHMETIC; card && c <= ES_CLUSTER_LAUNCHES; c++)
    most = needs[c] > needs[most] ? c : most;
  add (time, most, needs[most]);
  if (!card)
    add (time, ES_CLUSTER_COPY, needs[ES_CLUSTER_COPY]);
}

/* Reading and writing share a disk; a single thread waits for it. */
static EsClusterTime
settle (const Share *share, const EsClusterStep *step, const double *needs)
{
  const gboolean card = is_of_card (share->cluster, step);
  EsClusterTime disk = { 0 }, computing = { 0 };

  add_disk (&disk, needs);
  add_computing (&computing, needs, card);
  if (card || threads_of (share, step) > 1)
    return disk.seconds > computing.seconds ? disk : computing;
  for (EsClusterCause c = 0; c < ES_N_CLUSTER_CAUSES; c++)
    add (&computing, c, disk.of[c]);
  return computing;
}

/* A step that begins a pass, and those that are joined to it. */
static EsClusterTime
time_pass (const EsCluster *cluster, guint nodes, const EsClusterStep *steps, guint n, gboolean even)
{
  const Share first = find_share (cluster, nodes, &steps[0], even);
  double needs[ES_N_CLUSTER_CAUSES] = { 0 };

  need_disk (&first, &steps[0], needs);
  for (guint i = 0; i < n; i++)
    {
      const Share share = find_share (cluster, nodes, &steps[i], even);

      if (is_of_card (cluster, &steps[i]))
        need_card (&share, &steps[i], needs);
      else
        need_processor (&share, &steps[i], needs);
    }
  return settle (&first, &steps[0], needs);
}

static double
network_seconds (const EsCluster *cluster, guint nodes, const EsClusterStep *step)
{
  const double processes = (double) nodes * cluster->processes;
  double seconds, rounds;

  if (processes <= 1)
    return 0;
  seconds = step->sums * es_cluster_sum_seconds (cluster, nodes, step->sum_bytes)
            + step->broadcasts * es_cluster_broadcast_seconds (cluster, nodes, step->broadcast_bytes)
            + step->gathers * es_cluster_gather_seconds (cluster, nodes, step->gather_bytes);
  if (!step->joined && !step->serial)
    seconds += es_cluster_sum_seconds (cluster, nodes, AGREEMENT);
  if (step->gathered_bytes > 0)
    {
      count_pieces (step, processes, FALSE, &rounds);
      /* Each round: that all are there, what they have, and that all have taken it. */
      seconds += rounds * (2 * es_cluster_sum_seconds (cluster, nodes, AGREEMENT)
                           + es_cluster_gather_seconds (cluster, nodes, step->gathered_bytes / rounds));
    }
  return seconds;
}

/* ---- all steps ---- */

/* As it is spread over causes, so many seconds of it. */
static void
add_part (EsClusterTime *time, const EsClusterTime *of, double seconds, gboolean serial)
{
  for (EsClusterCause c = 0; of->seconds > 0 && c < ES_N_CLUSTER_CAUSES; c++)
    add (time, serial ? ES_CLUSTER_SERIAL : c, of->of[c] / of->seconds * seconds);
}

static void
add_pass (EsClusterTime *times, const EsCluster *cluster, guint nodes, const EsClusterStep *steps, guint n)
{
  const EsClusterTime even = time_pass (cluster, nodes, steps, n, TRUE);
  const EsClusterTime all = time_pass (cluster, nodes, steps, n, FALSE);
  double rest = even.seconds;

  /* What is joined has what it would take by itself; the first one what is left of all. */
  for (guint i = n; i-- > 1;)
    {
      const EsClusterTime own = time_pass (cluster, nodes, &steps[i], 1, TRUE);
      const double seconds = fmin (own.seconds, rest);

      add_part (&times[i], &own, seconds, FALSE);
      rest -= seconds;
    }
  add_part (&times[0], &even, rest, steps[0].serial);
  add (&times[0], ES_CLUSTER_PIECES, fmax (all.seconds - even.seconds, 0));
}

EsClusterTime
es_cluster_plan_time (const EsClusterWork *work, const EsCluster *cluster, guint nodes, EsClusterTime *steps)
{
  g_autofree EsClusterTime *own = g_new0 (EsClusterTime, MAX (work->n, 1));
  const double processes = (double) nodes * cluster->processes;
  EsClusterTime total = { 0 };

  for (guint i = 0, n; i < work->n; i += n)
    {
      for (n = 1; i + n < work->n && work->steps[i + n].joined; n++)
        ;
      add_pass (&own[i], cluster, nodes, &work->steps[i], n);
      for (guint j = i; j < i + n; j++)
        {
          add (&own[j], ES_CLUSTER_NETWORK, network_seconds (cluster, nodes, &work->steps[j]));
          if (processes > 1)
            add (&own[j], ES_CLUSTER_SERIAL, divide (work->steps[j].merged_bytes, cluster->host.memory
                                                                                  / cluster->threads));
        }
    }
  for (guint i = 0; i < work->n; i++)
    {
      for (guint c = 0; c < ES_N_CLUSTER_CAUSES; c++)
        add (&total, c, own[i].of[c]);
      if (steps != NULL)
        steps[i] = own[i];
    }
  add (&total, ES_CLUSTER_START, cluster->start + cluster->start_process * processes);
  return total;
}

/* ---- any number of nodes ---- */

double
es_cluster_plan_efficiency (const EsClusterPlan *self, guint nodes)
{
  const double seconds = self->times[nodes - 1].seconds;

  return seconds > 0 ? self->times[0].seconds / (nodes * seconds) : 1;
}

double
es_cluster_plan_node_hours (const EsClusterPlan *self, guint nodes)
{
  return nodes * self->times[nodes - 1].seconds / 3600;
}

double
es_cluster_plan_node_bytes (const EsClusterPlan *self, guint nodes, gboolean *kept)
{
  const EsCluster *cluster = self->cluster;
  double most = 0;

  *kept = TRUE;
  for (guint i = 0; i < self->work->n; i++)
    {
      const EsClusterStep *step = &self->work->steps[i];
      const Share share = find_share (cluster, nodes, step, FALSE);
      const double bytes = step->file_bytes * fmin (share.share * cluster->processes, 1);

      if (bytes <= most)
        continue;
      most = bytes;
      *kept = fits (&share, step);
    }
  return most;
}

EsClusterCause
es_cluster_time_get_cause (const EsClusterTime *time)
{
  EsClusterCause most = ES_CLUSTER_ARITHMETIC;

  for (EsClusterCause c = 0; c < ES_N_CLUSTER_CAUSES; c++)
    if (time->of[c] > time->of[most])
      most = c;
  return most;
}

/* Against what so many nodes would take if each cause went down with their number. */
static EsClusterCause
find_loss (const EsClusterPlan *self, guint nodes)
{
  const EsClusterTime *one = &self->times[0], *many = &self->times[nodes - 1];
  EsClusterCause most = ES_CLUSTER_ARITHMETIC;
  double loss = -INFINITY;

  for (EsClusterCause c = 0; c < ES_N_CLUSTER_CAUSES; c++)
    if (many->of[c] - one->of[c] / nodes > loss)
      {
        loss = many->of[c] - one->of[c] / nodes;
        most = c;
      }
  return most;
}

EsClusterPlan *
es_cluster_plan_new (EsClusterWork *work, const EsCluster *cluster)
{
  EsClusterPlan *self = g_new0 (EsClusterPlan, 1);

  self->work = work;
  self->cluster = cluster;
  self->times = g_new (EsClusterTime, ES_CLUSTER_MOST_NODES);
  for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
    self->times[nodes - 1] = es_cluster_plan_time (work, cluster, nodes, NULL);
  self->fastest = 1;
  for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes++)
    {
      if (es_cluster_plan_efficiency (self, nodes) >= HALF)
        self->useful = nodes;
      if (self->times[nodes - 1].seconds < self->times[self->fastest - 1].seconds * (1 - 1e-9))
        self->fastest = nodes;
    }
  self->why = find_loss (self, MIN (self->useful + 1, ES_CLUSTER_MOST_NODES));
  return self;
}

void
es_cluster_plan_free (EsClusterPlan *self)
{
  if (self == NULL)
    return;
  g_free (self->times);
  g_free (self);
}
