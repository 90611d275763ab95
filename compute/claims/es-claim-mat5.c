/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-claim-mat5-internal.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-error.h"
#include "es-mat5-stream-private.h"

#define MOST_ARRAYS   20000u
#define MOST_ELEMENTS 2000000u
#define DEEPEST       32u
#define MOST_AXES     32u
#define LONGEST_NAME  63u

enum { TYPE_INT8 = 1, TYPE_INT32 = 5, TYPE_UINT32 = 6, TYPE_MATRIX = 14, TYPE_COMPRESSED = 15 };
enum { CLASS_CELL = 1, CLASS_STRUCT = 2, CLASS_OBJECT = 3, CLASS_CHAR = 4, CLASS_DOUBLE = 6, CLASS_UINT64 = 15,
       CLASS_FUNCTION = 16 };

/* What is found while an array is walked through. */
typedef struct
{
  gboolean to_the_end;         /* numbers are stepped over, too, and not left where they begin */
  guint    elements;           /* looked at in all */
  gboolean is_whole;           /* no array has fewer numbers than it promises */
  gboolean has_short_names;    /* of fields, within their tag */
  char     name[LONGEST_NAME + 1];
} Walk;

static guint64
size_of_type (guint32 type)
{
  static const guint8 sizes[] = { 0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4 };

  return type < G_N_ELEMENTS (sizes) ? sizes[type] : 0;
}

/* Type and length of what follows; small: the data stand in the tag's own last four bytes and fill them up. */
static gboolean
take_tag (EsMat5Stream *stream, guint32 *type, guint64 *n, gboolean *small)
{
  guint32 word = es_mat5_stream_word (stream);

  *small = word >> 16 != 0;
  *type = word & 0xffff;
  *n = *small ? word >> 16 : es_mat5_stream_word (stream);
  return !stream->failed && (!*small || *n <= 4);
}

/* Steps over data and what fills them up to eight bytes, but not over the end of the array that they are part of. */
static gboolean
skip_data (EsMat5Stream *stream, guint64 n, gboolean small, guint64 end)
{
  guint64 padding = small ? 4 - n : (8 - n % 8) % 8;

  if (stream->handed_out > end || n > end - stream->handed_out)
    return FALSE;
  return es_mat5_stream_skip (stream, n) && es_mat5_stream_skip (stream, MIN (padding, end - stream->handed_out));
}

static gboolean
take_axes (EsMat5Stream *stream, guint64 end, guint64 *product)
{
  guint32 type;
  guint64 n;
  gboolean small;

  *product = 1;
  if (!take_tag (stream, &type, &n, &small) || type != TYPE_INT32 || n % 4 != 0 || n / 4 < 1 || n / 4 > MOST_AXES)
    return FALSE;
  for (guint64 i = 0; i < n / 4; i++)
    {
      guint32 length = es_mat5_stream_word (stream);

      if (length > G_MAXINT32 || __builtin_mul_overflow (*product, (guint64) length, product))
        return FALSE;
    }
  return !stream->failed && stream->handed_out <= end && es_mat5_stream_skip (stream, small ? 4 - n : n % 8);
}

static gboolean
take_name (EsMat5Stream *stream, guint64 end, char *name)
{
  guint32 type;
  guint64 n;
  gboolean small;

  if (!take_tag (stream, &type, &n, &small) || type != TYPE_INT8 || n > 4096 || stream->handed_out > end)
    return FALSE;
  if (name != NULL)
    {
      memset (name, 0, LONGEST_NAME + 1);
      if (n <= LONGEST_NAME)
        {
          es_mat5_stream_take (stream, name, n);
          return !stream->failed && es_mat5_stream_skip (stream, small ? 4 - n : (8 - n % 8) % 8);
        }
    }
  return skip_data (stream, n, small, end);
}

/* Real numbers, and then as many imaginary ones: as many as the axes say? */
static gboolean
take_numbers (EsMat5Stream *stream, Walk *walk, guint64 end, guint64 product, gboolean is_complex)
{
  for (guint part = 0; part <= (guint) is_complex; part++)
    {
      guint32 type;
      guint64 n;
      gboolean small;

      /* An empty array may end here. */
      if (product == 0 && stream->handed_out >= end)
        return TRUE;
      if (stream->handed_out >= end || !take_tag (stream, &type, &n, &small))
        return FALSE;
      if (size_of_type (type) == 0 || n / size_of_type (type) < product || stream->handed_out > end ||
          n > end - stream->handed_out)
        {
          walk->is_whole = FALSE;
          return TRUE;
        }
      if (!walk->to_the_end)
        return TRUE;
      if (!skip_data (stream, n, small, end))
        return FALSE;
    }
  return TRUE;
}

