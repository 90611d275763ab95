/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * A hydrophone array: where its elements are, which channel each hears, what is wrong with them. Immutable, counted,
 * any thread. Positions are metres in a right-handed frame; angles follow sonar.md 1:
 *
 *   a line (every element within 1e-3 of its length of one straight line): theta from its axis, which points from the
 *   first element to the last, 0..180 degrees; 90 is broadside. Left and right cannot be told apart.
 *   anything else: azimuth in the x-y plane from +x towards +y, -180..180 (or 0..360), and elevation from that plane
 *   towards +z, -90..90.
 *
 * Bearings and ranges are counted from the origin: the centre of the array (the mean of all its elements' places, dead
 * ones included, so that a bearing does not move when one dies), an element, or any point of the array's frame.
 */
#define ES_TYPE_ARRAY (es_array_get_type ())
typedef struct _EsArray EsArray;
GType es_array_get_type (void);

typedef struct
{
  double   x, y, z;            /* m */
  guint    channel;            /* of the recording, from 0 */
  double   gain;               /* times the samples; 1 */
  gboolean dead;               /* left out of every beam */
  char    *name;               /* nullable */
} EsElement;

typedef enum { ES_ORIGIN_CENTRE, ES_ORIGIN_ELEMENT, ES_ORIGIN_POINT } EsOriginKind;

typedef struct
{
  EsOriginKind kind;
  guint        element;        /* from 0 */
  double       place[3];       /* m, of a point */
} EsOrigin;

/* "centre", "element:7" (from 1), "1.5,0,-3" (m). ES_COMPUTE_ERROR_PARAMETER. */
gboolean es_origin_parse        (const char *text, EsOrigin *origin, GError **error);
char    *es_origin_to_text      (const EsOrigin *origin);                         /* transfer full */
gboolean es_origin_equal        (const EsOrigin *a, const EsOrigin *b);

/* elements: n of them, copied. ES_DATA_ERROR_SIZE (none, over 1,000,000), _FORMAT (a position that is not finite; two
 * elements that are not dead at one place or with one channel, named). */
EsArray *es_array_new           (const EsElement *elements, guint n, GError **error);
/* n elements `spacing` metres apart along +x turned by `azimuth` degrees in the x-y plane, element k at (k - mid) d. */
EsArray *es_array_new_line      (guint n, double spacing, double azimuth, GError **error);
EsArray *es_array_ref           (EsArray *self);
void     es_array_unref         (EsArray *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsArray, es_array_unref)

/*
 * "line:512,1.5" (elements, spacing in metres, and azimuth of the axis in degrees, 0), or a file: CSV with a header row
 * (columns x, y, z or x_m ..., depth instead of z; optional name, channel or audio_file_channel or array_channel, gain,
 * gain_db, polarity, dead; what else there is is told in a note, and refused where its title speaks of channels; feet
 * are refused where the header says so), Acoular's XML (<MicArray><pos/>), SigMF metadata ("spatial" of the
 * collection or captures), Eigenscope's own JSON. Channels of CSV that are 1 to n of n rows count from 1; a dead row
 * may leave its own empty. ES_DATA_ERROR: one sentence that names the file, the row, what was found and what was
 * expected. What was odd but could be read is in es_array_get_notes (). Transfer full.
 */
EsArray *es_array_parse         (const char *text, GError **error);
/* The file that such a text names, which the first of them reads; NULL: it names none. Transfer full. */
GFile   *es_array_find_file     (const char *text);
EsArray *es_array_load          (GFile *file, GCancellable *cancellable, GError **error);
/* The same in the background. */
void     es_array_load_async    (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data);
EsArray *es_array_load_finish   (GAsyncResult *result, GError **error);
/* Eigenscope's own JSON ("<recording>.array.json"), everything in it; writes beside and renames. */
gboolean es_array_save          (EsArray *self, GFile *file, GError **error);
/* The same as any output: no file that is read is replaced (ES_DATA_ERROR_WRITE), and what is there and says anything
 * else is kept under a name of its own, which is added to kept (of char *, with g_free; saving/es-kept.h). */
gboolean es_array_save_as       (EsArray *self, GFile *file, GPtrArray *kept, GError **error);
char    *es_array_to_json       (EsArray *self);                                  /* transfer full; of a result */
EsArray *es_array_from_json     (const char *json, GError **error);
JsonNode *es_array_to_node      (EsArray *self);                                  /* the same as a tree */
EsArray *es_array_from_node     (JsonNode *root, GError **error);
/* Where the sidecar of a recording lies. Transfer full. */
GFile   *es_array_sidecar_of    (GFile *recording);

