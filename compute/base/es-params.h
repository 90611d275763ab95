/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum
{
  ES_PARAM_FLOAT,
  ES_PARAM_INT,
  ES_PARAM_CHOICE,             /* the value is the index into choices */
  ES_PARAM_BOOL,
  ES_PARAM_TEXT,               /* what the operation makes of it: "1-5, 8" */
  ES_PARAM_FILE,               /* for g_file_parse_name (): an absolute path or a URI; empty: none */
  ES_PARAM_REGION,             /* drawn pixels as text; empty: none. The row checks and describes it */
  ES_PARAM_END = -1,           /* closes the table */
} EsParamType;

/* The three groups of the panel. The device group is the panel's own; a parameter may still join it. */
typedef enum
{
  ES_PARAM_GROUP_ALGORITHM,
  ES_PARAM_GROUP_THRESHOLDS,
  ES_PARAM_GROUP_DEVICE,
  ES_PARAM_N_GROUPS,
} EsParamGroup;

typedef struct
{
  const char *id;              /* on the command line and in files */
  const char *label;           /* N_() */
} EsParamChoice;

/*
 * One row of an operation's parameter table. From it come the panel, the command line, saving, validation,
 * provenance, the help page and the fuzzer; nothing about a parameter is written anywhere else.
 *
 * Rows name their fields and leave out what is 0 or NULL, which is the usual: the group is the algorithm's, a range
 * begins at 0, the default is 0, no or the first choice, numbers have no unit, no digits and no condition. So a row is
 *
 *   { .key = "threshold", .label = N_("Variance kept"),
 *     .help = N_("The components kept are the fewest whose share of the total variance reaches this."),
 *     .type = ES_PARAM_FLOAT, .unit = "%", .group = ES_PARAM_GROUP_THRESHOLDS,
 *     .minimum = 0.5, .maximum = 1, .step = 0.001, .digits = 2, .default_value = 0.99,
 *     .visible_if = "components=0", .stage = STAGE_SELECT },
 *
 * and { .type = ES_PARAM_END } closes the table. Lists of choices name theirs as well, and end with { .id = NULL }.
 */
typedef struct
{
  const char          *key;            /* [a-z][a-z0-9-]*, "threshold" */
  const char          *label;          /* N_("Variance kept") */
  const char          *help;           /* N_(), a full sentence */
  const char          *unit;           /* N_() or NULL; "%" shows a fraction as per cent */
  EsParamType          type;
  EsParamGroup         group;
  double               minimum, maximum;       /* of FLOAT and INT */
  double               default_value;          /* BOOL: TRUE or FALSE; CHOICE: the index */
  double               step;           /* of FLOAT and INT, in the panel; 0: 1, of FLOAT one of its last digit shown */
  int                  digits;         /* of FLOAT: shown behind the point (of the per cent, where unit is "%") */
  const EsParamChoice *choices;        /* of CHOICE; ends with { .id = NULL } */
  const char          *visible_if;     /* "key=value" or "key=one|other" of another row, or NULL */
  const char          *zero_label;     /* N_() what 0 means ("by threshold"), or NULL */
  /* The first stage of the operation that has to be repeated when this changes, counted from 0; see es_job.h. */
  unsigned             stage;
  gboolean             advanced;       /* few people change it: the panel folds it away */
  /* TEXT and REGION: what is wrong with a text that is not empty (ES_COMPUTE_ERROR_PARAMETER); asked by
   * es_params_parse () and the panel. Nullable: any. */
  gboolean           (*check) (const char *text, GError **error);
  /* TEXT and REGION: how people read a text that is not empty; transfer full. Nullable: as it is. */
  char              *(*describe) (const char *text);
  const char          *default_text;   /* of TEXT; NULL: empty */
} EsParamSpec;

/* TEXT, FILE and REGION: the value is text; unless it is set, the row's default_text, or empty. */
gboolean           es_param_type_is_text (EsParamType type);
guint              es_param_specs_length (const EsParamSpec *specs);
const EsParamSpec *es_param_specs_find   (const EsParamSpec *specs, const char *key);   /* nullable */

/*
 * The values of one table. Changed by the panel on the UI thread; a job takes a copy (es_params_copy), so that an
 * edit never reaches a running job. Signal "changed" (detail: the key).
 */
#define ES_TYPE_PARAMS (es_params_get_type ())
G_DECLARE_FINAL_TYPE (EsParams, es_params, ES, PARAMS, GObject)

EsParams          *es_params_new         (const EsParamSpec *specs);              /* all defaults */
EsParams          *es_params_copy        (EsParams *self);
const EsParamSpec *es_params_get_specs   (EsParams *self);
gboolean           es_params_equal       (EsParams *self, EsParams *other);
void               es_params_reset       (EsParams *self);
gboolean           es_params_is_default  (EsParams *self);
/* One row alone. */
void               es_params_reset_key   (EsParams *self, const char *key);
gboolean           es_params_is_key_default (EsParams *self, const char *key);

/* Getters of a key that is not in the table, or of another type, are programmer errors. */
double             es_params_get_float   (EsParams *self, const char *key);
gint64             es_params_get_int     (EsParams *self, const char *key);
gboolean           es_params_get_bool    (EsParams *self, const char *key);
guint              es_params_get_choice  (EsParams *self, const char *key);
const char        *es_params_get_choice_id (EsParams *self, const char *key);
/* TEXT, FILE, REGION: never NULL, the row's default_text or "" by default. Borrowed until it is set. */
const char        *es_params_get_text    (EsParams *self, const char *key);
/* NULL and "" are the default. Not checked: es_params_parse () does that. */
void               es_params_set_text    (EsParams *self, const char *key, const char *text);
/* Any type but those as a number (choice: index, bool: 0 or 1). Set clamps to the range and rounds integers. */
double             es_params_get_value   (EsParams *self, const char *key);
void               es_params_set_value   (EsParams *self, const char *key, double value);
gboolean           es_params_is_visible  (EsParams *self, const char *key);

/* "threshold", "0.99". ES_COMPUTE_ERROR_PARAMETER with one sentence: unknown key (with the known ones), not a number,
 * out of range, not one of the choices, not a region. Text is locale-independent; "99%" is taken for 0.99 where the
 * unit is "%"; any UTF-8 is a TEXT or a FILE. */
gboolean           es_params_parse       (EsParams *self, const char *key, const char *text, GError **error);
/* "0.99", "covariance", "yes": what es_params_parse () takes. Transfer full. */
char              *es_params_format      (EsParams *self, const char *key);
/* For people, translated, with unit: "99 %". Transfer full. */
char              *es_params_format_for_people (EsParams *self, const char *key);
/* The lowest `stage` of the rows in which the two differ; G_MAXUINT where they are equal. */
guint              es_params_first_changed_stage (EsParams *self, EsParams *other);

G_END_DECLS
