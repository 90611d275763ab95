/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-open-request.h"
#include "es-shell.h"
#include "widgets/es-actions.h"

G_BEGIN_DECLS

/*
 * What a window knows of a kind of data: what is shown of it, where, and what can be done with it. A window has one of
 * each kind, of which one is shown. A new kind is a folder with a class of this, and a line in es-workspaces.c.
 *
 * Properties: "shell" (EsShell, once, when it is made), "status" (string: what the status line says).
 * Signal "layout": one of its widgets has come or gone.
 */
#define ES_TYPE_WORKSPACE (es_workspace_get_type ())
G_DECLARE_DERIVABLE_TYPE (EsWorkspace, es_workspace, ES, WORKSPACE, GObject)

/* What can be done with what it shows. */
typedef enum
{
  ES_WORKSPACE_RUNS = 1 << 0,        /* operations can run on it */
  ES_WORKSPACE_TELLS = 1 << 1,       /* a command line can say what is shown, were it no result */
  ES_WORKSPACE_COMPARES = 1 << 2,    /* two pictures beside each other, by the action "compare" */
} EsWorkspaceAbilities;

typedef struct
{
  guint           key;
  GdkModifierType modifiers;
  const char     *action;            /* "win.compare" */
} EsWorkspaceKey;

/* Whatever is NULL or 0: there is none, it is nothing, it does nothing. */
struct _EsWorkspaceClass
{
  GObjectClass          parent_class;

  /* Of the window, whether this is shown or not. */
  const EsAction       *actions;
  guint                 n_actions;
  const EsWorkspaceKey *keys;
  guint                 n_keys;
  const char           *space;       /* what Space does where nothing can be pressed: "win.sonar-play" */
  int                   data_height; /* px that the list of data takes at least */

  /* Which needs of its actions are met. */
  guint       (*get_met)       (EsWorkspace *self);
  void        (*add_actions)   (EsWorkspace *self, GActionMap *map);

  /* TRUE: what the shell shows is of its kind, and it shows it. FALSE: it is not, and what was shown goes. replaced: as
   * EsShown tells it. */
  gboolean    (*show)          (EsWorkspace *self, EsResult *replaced);
  EsWorkspaceAbilities (*get_abilities) (EsWorkspace *self);
  /* Why it cannot show it as it should. */
  const char *(*get_failure)   (EsWorkspace *self);
  /* A sentence stands in its own columns, of what is shown: no notice has to repeat it. */
  gboolean    (*says)          (EsWorkspace *self, const char *sentence);
  /* It still reads what it is to show. */
  gboolean    (*is_loading)    (EsWorkspace *self);

  /* Made when they are first asked for, and its own; what it hides is its own matter. side: NULL for now: the middle
   * takes its place. section: in the left column, below the data. */
  GtkWidget  *(*get_middle)    (EsWorkspace *self);
  GtkWidget  *(*get_side)      (EsWorkspace *self);
  /* How many columns beside each other the side is: it is wider, then. NULL: one. */
  guint       (*get_side_columns) (EsWorkspace *self);
  GtkWidget  *(*get_footer)    (EsWorkspace *self);
  /* Instead of the columns, over the whole window; NULL: nothing for now. */
  GtkWidget  *(*get_large)     (EsWorkspace *self);
  GtkWidget  *(*get_section)   (EsWorkspace *self);
  GMenuModel *(*get_save_menu) (EsWorkspace *self);

  /* what: "copy", "save-picture" (what is in the middle), "save" (what Ctrl+S saves of a result), "reset-layout" (what
   * it has stands where it stood at first). */
  void        (*activate)      (EsWorkspace *self, const char *what);

  /* A data set has been opened and is about to be shown: what the request says of it. */
  void        (*prepare)       (EsWorkspace *self, EsDataset *dataset, EsOpenRequest *request);
  /* A data set that is not open any more. */
  void        (*forget)        (EsWorkspace *self, EsDataset *dataset);
  /* A file that describes what is shown, and is no data set. FALSE: not of this kind. */
  gboolean    (*take_file)     (EsWorkspace *self, GFile *file);

  /* A run of the panel's has begun. */
  void        (*watch_job)     (EsWorkspace *self, EsJob *job);
  /* A run that it began by itself, one of many: what it finds is not shown before somebody chooses it. */
  gboolean    (*owns_job)      (EsWorkspace *self, EsJob *job);
  /* Runs under way that it began by itself, and gives up. */
  guint       (*get_n_own)     (EsWorkspace *self);
  void        (*cancel)        (EsWorkspace *self);
  /* A result is about to be removed. */
  void        (*drop_result)   (EsWorkspace *self, EsResult *result);

  /* The window goes. */
  void        (*close)         (EsWorkspace *self);
};

EsShell    *es_workspace_get_shell      (EsWorkspace *self);
EsShown    *es_workspace_get_shown      (EsWorkspace *self);     /* the shell's */
const char *es_workspace_get_status     (EsWorkspace *self);
void        es_workspace_set_status     (EsWorkspace *self, const char *status);
/* The status is what the property "status" of this object is from now on. */
void        es_workspace_bind_status    (EsWorkspace *self, gpointer view);
void        es_workspace_layout         (EsWorkspace *self);     /* emits it */
/* The menu "save_menu" of a template: "es-cube-menu". Transfer full. */
GMenuModel *es_workspace_load_save_menu (const char *name);

/* For the window: the functions of the class. */
void        es_workspace_add_actions    (EsWorkspace *self, GActionMap *map);
void        es_workspace_update_actions (EsWorkspace *self, GActionMap *map);
gboolean    es_workspace_show           (EsWorkspace *self, EsResult *replaced);
EsWorkspaceAbilities es_workspace_get_abilities (EsWorkspace *self);
const char *es_workspace_get_failure    (EsWorkspace *self);
gboolean    es_workspace_says           (EsWorkspace *self, const char *sentence);
gboolean    es_workspace_is_loading     (EsWorkspace *self);
GtkWidget  *es_workspace_get_middle     (EsWorkspace *self);
GtkWidget  *es_workspace_get_side       (EsWorkspace *self);
guint       es_workspace_get_side_columns (EsWorkspace *self);
GtkWidget  *es_workspace_get_footer     (EsWorkspace *self);
GtkWidget  *es_workspace_get_large      (EsWorkspace *self);
GtkWidget  *es_workspace_get_section    (EsWorkspace *self);
GMenuModel *es_workspace_get_save_menu  (EsWorkspace *self);
void        es_workspace_activate       (EsWorkspace *self, const char *what);
void        es_workspace_prepare        (EsWorkspace *self, EsDataset *dataset, EsOpenRequest *request);
void        es_workspace_forget         (EsWorkspace *self, EsDataset *dataset);
gboolean    es_workspace_take_file      (EsWorkspace *self, GFile *file);
void        es_workspace_watch_job      (EsWorkspace *self, EsJob *job);
gboolean    es_workspace_owns_job       (EsWorkspace *self, EsJob *job);
guint       es_workspace_get_n_own      (EsWorkspace *self);
void        es_workspace_cancel         (EsWorkspace *self);
void        es_workspace_drop_result    (EsWorkspace *self, EsResult *result);
void        es_workspace_close          (EsWorkspace *self);

G_END_DECLS