static gboolean walk_array (EsMat5Stream *stream, Walk *walk, guint64 n, guint depth);

/* Cells, structures, objects and functions: whatever is an array among their parts is walked through. There have to be
 * as many as the axes (product) and the names of fields promise: readers make room for them before they look. */
static gboolean
take_parts (EsMat5Stream *stream, Walk *walk, guint64 end, guint depth, guint64 product, gboolean has_fields)
{
  guint64 promised = has_fields ? 0 : product, found = 0;
  guint32 longest_name = 0;

  while (stream->handed_out < end)
    {
      guint32 type;
      guint64 n;
      gboolean small;

      if (++walk->elements > MOST_ELEMENTS || !take_tag (stream, &type, &n, &small))
        return FALSE;
      if (type == TYPE_MATRIX)
        {
          found++;
          if (small || stream->handed_out > end || n > end - stream->handed_out ||
              !walk_array (stream, walk, n, depth + 1))
            return FALSE;
          continue;
        }
      /* How long a field's name is at most, in the tag itself; then the names, each of which takes so much. */
      if (has_fields && found == 0 && type == TYPE_INT32)
        {
          if (!small || n != 4)
            return FALSE;
          longest_name = es_mat5_stream_word (stream);
          continue;
        }
      if (longest_name > 0 && found == 0 && type == TYPE_INT8)
        {
          walk->has_short_names = walk->has_short_names || (small && n > 0);
          if (__builtin_mul_overflow (product, n / longest_name, &promised))
            return FALSE;
        }
      if (!skip_data (stream, n, small, end))
        return FALSE;
    }
  return found >= promised;
}

/* What MATLAB alone understands need not have axes. matio takes the first two tags for those of axes and of a name
 * where they say so, and believes their lengths. */
static gboolean
take_others (EsMat5Stream *stream, guint64 end)
{
  for (guint tag = 0; tag < 2 && stream->handed_out + 8 <= end; tag++)
    {
      const guint32 type = es_mat5_stream_word (stream), n = es_mat5_stream_word (stream);

      if (stream->failed || (type == (tag == 0 ? TYPE_INT32 : TYPE_INT8) && n > end - stream->handed_out))
        return FALSE;
      if (tag == 0 && type == TYPE_INT32
          && (n % 4 != 0 || n / 4 > MOST_AXES
              || !es_mat5_stream_skip (stream, MIN (n + n % 8, end - stream->handed_out))))
        return FALSE;
    }
  return !stream->failed && stream->handed_out <= end && es_mat5_stream_skip (stream, end - stream->handed_out);
}

/* An array of n bytes, from behind its tag. FALSE: it is damaged. */
static gboolean
walk_array (EsMat5Stream *stream, Walk *walk, guint64 n, guint depth)
{
  const guint64 end = stream->handed_out + n;
  char *name = depth == 0 ? walk->name : NULL;
  guint32 type, flags, class;
  guint64 length, product;
  gboolean small;

  if (n == 0)
    return depth > 0;
  if (depth > DEEPEST || !take_tag (stream, &type, &length, &small) || type != TYPE_UINT32 || length != 8 || small)
    return FALSE;
  flags = es_mat5_stream_word (stream);
  es_mat5_stream_word (stream);
  class = flags & 0xff;
  if (class > CLASS_FUNCTION)
    return take_others (stream, end);
  if (!take_axes (stream, end, &product) || !take_name (stream, end, name))
    return FALSE;
  if (class == CLASS_CHAR || (class >= CLASS_DOUBLE && class <= CLASS_UINT64))
    {
      if (!take_numbers (stream, walk, end, product, (flags & 0x0800) != 0))
        return FALSE;
      if (depth == 0 && !walk->to_the_end)
        return TRUE;
    }
  else if (((class >= CLASS_CELL && class <= CLASS_OBJECT) || class == CLASS_FUNCTION)
           && !take_parts (stream, walk, end, depth, product, class == CLASS_STRUCT || class == CLASS_OBJECT))
    return FALSE;
  return !stream->failed && stream->handed_out <= end && es_mat5_stream_skip (stream, end - stream->handed_out);
}

