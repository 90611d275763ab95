/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-claim-hdf5-internal.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-memory-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "libraries/es-hdf5-library-internal.h"

#define MOST_OBJECTS  20000u
#define DEEPEST       32u
/* Links to groups that are known already: who follows names instead of groups takes ever more ways to the same few. */
#define MOST_REPEATED 8u
#define MOST_MAPPINGS 10000u
#define MOST_CHUNKS   4096u
/* So many places of chunks are looked up. */
#define MOST_PLACES   ((guint64) 1 << 20)
/* A chunk is unpacked as a whole. Of this size it may be nearly nothing in the file; larger ones have to hold what they
 * promise, packed to no less than this share. */
#define FREE_CHUNK    ((guint64) 256 * 1024 * 1024)
#define LEAST_SHARE   64u

/* Where an object lies in the file: names may be many. */
typedef struct
{
#if H5_VERSION_GE (1, 12, 0)
  H5O_token_t place;
#else
  haddr_t     place;
#endif
} Place;

typedef struct
{
  char  *path;
  guint  depth;
} Group;

typedef struct
{
  const char   *name;          /* the file's, for messages */
  hid_t         file;
  GCancellable *cancellable;
  GHashTable   *seen;          /* of Place */
  guint         repeated;      /* groups that were met again */
  GPtrArray    *groups;        /* of Group: still to be looked through */
  GPtrArray    *names;         /* of the group that is looked at */
  char         *elsewhere;
  GError      **error;
} Walk;

static guint
place_hash (gconstpointer place)
{
  const guint8 *bytes = place;
  guint hash = 5381;

  for (gsize i = 0; i < sizeof (Place); i++)
    hash = hash * 33 + bytes[i];
  return hash;
}

static gboolean
place_equal (gconstpointer a, gconstpointer b)
{
  return memcmp (a, b, sizeof (Place)) == 0;
}

static void
group_free (gpointer data)
{
  Group *group = data;

  g_free (group->path);
  g_free (group);
}

static void
add_group (Walk *walk, const char *path, guint depth)
{
  Group *group = g_new (Group, 1);

  group->path = g_strdup (path);
  group->depth = depth;
  g_ptr_array_add (walk->groups, group);
}

/* Whatever a name or a path of a file is, a message can show it. */
static char *
shown (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  return g_utf8_substring (valid, 0, MIN (g_utf8_strlen (valid, -1), 80));
}

static gboolean
refuse_elsewhere (Walk *walk, const char *dataset, const char *other)
{
  g_autofree char *dataset_shown = shown (dataset), *other_shown = shown (other);

  g_set_error (walk->error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
               _("“%s” keeps the samples “%s” in another file, “%s”; no other file is read because a file names it"),
               walk->name, dataset_shown, other_shown);
  return FALSE;
}

static gboolean
check_virtual (Walk *walk, hid_t plist, const char *path)
{
  size_t n = 0;

  if (H5Pget_virtual_count (plist, &n) < 0)
    return TRUE;
  for (size_t i = 0; i < n; i++)
    {
      char other[256] = "";

      if (i >= MOST_MAPPINGS || H5Pget_virtual_filename (plist, i, other, sizeof other) < 0)
        return refuse_elsewhere (walk, path, "…");
      /* "." is the file itself. */
      if (strcmp (other, ".") != 0)
        return refuse_elsewhere (walk, path, other);
    }
  return TRUE;
}

static gboolean
check_external (Walk *walk, hid_t plist, const char *path)
{
  char other[256] = "";
  off_t offset;
  hsize_t size;

  if (H5Pget_external_count (plist) <= 0)
    return TRUE;
  if (H5Pget_external (plist, 0, sizeof other - 1, other, &offset, &size) < 0)
    other[0] = '\0';
  return refuse_elsewhere (walk, path, other);
}

