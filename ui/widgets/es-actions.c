/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-actions.h"

static G_DEFINE_QUARK (es-action, action)

static void
on_activate (GSimpleAction *simple, GVariant *parameter, gpointer owner)
{
  const EsAction *action = g_object_get_qdata (G_OBJECT (simple), action_quark ());

  action->activate (owner, action->name, parameter);
}

void
es_actions_add (GActionMap *map, const EsAction *actions, guint n, GObject *owner)
{
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GVariantType) type = actions[i].parameter != NULL ? g_variant_type_new (actions[i].parameter) : NULL;
      g_autoptr (GSimpleAction) action = actions[i].state == NULL
                                         ? g_simple_action_new (actions[i].name, type)
                                         : g_simple_action_new_stateful (actions[i].name, type,
                                                                         g_variant_new_string (actions[i].state));

      g_object_set_qdata (G_OBJECT (action), action_quark (), (gpointer) &actions[i]);
      g_signal_connect_object (action, "activate", G_CALLBACK (on_activate), owner, 0);
      g_action_map_add_action (map, G_ACTION (action));
    }
}

void
es_actions_update (GActionMap *map, const EsAction *actions, guint n, guint met)
{
  for (guint i = 0; i < n; i++)
    {
      GAction *action = g_action_map_lookup_action (map, actions[i].name);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), (actions[i].needs & met) == actions[i].needs);
    }
}