/* One entry of the chain, packed or not. FALSE: its header is damaged. */
static gboolean
walk_entry (EsClaimFile *file, gboolean swapped, guint32 kind, guint64 at, guint64 n, Walk *walk)
{
  EsMat5Stream *stream = es_mat5_stream_new (file, at, n, kind == TYPE_COMPRESSED, swapped);
  guint32 type = TYPE_MATRIX;
  gboolean ok, small = FALSE;

  walk->name[0] = '\0';
  walk->is_whole = TRUE;
  walk->has_short_names = FALSE;
  ok = kind != TYPE_COMPRESSED || (take_tag (stream, &type, &n, &small) && type == TYPE_MATRIX && !small);
  ok = ok && walk_array (stream, walk, n, 0);
  /* The numbers of a packed array that ends amid them, or whose sum is wrong, are none. */
  if (ok && walk->to_the_end && !es_mat5_stream_finish (stream))
    walk->is_whole = FALSE;
  es_mat5_stream_free (stream);
  return ok;
}

/* The next entry's kind and length; FALSE: there is none. */
static gboolean
next_entry (EsClaimFile *file, gboolean swapped, guint64 at, guint32 *kind, guint64 *n)
{
  guint64 word;

  if (at > file->size || file->size - at < 8 || !es_claim_file_number (file, at, 4, swapped, &word) ||
      !es_claim_file_number (file, at + 4, 4, swapped, n))
    return FALSE;
  *kind = (guint32) word;
  return TRUE;
}

static gboolean
is_big_endian (EsClaimFile *file)
{
  guint8 mark[2] = { 0 };

  return es_claim_file_read (file, 126, mark, 2) && mark[0] == 'M';
}

gboolean
es_claim_mat5 (EsClaimFile *file, guint64 *understood, GArray *misread, GError **error)
{
  const gboolean swapped = is_big_endian (file);
  Walk walk = { 0 };
  guint64 at = 128, n;
  guint32 kind;
  guint arrays = 0;

  *understood = file->size;
  while (next_entry (file, swapped, at, &kind, &n))
    {
      g_autofree char *found = NULL, *promised = NULL;

      if (n > file->size - at - 8)
        {
          found = g_strdup_printf ("%" PRIu64, file->size);
          promised = g_strdup_printf ("%" PRIu64, at + 8 + n);
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                       _("“%s” holds %s bytes; the arrays in it reach to byte %s"), file->name, found, promised);
          return FALSE;
        }
      if (kind != TYPE_MATRIX && kind != TYPE_COMPRESSED)
        {
          *understood = at;
          break;
        }
      if (++arrays > MOST_ARRAYS)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("“%s” holds more than %u arrays"), file->name,
                       MOST_ARRAYS);
          return FALSE;
        }
      if (!walk_entry (file, swapped, kind, at + 8, n, &walk) && !g_cancellable_is_cancelled (file->cancellable))
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("The array at byte %" PRIu64 " of “%s” is damaged, or nested more than %u deep"), at,
                       file->name, DEEPEST);
          return FALSE;
        }
      if (walk.has_short_names && misread != NULL)
        g_array_append_val (misread, ((EsClaimRange) { at, 8 + n }));
      at += 8 + n;
    }
  return !g_cancellable_set_error_if_cancelled (file->cancellable, error);
}

gboolean
es_claim_mat5_is_whole (EsClaimFile *file, const char *name)
{
  const gboolean swapped = is_big_endian (file);
  guint64 at = 128, n;
  guint32 kind;
  guint arrays = 0;

  while (next_entry (file, swapped, at, &kind, &n) && n <= file->size - at - 8 &&
         (kind == TYPE_MATRIX || kind == TYPE_COMPRESSED) && ++arrays <= MOST_ARRAYS)
    {
      Walk walk = { 0 };

      if (!walk_entry (file, swapped, kind, at + 8, n, &walk))
        return FALSE;
      if (strcmp (walk.name, name) == 0)
        {
          walk.to_the_end = TRUE;
          if (!walk.is_whole || !walk_entry (file, swapped, kind, at + 8, n, &walk) || !walk.is_whole)
            return FALSE;
        }
      at += 8 + n;
    }
  return !g_cancellable_is_cancelled (file->cancellable);
}
