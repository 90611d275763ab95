/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* This machine as a cluster of one node. */

#include "es-cluster.h"

#include <glib/gi18n-lib.h>

#include "advice/es-roofs.h"
#include "base/es-error.h"
#include "device/es-device.h"

/* Messages of a byte there and back, and blocks one way: the best of them, as others want the processor as well. */
#define PINGS 400
#define BLOCK ((gsize) 1 << 20)
#define BLOCKS 32
#define REPEATS 3
#define SILENCE 10             /* seconds */

static const char *const sources[ES_N_ROOF_SOURCES] = {
  [ES_ROOF_MEASURED] = N_("measured by its laboratory"), [ES_ROOF_OF_KIND] = N_("of an installed profile of its name"),
  [ES_ROOF_QUICK] = N_("measured in passing"), [ES_ROOF_ASSUMED] = N_("assumed, as it has no profile"),
};

EsCluster *
es_cluster_new_here (guint processes, guint threads)
{
  EsDevice *cpu = es_device_get_cpu ();
  const guint all = MAX (es_device_get_lanes (cpu), 1);
  EsCluster *self = g_new0 (EsCluster, 1);
  EsRoofs roofs;

  self->nodes = 1;
  self->processes = MAX (processes, 1);
  self->threads = threads > 0 ? (guint) MIN ((guint64) self->processes * threads, all) : all;
  self->memory = (double) es_device_get_memory (cpu);
  self->processor = g_strdup (es_device_get_name (cpu));
  es_roofs_find (cpu, self->threads, &roofs);
  /* TRANSLATORS: the name of a cluster: the processor of this machine, and where its figures come from */
  self->name = g_strdup_printf (_("This machine: %s, figures %s"), self->processor,
                                _(sources[roofs.host_operations[ES_WORK_FLOAT32].source]));
  for (guint type = 0; type < ES_N_WORK_TYPES; type++)
    self->host.operations[type] = roofs.host_operations[type].rate;
  self->host.memory = roofs.host_memory.rate;
  self->host.copy = MIN (roofs.host_copy.rate, roofs.one_copy.rate * self->threads);
  self->bandwidth = self->host.memory / 2;
  return self;
}

/* ---- its loopback ---- */

/* The other end: tells back whatever byte it is told, then takes blocks and tells a byte for each lot of them. */
static gpointer
answer (gpointer data)
{
  g_autoptr (GSocket) listener = data, socket = g_socket_accept (listener, NULL, NULL);
  g_autofree char *buffer = g_malloc (BLOCK);

  if (socket == NULL)
    return NULL;
  g_socket_set_timeout (socket, SILENCE);
  for (guint i = 0; i < PINGS; i++)
    if (g_socket_receive (socket, buffer, 1, NULL, NULL) != 1 || g_socket_send (socket, buffer, 1, NULL, NULL) != 1)
      return NULL;
  for (guint i = 0; i < REPEATS; i++)
    {
      for (gsize left = BLOCKS * BLOCK; left > 0;)
        {
          const gssize n = g_socket_receive (socket, buffer, MIN (BLOCK, left), NULL, NULL);

          if (n <= 0)
            return NULL;
          left -= (gsize) n;
        }
      if (g_socket_send (socket, buffer, 1, NULL, NULL) != 1)
        return NULL;
    }
  return NULL;
}

static gboolean
take_byte (GSocket *socket, GError **error)
{
  char byte;
  const gssize n = g_socket_receive (socket, &byte, 1, NULL, error);

  if (n == 0)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CLOSED, _("nobody answers"));
  return n == 1;
}

static gboolean
send_all (GSocket *socket, const char *bytes, gsize n, GError **error)
{
  while (n > 0)
    {
      const gssize sent = g_socket_send (socket, bytes, n, NULL, error);

      if (sent < 0)
        return FALSE;
      bytes += sent;
      n -= (gsize) sent;
    }
  return TRUE;
}

static gboolean
measure (GSocket *socket, double *latency, double *bandwidth, GError **error)
{
  g_autofree char *block = g_malloc0 (BLOCK);
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < PINGS; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      if (!send_all (socket, block, 1, error) || !take_byte (socket, error))
        return FALSE;
      least = MIN (least, g_get_monotonic_time () - start);
    }
  *latency = MAX (least, 1) * 1e-6 / 2;
  least = G_MAXINT64;
  for (guint i = 0; i < REPEATS; i++)
    {
      const gint64 start = g_get_monotonic_time ();

      for (guint k = 0; k < BLOCKS; k++)
        if (!send_all (socket, block, BLOCK, error))
          return FALSE;
      if (!take_byte (socket, error))
        return FALSE;
      least = MIN (least, g_get_monotonic_time () - start);
    }
  *bandwidth = (double) (BLOCKS * BLOCK) / (MAX (least, 1) * 1e-6);
  return TRUE;
}

static GSocket *
make_socket (GError **error)
{
  GSocket *socket = g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, error);

  if (socket != NULL)
    g_socket_set_timeout (socket, SILENCE);
  return socket;
}

/* Both ends of a connection, the other one on a thread of its own. */
static gboolean
connect_and_measure (EsCluster *self, GError **error)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) any = g_inet_socket_address_new (loopback, 0), address = NULL;
  g_autoptr (GSocket) listener = make_socket (error), socket = NULL;
  GThread *thread;
  gboolean done;

  if (listener == NULL || !g_socket_bind (listener, any, FALSE, error) || !g_socket_listen (listener, error)
      || (address = g_socket_get_local_address (listener, error)) == NULL || (socket = make_socket (error)) == NULL
      || !g_socket_connect (socket, address, NULL, error)
      || (thread = g_thread_try_new ("es-loopback", answer, g_object_ref (listener), error)) == NULL)
    return FALSE;
  done = measure (socket, &self->latency, &self->bandwidth, error);
  g_socket_close (socket, NULL);
  g_thread_join (thread);
  return done;
}

gboolean
es_cluster_measure_network (EsCluster *self, GError **error)
{
  g_autoptr (GError) why = NULL;

  if (connect_and_measure (self, &why))
    return TRUE;
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
               _("The loopback network of this machine could not be measured: %s."), why->message);
  return FALSE;
}
