/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-workspace.h"

typedef struct
{
  EsShell  *shell;
  char     *status;
  GBinding *bound;                   /* what the status follows; borrowed */
} EsWorkspacePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EsWorkspace, es_workspace, G_TYPE_OBJECT)

enum { PROP_0, PROP_SHELL, PROP_STATUS, N_PROPS };
static GParamSpec *properties[N_PROPS];

enum { LAYOUT, N_SIGNALS };
static guint signals[N_SIGNALS];

static EsWorkspacePrivate *
private_of (EsWorkspace *self)
{
  return es_workspace_get_instance_private (self);
}

static void
es_workspace_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsWorkspacePrivate *priv = private_of (ES_WORKSPACE (object));

  switch (id)
    {
    case PROP_SHELL:
      g_value_set_object (value, priv->shell);
      break;
    case PROP_STATUS:
      g_value_set_string (value, priv->status != NULL ? priv->status : "");
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_workspace_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  EsWorkspacePrivate *priv = private_of (ES_WORKSPACE (object));

  switch (id)
    {
    case PROP_SHELL:
      priv->shell = g_value_dup_object (value);
      break;
    case PROP_STATUS:
      es_workspace_set_status (ES_WORKSPACE (object), g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_workspace_finalize (GObject *object)
{
  EsWorkspacePrivate *priv = private_of (ES_WORKSPACE (object));

  g_clear_object (&priv->shell);
  g_free (priv->status);
  G_OBJECT_CLASS (es_workspace_parent_class)->finalize (object);
}

static void
es_workspace_class_init (EsWorkspaceClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->get_property = es_workspace_get_property;
  object_class->set_property = es_workspace_set_property;
  object_class->finalize = es_workspace_finalize;

  properties[PROP_SHELL] = g_param_spec_object ("shell", NULL, NULL, ES_TYPE_SHELL,
                                                G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  properties[PROP_STATUS] = g_param_spec_string ("status", NULL, NULL, "",
                                                 G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[LAYOUT] = g_signal_new ("layout", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
es_workspace_init (EsWorkspace *self)
{
}

EsShell *
es_workspace_get_shell (EsWorkspace *self)
{
  return private_of (self)->shell;
}

EsShown *
es_workspace_get_shown (EsWorkspace *self)
{
  return es_shell_get_shown (private_of (self)->shell);
}

const char *
es_workspace_get_status (EsWorkspace *self)
{
  EsWorkspacePrivate *priv = private_of (self);

  return priv->status != NULL ? priv->status : "";
}

void
es_workspace_set_status (EsWorkspace *self, const char *status)
{
  EsWorkspacePrivate *priv = private_of (self);

  if (g_strcmp0 (status, priv->status) == 0)
    return;
  g_free (priv->status);
  priv->status = g_strdup (status);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATUS]);
}

void
es_workspace_bind_status (EsWorkspace *self, gpointer view)
{
  EsWorkspacePrivate *priv = private_of (self);

  if (priv->bound != NULL)
    g_binding_unbind (priv->bound);
  priv->bound = g_object_bind_property (view, "status", self, "status", G_BINDING_SYNC_CREATE);
}

void
es_workspace_layout (EsWorkspace *self)
{
  g_signal_emit (self, signals[LAYOUT], 0);
}

GMenuModel *
es_workspace_load_save_menu (const char *name)
{
  g_autofree char *path = g_strdup_printf ("/org/eigenscope/Eigenscope/ui/%s.ui", name);
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (path);

  return G_MENU_MODEL (g_object_ref (gtk_builder_get_object (builder, "save_menu")));
}

/* ---- actions ---- */

void
es_workspace_add_actions (EsWorkspace *self, GActionMap *map)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  es_actions_add (map, class->actions, class->n_actions, G_OBJECT (self));
  if (class->add_actions != NULL)
    class->add_actions (self, map);
}

void
es_workspace_update_actions (EsWorkspace *self, GActionMap *map)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  es_actions_update (map, class->actions, class->n_actions, class->get_met != NULL ? class->get_met (self) : 0);
}

/* ---- what the class does ---- */

gboolean
es_workspace_show (EsWorkspace *self, EsResult *replaced)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->show != NULL ? class->show (self, replaced) : FALSE;
}

EsWorkspaceAbilities
es_workspace_get_abilities (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_abilities != NULL ? class->get_abilities (self) : 0;
}

const char *
es_workspace_get_failure (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_failure != NULL ? class->get_failure (self) : NULL;
}

gboolean
es_workspace_says (EsWorkspace *self, const char *sentence)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->says != NULL && class->says (self, sentence);
}

gboolean
es_workspace_is_loading (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->is_loading != NULL ? class->is_loading (self) : FALSE;
}

GtkWidget *
es_workspace_get_middle (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_middle != NULL ? class->get_middle (self) : NULL;
}

GtkWidget *
es_workspace_get_side (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_side != NULL ? class->get_side (self) : NULL;
}

guint
es_workspace_get_side_columns (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_side_columns != NULL ? MAX (class->get_side_columns (self), 1) : 1;
}

GtkWidget *
es_workspace_get_footer (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_footer != NULL ? class->get_footer (self) : NULL;
}

GtkWidget *
es_workspace_get_large (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_large != NULL ? class->get_large (self) : NULL;
}

GtkWidget *
es_workspace_get_section (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_section != NULL ? class->get_section (self) : NULL;
}

GMenuModel *
es_workspace_get_save_menu (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_save_menu != NULL ? class->get_save_menu (self) : NULL;
}

void
es_workspace_activate (EsWorkspace *self, const char *what)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->activate != NULL)
    class->activate (self, what);
}

void
es_workspace_prepare (EsWorkspace *self, EsDataset *dataset, EsOpenRequest *request)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->prepare != NULL)
    class->prepare (self, dataset, request);
}

void
es_workspace_forget (EsWorkspace *self, EsDataset *dataset)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->forget != NULL)
    class->forget (self, dataset);
}

gboolean
es_workspace_take_file (EsWorkspace *self, GFile *file)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->take_file != NULL ? class->take_file (self, file) : FALSE;
}

void
es_workspace_watch_job (EsWorkspace *self, EsJob *job)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->watch_job != NULL)
    class->watch_job (self, job);
}

gboolean
es_workspace_owns_job (EsWorkspace *self, EsJob *job)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->owns_job != NULL && class->owns_job (self, job);
}

guint
es_workspace_get_n_own (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  return class->get_n_own != NULL ? class->get_n_own (self) : 0;
}

void
es_workspace_cancel (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->cancel != NULL)
    class->cancel (self);
}

void
es_workspace_drop_result (EsWorkspace *self, EsResult *result)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->drop_result != NULL)
    class->drop_result (self, result);
}

void
es_workspace_close (EsWorkspace *self)
{
  EsWorkspaceClass *class = ES_WORKSPACE_GET_CLASS (self);

  if (class->close != NULL)
    class->close (self);
}
