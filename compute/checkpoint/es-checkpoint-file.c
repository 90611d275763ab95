/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-checkpoint-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-sha256.h"

/* Other numbers and other machines have other ones. */
static const char signature[] = "EIGENSCOPE CHECKPOINT 1\n";
#define SIGNATURE_BYTES (sizeof signature - 1)
#define KIND_BYTES 22          /* of the signature: without the version of the format */
#define MARK G_GUINT64_CONSTANT (0x0102030405060708)
#define DIGEST_BYTES 32
#define HEADER_BYTES (SIGNATURE_BYTES + 2 * sizeof (guint64))

/* ---- writing ---- */

static void
put_number (GByteArray *bytes, guint64 number)
{
  g_byte_array_append (bytes, (const guint8 *) &number, sizeof number);
}

static void
put_text (GByteArray *bytes, const char *text)
{
  put_number (bytes, strlen (text));
  g_byte_array_append (bytes, (const guint8 *) text, strlen (text));
}

static void
get_digest (gconstpointer data, gsize size, guint8 *digest)
{
  EskSha256 sum;

  esk_sha256_begin (&sum);
  esk_sha256_add (&sum, data, size);
  esk_sha256_end (&sum, digest);
}

GByteArray *
es_checkpoint_pack (const GArray *facts, GHashTable *pieces)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GList) names = g_list_sort (g_hash_table_get_keys (pieces), (GCompareFunc) strcmp);
  guint8 digest[DIGEST_BYTES];

  g_byte_array_append (bytes, (const guint8 *) signature, SIGNATURE_BYTES);
  put_number (bytes, MARK);
  put_number (bytes, 0);
  put_number (bytes, facts->len);
  for (guint i = 0; i < facts->len; i++)
    {
      const EsCheckpointFact *fact = &g_array_index (facts, EsCheckpointFact, i);

      put_text (bytes, fact->key);
      put_text (bytes, fact->value);
    }
  put_number (bytes, g_list_length (names));
  for (GList *name = names; name != NULL; name = name->next)
    {
      gsize size;
      const guint8 *data = g_bytes_get_data (g_hash_table_lookup (pieces, name->data), &size);

      put_text (bytes, name->data);
      put_number (bytes, size);
      g_byte_array_append (bytes, data, size);
    }

  const guint64 total = bytes->len + DIGEST_BYTES;
  memcpy (bytes->data + HEADER_BYTES - sizeof total, &total, sizeof total);
  get_digest (bytes->data, bytes->len, digest);
  g_byte_array_append (bytes, digest, DIGEST_BYTES);
  return bytes;
}

/* ---- reading ---- */

gboolean
es_checkpoint_take (EsCheckpointReader *reader, gpointer to, gsize size)
{
  if (size > reader->left)
    return FALSE;
  if (size > 0) /* an empty array has no address */
    memcpy (to, reader->data, size);
  reader->data += size;
  reader->left -= size;
  return TRUE;
}

static gboolean
take_text (EsCheckpointReader *reader, char **text)
{
  guint64 length;

  if (!es_checkpoint_take (reader, &length, sizeof length) || length > reader->left)
    return FALSE;
  *text = g_strndup ((const char *) reader->data, length);
  reader->data += length;
  reader->left -= length;
  return TRUE;
}

static EsCheckpointReader
open_content (GBytes *bytes)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  return (EsCheckpointReader) { data + HEADER_BYTES, size - HEADER_BYTES - DIGEST_BYTES };
}

gboolean
es_checkpoint_recognise (GFile *file, gboolean *exists)
{
  g_autoptr (GFileInputStream) stream = NULL;
  char start[KIND_BYTES];
  gsize n = 0;

  *exists = g_file_query_exists (file, NULL);
  if (!*exists || g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_REGULAR)
    return FALSE;
  stream = g_file_read (file, NULL, NULL);
  return stream != NULL && g_input_stream_read_all (G_INPUT_STREAM (stream), start, sizeof start, &n, NULL, NULL)
         && n == sizeof start && memcmp (start, signature, n) == 0;
}