static gboolean
check_chunks (Walk *walk, hid_t dataset, hid_t plist, const char *path)
{
  hsize_t chunk[H5S_MAX_RANK];
  int n_axes = H5Pget_chunk (plist, H5S_MAX_RANK, chunk);
  hid_t type = H5Dget_type (dataset);
  guint64 bytes = type >= 0 ? H5Tget_size (type) : 1;
  gboolean ok = TRUE;

  if (type >= 0)
    H5Tclose (type);
  for (int i = 0; i < n_axes; i++)
    if (__builtin_mul_overflow (bytes, (guint64) chunk[i], &bytes))
      bytes = G_MAXUINT64;
  if (bytes > FREE_CHUNK)
    ok = bytes <= es_memory_total () / 8 && H5Dget_storage_size (dataset) >= bytes / LEAST_SHARE;
  if (!ok)
    {
      g_autofree char *path_shown = shown (path);
      g_autofree char *size = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *stored = g_format_size_full (H5Dget_storage_size (dataset), G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (walk->error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("“%s” keeps “%s” in chunks that unpack to %s each, of which the file holds %s in all; smaller "
                     "chunks were expected"), walk->name, path_shown, size, stored);
    }
  return ok;
}

/* Samples that lie together, in the file or in the header of their dataset: as many as there are to be? The library
 * itself reads on behind them, in what else is in memory. */
static gboolean
check_plain (Walk *walk, hid_t dataset, const char *path)
{
  hid_t space = H5Dget_space (dataset), type = H5Dget_type (dataset);
  const guint64 stored = H5Dget_storage_size (dataset);
  gssize n = space >= 0 ? H5Sget_simple_extent_npoints (space) : 0;
  guint64 bytes = 0;

  if (n > 0 && type >= 0 && __builtin_mul_overflow ((guint64) n, (guint64) H5Tget_size (type), &bytes))
    bytes = G_MAXUINT64;
  if (type >= 0)
    H5Tclose (type);
  if (space >= 0)
    H5Sclose (space);
  if (stored > 0 && stored < bytes)
    {
      g_autofree char *path_shown = shown (path);

      g_set_error (walk->error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("“%s” holds %" PRIu64 " bytes of “%s”; its size promises %" PRIu64), walk->name, stored,
                   path_shown, bytes);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_dataset (Walk *walk, const char *path)
{
  hid_t dataset = H5Dopen2 (walk->file, path, H5P_DEFAULT), plist;
  gboolean ok = TRUE;

  if (dataset < 0)
    return TRUE;
  plist = H5Dget_create_plist (dataset);
  if (plist >= 0)
    {
      H5D_layout_t layout = H5Pget_layout (plist);

      ok = check_external (walk, plist, path);
      if (ok && layout == H5D_VIRTUAL)
        ok = check_virtual (walk, plist, path);
      else if (ok && layout == H5D_CHUNKED)
        ok = check_chunks (walk, dataset, plist, path);
      else if (ok && (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT))
        ok = check_plain (walk, dataset, path);
      H5Pclose (plist);
    }
  H5Dclose (dataset);
  return ok;
}

static herr_t
take_link (hid_t group, const char *name, const H5L_info_t *info, void *data)
{
  Walk *walk = data;

  if (walk->names->len > MOST_OBJECTS || g_cancellable_is_cancelled (walk->cancellable))
    return 1;
  if (info->type == H5L_TYPE_HARD)
    g_ptr_array_add (walk->names, g_strdup (name));
  /* Which file it leads to nobody can tell: es_hdf_lock () has the library forget such links. */
  else if (info->type == H5L_TYPE_EXTERNAL && walk->elsewhere == NULL)
    walk->elsewhere = shown (name);
  return 0;
}

/* FALSE: it has been looked at under another name, or cannot be told. */
static gboolean
is_new (Walk *walk, hid_t group, const char *name, H5O_type_t *type)
{
  gboolean added;
  Place *place = g_new0 (Place, 1);
  H5O_info_t info;

#if H5_VERSION_GE (1, 12, 0)
  if (H5Oget_info_by_name3 (group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    {
      g_free (place);
      return FALSE;
    }
  place->place = info.token;
#else
  if (H5Oget_info_by_name2 (group, name, &info, H5O_INFO_BASIC, H5P_DEFAULT) < 0)
    {
      g_free (place);
      return FALSE;
    }
  place->place = info.addr;
#endif
  *type = info.type;
  added = g_hash_table_add (walk->seen, place);
  walk->repeated += !added && info.type == H5O_TYPE_GROUP;
  return added;
}

static gboolean
refuse_many (Walk *walk)
{
  g_set_error (walk->error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("“%s” holds more than %u groups and datasets, groups nested more than %u deep, or groups that hold "
                 "each other"), walk->name, MOST_OBJECTS, DEEPEST);
  return FALSE;
}

static gboolean
look_through (Walk *walk, const Group *which)
{
  hid_t group = H5Gopen2 (walk->file, which->path, H5P_DEFAULT);
  gboolean ok = TRUE;

  if (group < 0)
    return TRUE;
  g_ptr_array_set_size (walk->names, 0);
  H5Literate (group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, take_link, walk);
  for (guint i = 0; i < walk->names->len && ok; i++)
    {
      const char *name = g_ptr_array_index (walk->names, i);
      g_autofree char *path = NULL;
      H5O_type_t type;

      if (g_cancellable_set_error_if_cancelled (walk->cancellable, walk->error))
        ok = FALSE;
      else if (!is_new (walk, group, name, &type))
        ok = walk->repeated <= MOST_REPEATED || refuse_many (walk);
      else
        {
          path = g_strconcat (strcmp (which->path, "/") == 0 ? "" : which->path, "/", name, NULL);
          if (g_hash_table_size (walk->seen) > MOST_OBJECTS)
            ok = refuse_many (walk);
          else if (type == H5O_TYPE_DATASET)
            ok = check_dataset (walk, path);
          else if (type == H5O_TYPE_GROUP && which->depth >= DEEPEST)
            ok = refuse_many (walk);
          else if (type == H5O_TYPE_GROUP)
            add_group (walk, path, which->depth + 1);
        }
    }
  H5Gclose (group);
  return ok;
}

gboolean
es_claim_hdf5 (const char *path, const char *name, GCancellable *cancellable, char **elsewhere, GError **error)
{
  Walk walk = { .name = name, .cancellable = cancellable, .error = error };
  gboolean ok = TRUE;

  *elsewhere = NULL;
  if (!es_library_load (&es_library_hdf5, name, error))
    return FALSE;
  es_hdf_lock ();
  walk.file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (walk.file >= 0)
    {
      H5O_type_t type;

      walk.seen = g_hash_table_new_full (place_hash, place_equal, g_free, NULL);
      walk.groups = g_ptr_array_new_with_free_func (group_free);
      walk.names = g_ptr_array_new_with_free_func (g_free);
      is_new (&walk, walk.file, "/", &type);
      add_group (&walk, "/", 0);
      while (ok && walk.groups->len > 0)
        {
          Group *group = g_ptr_array_steal_index_fast (walk.groups, walk.groups->len - 1);

          ok = look_through (&walk, group);
          group_free (group);
        }
      g_ptr_array_unref (walk.names);
      g_ptr_array_unref (walk.groups);
      g_hash_table_unref (walk.seen);
      H5Fclose (walk.file);
    }
  else
    {
      ok = FALSE;
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” begins like a file of the format %s but cannot be read as one: it is damaged or cut short"),
                   name, "HDF5");
    }
  es_hdf_unlock ();
  if (ok)
    *elsewhere = g_steal_pointer (&walk.elsewhere);
  g_free (walk.elsewhere);
  return ok;
}

/* Numbers whose bits lie within their bytes: the library does not look. */
static gboolean
is_sound_type (hid_t dataset)
{
  hid_t type = H5Dget_type (dataset);
  const H5T_class_t class = type >= 0 ? H5Tget_class (type) : H5T_NO_CLASS;
  gboolean ok = TRUE;

  if (class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_BITFIELD)
    ok = H5Tget_offset (type) >= 0
         && (guint64) H5Tget_offset (type) + H5Tget_precision (type) <= 8 * (guint64) H5Tget_size (type);
  if (type >= 0)
    H5Tclose (type);
  return ok;
}

/* How many chunks a dataset has, written or not; 0: it is not in chunks. */
static guint64
count_chunks (hid_t plist, hid_t space)
{
  hsize_t chunk[H5S_MAX_RANK], lengths[H5S_MAX_RANK];
  int n_axes = H5Pget_chunk (plist, H5S_MAX_RANK, chunk);
  guint64 n = 1;

  if (n_axes <= 0 || H5Sget_simple_extent_ndims (space) != n_axes ||
      H5Sget_simple_extent_dims (space, lengths, NULL) != n_axes)
    return 0;
  for (int i = 0; i < n_axes; i++)
    if (chunk[i] == 0 || __builtin_mul_overflow (n, (lengths[i] + chunk[i] - 1) / chunk[i], &n))
      return 0;
  return n;
}

#if H5_VERSION_GE (1, 10, 5)
/* Every chunk that is not packed has as many bytes as a chunk has: the library reads on behind shorter ones, in what
 * else is in memory. Of very many the first are looked at, as each look goes through all before it. */
static gboolean
chunks_are_whole (hid_t dataset, hid_t plist, hid_t space, guint64 n)
{
  hsize_t chunk[H5S_MAX_RANK];
  int n_axes = H5Pget_chunk (plist, H5S_MAX_RANK, chunk), n_filters = H5Pget_nfilters (plist);
  hid_t type = H5Dget_type (dataset);
  guint64 bytes = type >= 0 ? H5Tget_size (type) : 0;
  gboolean ok = TRUE;

  if (type >= 0)
    H5Tclose (type);
  for (int i = 0; i < n_axes; i++)
    if (__builtin_mul_overflow (bytes, (guint64) chunk[i], &bytes))
      return FALSE;
  for (guint64 i = 0; i < MIN (n, MOST_CHUNKS) && ok; i++)
    {
      const guint all = n_filters > 0 && n_filters < 32 ? (1u << n_filters) - 1 : 0;
      guint skipped = 0;
      hsize_t size = 0, where[H5S_MAX_RANK];
      haddr_t at;

      if (H5Dget_chunk_info (dataset, space, i, where, &skipped, &at, &size) >= 0 && (skipped & all) == all)
        ok = size >= bytes;
    }
  return ok;
}
#endif

#if H5_VERSION_GE (1, 10, 5)
/* Are all of them where chunks begin, and within the dataset? The library finds the others nowhere, and takes what they
 * hold for never written. */
static gboolean
chunks_are_in_place (hid_t dataset, hid_t plist, hid_t space, guint64 all, guint64 written)
{
  hsize_t chunk[H5S_MAX_RANK], lengths[H5S_MAX_RANK], at[H5S_MAX_RANK] = { 0 };
  const int n_axes = H5Pget_chunk (plist, H5S_MAX_RANK, chunk);
  guint64 found = 0;

  if (all > MOST_PLACES || H5Sget_simple_extent_dims (space, lengths, NULL) != n_axes)
    return TRUE;
  for (guint64 i = 0; i < all && found < written; i++)
    {
      hsize_t size = 0;
      int k = n_axes - 1;

      found += H5Dget_chunk_storage_size (dataset, at, &size) >= 0 && size > 0;
      while (k >= 0 && (at[k] += chunk[k]) >= lengths[k])
        at[k--] = 0;
    }
  return found == written;
}
#endif

gboolean
es_claim_hdf5_is_written (const char *path, const char *name, const char *dataset_path, guint64 *missing, guint64 *all,
                          GError **error)
{
  hid_t file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = -1, plist = -1, space = -1;
  gboolean ok = TRUE;

  *missing = *all = 0;
  if (file >= 0)
    dataset = H5Dopen2 (file, dataset_path, H5P_DEFAULT);
  if (dataset >= 0)
    plist = H5Dget_create_plist (dataset);
  if (plist >= 0 && H5Pget_layout (plist) != H5D_VIRTUAL)
    {
      space = H5Dget_space (dataset);
      ok = H5Dget_storage_size (dataset) > 0 || (space >= 0 && H5Sget_simple_extent_npoints (space) == 0);
    }
#if H5_VERSION_GE (1, 10, 5)
  if (ok && space >= 0 && H5Pget_layout (plist) == H5D_CHUNKED)
    {
      hsize_t written = 0;

      *all = count_chunks (plist, space);
      if (*all > 0 && H5Dget_num_chunks (dataset, space, &written) >= 0 && written < *all)
        *missing = *all - written;
      if (!is_sound_type (dataset) || written > *all || !chunks_are_whole (dataset, plist, space, written)
          || !chunks_are_in_place (dataset, plist, space, *all, written))
        {
          g_autofree char *dataset_shown = shown (dataset_path);

          ok = FALSE;
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                       _("The samples “%s” of “%s” cannot be read: they are damaged, cut short or packed in a way that "
                         "is not known here"), dataset_shown, name);
        }
    }
  else
#endif
  if (!ok)
    {
      g_autofree char *dataset_shown = shown (dataset_path);

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The samples “%s” of “%s” were never written: the file holds their size and nothing else"),
                   dataset_shown, name);
    }
  if (space >= 0)
    H5Sclose (space);
  if (plist >= 0)
    H5Pclose (plist);
  if (dataset >= 0)
    H5Dclose (dataset);
  if (file >= 0)
    H5Fclose (file);
  return ok;
}
