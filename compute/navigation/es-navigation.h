/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * When a recording began, and where its array points: the heading, in degrees clockwise from true north, of the +x
 * axis of the frame that its elements are placed in (whose z axis points up), fixed or over time. Immutable, counted,
 * any thread.
 */
#define ES_TYPE_NAVIGATION (es_navigation_get_type ())
typedef struct _EsNavigation EsNavigation;
GType es_navigation_get_type (void);

/* Who told it. */
typedef enum
{
  ES_NAVIGATION_OF_RECORDING,  /* the recording's own file, or its name: a start */
  ES_NAVIGATION_BESIDE,        /* the file beside it */
  ES_NAVIGATION_NAMED,         /* a file that was named for it */
  ES_NAVIGATION_BY_HAND,       /* a person */
} EsNavigationSource;

/* start: nullable, kept in UTC. n headings in degrees at times in seconds from the beginning of the recording,
 * ascending, both copied; n = 1 and times NULL: fixed; n = 0: not known. ES_DATA_ERROR_FORMAT: what is not finite, a
 * time that does not come after the one before, a heading outside -360..360, over 1,000,000 of them. By hand. */
EsNavigation *es_navigation_new         (GDateTime *start, const double *times, const double *headings, guint n,
                                         GError **error);
EsNavigation *es_navigation_ref         (EsNavigation *self);
void          es_navigation_unref       (EsNavigation *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsNavigation, es_navigation_unref)
/* The same where a clock told the times, not seconds from the beginning: with another start they are others. Transfer
 * full. */
EsNavigation *es_navigation_by_clock    (EsNavigation *self);
/* The same, told by another; the same with another start (nullable). file: nullable. Transfer full. */
EsNavigation *es_navigation_with_source (EsNavigation *self, EsNavigationSource source, GFile *file);
EsNavigation *es_navigation_with_start  (EsNavigation *self, GDateTime *start);
/* The same start and headings, whoever told them. Nullable, both. */
gboolean      es_navigation_equal       (EsNavigation *self, EsNavigation *other);

EsNavigationSource es_navigation_get_source (EsNavigation *self);
GFile        *es_navigation_get_file    (EsNavigation *self);          /* nullable, borrowed */
GDateTime    *es_navigation_get_start   (EsNavigation *self);          /* UTC; nullable, borrowed */
/* How many headings there are, and whether it is one for all times. */
guint         es_navigation_get_n_headings (EsNavigation *self);
gboolean      es_navigation_is_fixed    (EsNavigation *self);
gboolean      es_navigation_is_by_clock (EsNavigation *self);
/* At a time (s from the beginning), 0 .. 360: on the shorter arc between the two that are told on both sides of it.
 * NAN: not known then: before the first or after the last by more than the usual interval between two, or between two
 * that are ten times as far apart. self: nullable. */
double        es_navigation_get_heading (EsNavigation *self, double time);

/* "2026-05-01T12:00:00.25Z", with a zone (none: UTC) and any fraction. ES_COMPUTE_ERROR_PARAMETER. */
GDateTime    *es_navigation_parse_start (const char *text, GError **error);
/* "2026-05-01T12:00:00.250Z": s seconds after the start. Transfer full. */
char         *es_navigation_format_time (GDateTime *start, double seconds);
/* "began 2026-05-01 12:00:00 UTC; heading 213.5°". Translated, transfer full. */
char         *es_navigation_describe    (EsNavigation *self);
/* Parts of the recording of so many seconds whose heading is not known, as a sentence; NULL: none, or no heading is
 * told at all. Transfer full. */
char         *es_navigation_tell_gaps   (EsNavigation *self, double seconds);

/*
 * Eigenscope's own JSON, or CSV with a header row: heading (heading_deg, degrees true), and time_s (from the beginning
 * of the recording) or time (ISO 8601, then with `start`, when the recording began, nullable). ES_DATA_ERROR: one
 * sentence that names the file, the row, what was found and what was expected. Named, with its file. Transfer full.
 */
EsNavigation *es_navigation_load        (GFile *file, GDateTime *start, GError **error);
/* Eigenscope's own JSON ("<recording>.navigation.json"); writes beside and renames. */
gboolean      es_navigation_save        (EsNavigation *self, GFile *file, GError **error);
/* The same as a tree, with who told it. */
JsonNode     *es_navigation_to_node     (EsNavigation *self);
EsNavigation *es_navigation_from_node   (JsonNode *root, GError **error);
/* Member "navigation" of a result's values: the tree, or null of NULL. */
void          es_navigation_add_values  (EsNavigation *self, JsonObject *values);
/* Where that of a recording lies. Transfer full. */
GFile        *es_navigation_sidecar_of  (GFile *recording);
#define ES_NAVIGATION_ENDING ".navigation.json"
/* By its name. */
gboolean      es_navigation_is_file     (GFile *file);

G_END_DECLS
