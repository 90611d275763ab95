/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-batch-cards.h"

#include <string.h>

#include "ranks/es-ranks.h"

static GPtrArray *
list_cards (void)
{
  GListModel *devices = es_devices_get ();
  GPtrArray *cards = g_ptr_array_new ();

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      if (es_device_get_kind (device) == ES_DEVICE_GPU)
        g_ptr_array_add (cards, device);
    }
  return cards;
}

EsDevice *
es_batch_card_of_process (void)
{
  g_autoptr (GPtrArray) cards = list_cards ();

  return cards->len > 0 ? g_ptr_array_index (cards, es_ranks_get_host_rank () % cards->len) : NULL;
}

EsDevice *
es_batch_cards_of_process (void)
{
  g_autoptr (GPtrArray) cards = list_cards ();
  const guint n = es_ranks_get_host_size (), mine = es_ranks_get_host_rank ();
  const guint first = cards->len * mine / n, end = cards->len * (mine + 1) / n;
  g_autoptr (GString) id = g_string_new (NULL);

  if (end < first + 2 || n > cards->len)
    return cards->len == 0 ? NULL : g_ptr_array_index (cards, n > cards->len ? mine % cards->len : first);
  for (guint i = first; i < end; i++)
    {
      const char *one = es_device_get_id (g_ptr_array_index (cards, i));

      g_string_append_printf (id, i == first ? "%s" : ",%s", i == first ? one : strchr (one, ':') + 1);
    }
  return es_device_find (id->str, NULL);
}
