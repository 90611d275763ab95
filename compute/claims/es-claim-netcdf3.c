/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-claim-netcdf3-internal.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-error.h"

/* Dimensions, attributes and variables that are looked through; no instrument writes as many. */
#define MOST_ENTRIES 200000u
#define MOST_AXES    1024u

#define TAG_DIMENSION 10u
#define TAG_VARIABLE  11u
#define TAG_ATTRIBUTE 12u

/* The header, read from front to back; numbers are big endian. */
typedef struct
{
  EsClaimFile *file;
  guint64      at;
  guint        version;        /* 1, 2 or 5 */
  guint        entries;
  gboolean     ended;          /* the file ended amid it */
  gboolean     damaged;
} Walk;

typedef struct
{
  guint64  begin, bytes;       /* of a record where it has records */
  gboolean has_records;
} Variable;

static guint64
take (Walk *walk, guint bytes)
{
  guint64 number = 0;

  if (walk->ended || walk->damaged)
    return 0;
  if (!es_claim_file_number (walk->file, walk->at, bytes, TRUE, &number))
    walk->ended = TRUE;
  walk->at += bytes;
  return number;
}

/* Counts and lengths take eight bytes in CDF-5, four before. */
static guint64
take_count (Walk *walk)
{
  return take (walk, walk->version == 5 ? 8 : 4);
}

/* Bytes that are stepped over, filled up to a multiple of four. */
static void
skip (Walk *walk, guint64 bytes)
{
  if (walk->at > walk->file->size || bytes > walk->file->size - walk->at)
    walk->ended = TRUE;
  else
    walk->at += (bytes + 3) / 4 * 4;
}

static guint64
size_of_type (guint64 type)
{
  static const guint8 sizes[] = { 0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8 };

  return type < G_N_ELEMENTS (sizes) ? sizes[type] : 0;
}

/* How many entries the list that begins here has. */
static guint64
take_list (Walk *walk, guint64 tag)
{
  guint64 found = take (walk, 4), n = take_count (walk);

  if (walk->ended || walk->damaged)
    return 0;
  if ((found != tag && (found != 0 || n != 0)) || n > MOST_ENTRIES)
    {
      walk->damaged = TRUE;
      return 0;
    }
  return n;
}

static gboolean
is_going_on (Walk *walk)
{
  if (++walk->entries > MOST_ENTRIES)
    walk->damaged = TRUE;
  return !walk->ended && !walk->damaged;
}

static void
skip_attributes (Walk *walk)
{
  guint64 n = take_list (walk, TAG_ATTRIBUTE);

  for (guint64 i = 0; i < n && is_going_on (walk); i++)
    {
      guint64 size, count, bytes;

      skip (walk, take_count (walk));
      size = size_of_type (take (walk, 4));
      count = take_count (walk);
      if (size == 0 || __builtin_mul_overflow (size, count, &bytes))
        walk->damaged = TRUE;
      else
        skip (walk, bytes);
    }
}

/* Lengths of the dimensions; 0: the one of records. */
static GArray *
take_dimensions (Walk *walk)
{
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 n = take_list (walk, TAG_DIMENSION);

  for (guint64 i = 0; i < n && is_going_on (walk); i++)
    {
      guint64 length;

      skip (walk, take_count (walk));
      length = take_count (walk);
      g_array_append_val (lengths, length);
    }
  return lengths;
}