guint            es_array_get_n_elements (EsArray *self);
const EsElement *es_array_get_elements   (EsArray *self);
guint            es_array_get_n_alive    (EsArray *self);
const EsOrigin  *es_array_get_origin     (EsArray *self);
void             es_array_get_origin_place (EsArray *self, double place[3]);      /* m, in the array's frame */
double           es_array_get_sound_speed (EsArray *self);                        /* m/s; 1500 unless told */
/* Whether somebody has told it: a file or a person. */
gboolean         es_array_is_sound_speed_told (EsArray *self);
const char * const *es_array_get_notes   (EsArray *self);                         /* translated; nullable */
/* What was taken where the file does not tell it for certain (from where its channels count), used with a recording of
 * n_channels (0: not known): a warning of every result, and the first of es_array_check (). Translated; nullable. */
const char      *es_array_get_doubt      (EsArray *self, guint n_channels);
gboolean         es_array_equal          (EsArray *self, EsArray *other);
/* The same with something changed. Transfer full. */
EsArray         *es_array_with_sound_speed (EsArray *self, double sound_speed);
EsArray         *es_array_with_dead      (EsArray *self, guint element, gboolean dead);
EsArray         *es_array_with_gain      (EsArray *self, guint element, double gain);
/* ES_COMPUTE_ERROR_PARAMETER: the array has no such element. */
EsArray         *es_array_with_origin    (EsArray *self, const EsOrigin *origin, GError **error);

gboolean es_array_is_line       (EsArray *self);
/* A line with equal spacing to 1e-6 of it. */
gboolean es_array_is_uniform    (EsArray *self);
double   es_array_get_spacing   (EsArray *self);       /* m: of a line, its mean; else the median nearest neighbour */
double   es_array_get_length    (EsArray *self);       /* m: the largest distance between two elements */
void     es_array_get_axis      (EsArray *self, double axis[3]);                  /* unit; of a line */

/*
 * Bearings on the horizon. A line, and elements in one vertical plane, cannot tell a bearing from its mirror image; the
 * plane's azimuth, degrees from +x towards +y. FALSE: the array has no such plane, or is an upright line, whose angles
 * are no bearings. The mirror image of a bearing of the array: of a line 360 degrees less it; NAN: it has none.
 */
gboolean es_array_get_mirror_plane  (EsArray *self, double *azimuth);
double   es_array_get_mirror        (EsArray *self, double bearing);
/* Degrees clockwise from true north, 0 .. 360, where the +x axis points to `heading` and z points up. Of a line the one
 * at starboard of its axis first, for sources on the horizon: its cone meets that twice. How many: 0 where heading or
 * bearing are not finite, or a line is inclined by more than 5 degrees; 1; 2 with the mirror image. */
gboolean es_array_has_true_bearings (EsArray *self);
guint    es_array_get_true_bearings (EsArray *self, double heading, double bearing, double found[2]);
/* The bearing of the array that a true one is; NAN as above. */
double   es_array_find_bearing      (EsArray *self, double heading, double true_bearing);

/* "184 elements in line, 2.5 m apart, 457.5 m long": for people. Transfer full. */
char    *es_array_describe      (EsArray *self);
/* "the centre of the array", "element 7", "(1.5, 0, -3) m". Transfer full. */
char    *es_array_describe_origin (EsArray *self);
/* "Peaks, from the centre of the array": the heading of a table of bearings. Transfer full. */
char    *es_array_head_from_origin (EsArray *self, const char *title);
/* Members of a result's values: "origin" as text, "origin_m" as three numbers. */
void     es_array_add_origin    (EsArray *self, JsonObject *values);

/*
 * What a person should know before using it (translated sentences, transfer full, NULL-terminated, may be empty):
 * what its file left in doubt; channels that the recording (n_channels) does not have; spacing over half a wavelength
 * at f_high (grating lobes); a transit time over 0.1 of block_seconds, the time that is transformed at once; and after
 * these, which cost levels or sources, ranges (n_ranges, m, INFINITY = far) that are further than the far-field
 * distance 2 L^2 / lambda, or a far field that sources nearer than it do not have. n_channels 0, f_high 0,
 * block_seconds 0, n_ranges 0: not checked.
 */
char   **es_array_check         (EsArray *self, guint n_channels, double f_high, const double *ranges, guint n_ranges,
                                 double block_seconds);

/* Where nobody has told the speed of sound: that it is assumed, and where elements are as close as microphones are,
 * that it is water's; where it was told, that it is neither water's nor air's. NULL: it is. Translated;
 * transfer full. */
char    *es_array_warn_of_sound_speed (EsArray *self);
/* Where beams of the horizon alone leave out what the array could tell: elements at different heights. NULL: they do
 * not. Translated; transfer full. */
char    *es_array_warn_of_horizon (EsArray *self);

G_END_DECLS