GBytes *
es_checkpoint_load (GFile *file, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) failure = NULL;
  guint64 header[2];
  guint8 digest[DIGEST_BYTES];
  gsize size;

  bytes = g_file_load_bytes (file, NULL, NULL, &failure);
  if (bytes == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("The checkpoint “%s” could not be read: %s."), name,
                   failure->message);
      return NULL;
    }
  const guint8 *data = g_bytes_get_data (bytes, &size);
  if (size < KIND_BYTES || memcmp (data, signature, KIND_BYTES) != 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is no checkpoint of a run."), name);
      return NULL;
    }
  if (size < HEADER_BYTES + DIGEST_BYTES)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, _("The checkpoint “%s” ends in its header."), name);
      return NULL;
    }
  memcpy (header, data + SIGNATURE_BYTES, sizeof header);
  if (memcmp (data, signature, SIGNATURE_BYTES) != 0 || header[0] != MARK)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The checkpoint “%s” has another format than that of this program, or comes from another kind of "
                     "machine."), name);
      return NULL;
    }
  if (header[1] != size)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The checkpoint “%s” is broken: it has %llu bytes, where its header promises %llu."), name,
                   (unsigned long long) size, (unsigned long long) header[1]);
      return NULL;
    }
  get_digest (data, size - DIGEST_BYTES, digest);
  if (memcmp (digest, data + size - DIGEST_BYTES, DIGEST_BYTES) != 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("The checkpoint “%s” is damaged: its checksum is not that of its content."), name);
      return NULL;
    }
  return g_steal_pointer (&bytes);
}

/* Keys to values; NULL: it is not what it should be. */
static GHashTable *
take_facts (EsCheckpointReader *reader)
{
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint64 n;

  if (!es_checkpoint_take (reader, &n, sizeof n))
    return NULL;
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *key = NULL, *value = NULL;

      if (!take_text (reader, &key) || !take_text (reader, &value))
        return NULL;
      g_hash_table_replace (values, g_steal_pointer (&key), g_steal_pointer (&value));
    }
  return g_steal_pointer (&values);
}

/* For people, and not longer than a sentence bears. */
static char *
show_value (const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);

  if (g_utf8_strlen (valid, -1) <= 60)
    return g_steal_pointer (&valid);
  g_autofree char *start = g_utf8_substring (valid, 0, 57);
  return g_strconcat (start, "…", NULL);
}

gboolean
es_checkpoint_compare (GFile *file, GBytes *bytes, const GArray *facts, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  EsCheckpointReader reader = open_content (bytes);
  g_autoptr (GHashTable) values = take_facts (&reader);

  for (guint i = 0; values != NULL && i < facts->len; i++)
    {
      const EsCheckpointFact *fact = &g_array_index (facts, EsCheckpointFact, i);
      const char *value = g_hash_table_lookup (values, fact->key);
      g_autofree char *there = show_value (value != NULL ? value : ""), *here = show_value (fact->value);

      if (g_strcmp0 (value, fact->value) == 0)
        continue;
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("The checkpoint “%s” is of another run: %s is “%s” there and “%s” here."), name, fact->label,
                   there, here);
      return FALSE;
    }
  if (values != NULL && g_hash_table_size (values) == facts->len)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("The checkpoint “%s” is damaged: it does not say which run it is of."), name);
  return FALSE;
}

gboolean
es_checkpoint_unpack (GBytes *bytes, GHashTable *pieces)
{
  EsCheckpointReader reader = open_content (bytes);
  g_autoptr (GHashTable) values = take_facts (&reader);
  guint64 n, size;

  if (values == NULL || !es_checkpoint_take (&reader, &n, sizeof n))
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *name = NULL;

      if (!take_text (&reader, &name) || !es_checkpoint_take (&reader, &size, sizeof size) || size > reader.left)
        return FALSE;
      g_hash_table_replace (pieces, g_steal_pointer (&name), g_bytes_new (reader.data, size));
      reader.data += size;
      reader.left -= size;
    }
  return reader.left == 0;
}