static gboolean
take_variable (Walk *walk, GArray *dimensions, Variable *variable)
{
  guint64 n_axes, size;

  memset (variable, 0, sizeof *variable);
  skip (walk, take_count (walk));
  n_axes = take_count (walk);
  walk->damaged |= n_axes > MOST_AXES;
  variable->bytes = 1;
  for (guint64 i = 0; i < n_axes && !walk->ended && !walk->damaged; i++)
    {
      guint64 id = take_count (walk), length;

      if (walk->ended || id >= dimensions->len)
        {
          walk->damaged |= !walk->ended;
          break;
        }
      length = g_array_index (dimensions, guint64, id);
      if (length == 0 && i == 0)
        variable->has_records = TRUE;
      else if (__builtin_mul_overflow (variable->bytes, length, &variable->bytes))
        walk->damaged = TRUE;
    }
  skip_attributes (walk);
  size = size_of_type (take (walk, 4));
  take_count (walk);           /* its size, which is too short a number for large variables: reckoned instead */
  variable->begin = take (walk, walk->version == 1 ? 4 : 8);
  if (!walk->ended && (size == 0 || __builtin_mul_overflow (variable->bytes, size, &variable->bytes) ||
                       variable->bytes > G_MAXINT64))
    walk->damaged = TRUE;
  return !walk->ended && !walk->damaged;
}

static GArray *
take_variables (Walk *walk, GArray *dimensions)
{
  GArray *variables = g_array_new (FALSE, FALSE, sizeof (Variable));
  guint64 n = take_list (walk, TAG_VARIABLE);
  Variable variable;

  for (guint64 i = 0; i < n && is_going_on (walk) && take_variable (walk, dimensions, &variable); i++)
    g_array_append_val (variables, variable);
  return variables;
}

/* Where the last sample of all ends; G_MAXUINT64 where that is beyond every number. */
static guint64
last_byte (GArray *variables, guint64 records)
{
  guint64 record = 0, last = 0;
  guint n = 0;

  /* Each variable's part of a record is filled up to four bytes, but not where it is the only one. */
  for (guint i = 0; i < variables->len; i++)
    {
      const Variable *variable = &g_array_index (variables, Variable, i);

      if (!variable->has_records)
        continue;
      n++;
      if (__builtin_add_overflow (record, (variable->bytes + 3) / 4 * 4, &record))
        return G_MAXUINT64;
    }
  for (guint i = 0; i < variables->len; i++)
    {
      const Variable *variable = &g_array_index (variables, Variable, i);
      guint64 end = variable->bytes, before;

      if (variable->has_records && records == 0)
        continue;
      if (variable->has_records &&
          (__builtin_mul_overflow (records - 1, n == 1 ? variable->bytes : record, &before) ||
           __builtin_add_overflow (end, before, &end)))
        return G_MAXUINT64;
      if (variable->bytes > 0 && __builtin_add_overflow (end, variable->begin, &end))
        return G_MAXUINT64;
      last = MAX (last, end);
    }
  return last;
}

gboolean
es_claim_netcdf3 (EsClaimFile *file, GError **error)
{
  Walk walk = { .file = file, .at = 4 };
  g_autoptr (GArray) dimensions = NULL;
  g_autoptr (GArray) variables = NULL;
  guint8 magic[4];
  guint64 records, last;

  if (!es_claim_file_read (file, 0, magic, 4) || memcmp (magic, "CDF", 3) != 0 ||
      (magic[3] != 1 && magic[3] != 2 && magic[3] != 5))
    return TRUE;
  walk.version = magic[3];
  records = take_count (&walk);
  dimensions = take_dimensions (&walk);
  skip_attributes (&walk);
  variables = take_variables (&walk, dimensions);
  if (g_cancellable_set_error_if_cancelled (file->cancellable, error))
    return FALSE;
  if (walk.damaged || walk.ended)
    {
      g_set_error (error, ES_DATA_ERROR, walk.damaged ? ES_DATA_ERROR_FORMAT : ES_DATA_ERROR_TRUNCATED,
                   walk.damaged ? _("The netCDF header of “%s” is damaged: what stands near byte %" PRIu64
                                    " is no list of its dimensions, attributes or variables")
                                : _("“%s” ends amid its netCDF header, before byte %" PRIu64), file->name, walk.at);
      return FALSE;
    }
  last = last_byte (variables, records);
  return last <= file->size || es_claim_file_refuse (file, last, error);
}
