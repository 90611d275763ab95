/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-shell.h"

G_BEGIN_DECLS

/*
 * Pictures of windows for the pages: a scene opens what it shows, does what a person would do, and takes one picture or
 * several. What a scene waits for in vain ends the program with a sentence.
 */
typedef struct
{
  const char *name;            /* of the picture, without ".png"; of the first one where there are several */
  int         width, height;   /* of the window, with its frame */
  gboolean    dark, chinese;
  const char *device;          /* that it wants: "cuda:0"; NULL: none in particular */
  void      (*take) (EsWindow *window);
} EsPictureScene;

/* Ended by one without a name. */
extern const EsPictureScene es_pictures_of_cubes[], es_pictures_of_machines[], es_pictures_of_recordings[];

/* Where the files of scenes lie, and where pictures are written: both are set first. */
extern const char *es_pictures_samples, *es_pictures_output;

/* Until condition holds: ten minutes at most, for what is measured. */
void            es_pictures_wait     (EsTestCondition condition, gpointer data, const char *what);
#define ES_PICTURES_WAIT(condition, data) es_pictures_wait ((condition), (data), #condition)
/* Nothing is read, computed or laid out any more. */
void            es_pictures_settle   (EsWindow *window);
void            es_pictures_take     (GtkWidget *toplevel, const char *name);

/* A file of es_pictures_samples, or an absolute path. */
void            es_pictures_open     (EsWindow *window, const char *name);
/* values: "key=value" and a blank between them; nullable. Waits for what comes of it. */
EsAnalysePanel *es_pictures_choose   (EsWindow *window, const char *operation, const char *values);
void            es_pictures_run      (EsWindow *window, const char *operation, const char *values);
void            es_pictures_activate (GtkWidget *widget, const char *action, const char *target);
/* A descendant that has to be there. */
GtkWidget      *es_pictures_find     (gpointer root, GType type, const char *text);
/* The top of a widget to the top of what scrolls around it. */
void            es_pictures_scroll   (GtkWidget *widget);

G_END_DECLS
