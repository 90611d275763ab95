/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-address.h"

#include <string.h>

static const char * const servers[] = { "/vsicurl/", "/vsis3/" };
static const char * const archives[] = { "/vsizip/", "/vsitar/", "/vsigzip/" };
static const char * const schemes[] = { "http:", "https:", "ftp:" };

G_LOCK_DEFINE_STATIC (allowed);
static GPtrArray *allowed;     /* of char *: folders, with a slash at the end */

/* The one that a path begins with; NULL: none. */
static const char *
find_prefix (const char *path, const char * const *list, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (g_str_has_prefix (path, list[i]))
      return list[i];
  return NULL;
}

gboolean
es_address_is (const char *path)
{
  return find_prefix (path, servers, G_N_ELEMENTS (servers)) != NULL
         || find_prefix (path, archives, G_N_ELEMENTS (archives)) != NULL;
}

/* "http:/host" becomes "http://host". */
static void
append_url (GString *address, const char *url)
{
  for (gsize i = 0; i < G_N_ELEMENTS (schemes); i++)
    if (g_ascii_strncasecmp (url, schemes[i], strlen (schemes[i])) == 0)
      {
        const char *rest = url + strlen (schemes[i]);

        g_string_append_len (address, url, rest - url);
        g_string_append (address, "//");
        url = rest + strspn (rest, "/");
        break;
      }
  g_string_append (address, url);
}

/* Whether an archive lies at the path, or at one of the folders that it goes through. */
static gboolean
goes_through_file (const char *inside)
{
  g_autofree char *path = g_strdup (inside);

  for (char *end = path + strlen (path); end != NULL && end > path; end = strrchr (path, '/'))
    {
      *end = '\0';
      if (g_file_test (path, G_FILE_TEST_IS_REGULAR))
        return TRUE;
    }
  return FALSE;
}

char *
es_address_find (const char *path)
{
  g_autoptr (GString) address = g_string_new (NULL);
  const char *prefix;

  if (path == NULL || !es_address_is (path))
    return NULL;
  while ((prefix = find_prefix (path, archives, G_N_ELEMENTS (archives))) != NULL)
    {
      g_string_append (address, prefix);
      path += strlen (prefix);
      if (g_str_has_prefix (path, "vsi"))
        path--;
    }
  prefix = find_prefix (path, servers, G_N_ELEMENTS (servers));
  if (prefix == NULL)
    {
      /* As a rule an archive is named from the root on. */
      if (*path != '/' && !goes_through_file (path))
        g_string_append_c (address, '/');
      g_string_append (address, path);
      return g_string_free (g_steal_pointer (&address), FALSE);
    }
  g_string_append (address, prefix);
  path += strlen (prefix);
  if (strcmp (prefix, "/vsicurl/") == 0)
    append_url (address, path);
  else
    g_string_append (address, path);
  return g_string_free (g_steal_pointer (&address), FALSE);
}

/* How much of an address is the server, the store or the archive's file system, which nobody allows as a whole. */
static gsize
root_length (const char *address)
{
  const char *server = NULL, *end;

  for (gsize i = 0; server == NULL && i < G_N_ELEMENTS (servers); i++)
    if ((server = strstr (address, servers[i])) != NULL)
      server += strlen (servers[i]);
  if (server == NULL)
    return strlen (find_prefix (address, archives, G_N_ELEMENTS (archives))) + 1;
  end = strstr (server, "://");
  end = strchr (end != NULL ? end + 3 : server, '/');
  return end != NULL ? (gsize) (end - address) : strlen (address);
}

void
es_address_allow (const char *path)
{
  /* As it comes back from GLib's files. */
  g_autofree char *plain = es_address_is (path) ? g_canonicalize_filename (path, "/") : NULL;
  g_autofree char *address = es_address_find (plain), *folder = NULL;
  const char *slash;

  if (address == NULL)
    return;
  slash = strrchr (address, '/');
  folder = (gsize) (slash - address) >= root_length (address) ? g_strndup (address, (gsize) (slash - address) + 1)
                                                              : g_strconcat (address, "/", NULL);
  G_LOCK (allowed);
  if (allowed == NULL)
    allowed = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (allowed, g_steal_pointer (&folder));
  G_UNLOCK (allowed);
}

gboolean
es_address_any_is_allowed (void)
{
  gboolean any;

  G_LOCK (allowed);
  any = allowed != NULL;
  G_UNLOCK (allowed);
  return any;
}

gboolean
es_address_is_allowed (const char *address)
{
  gboolean found = FALSE;

  if (strstr (address, "/../") != NULL || g_str_has_suffix (address, "/.."))
    return FALSE;
  G_LOCK (allowed);
  for (guint i = 0; allowed != NULL && !found && i < allowed->len; i++)
    {
      const char *folder = g_ptr_array_index (allowed, i);
      const gsize length = strlen (folder) - 1;

      /* A server's root goes without its slash as well. */
      found = strncmp (address, folder, length) == 0 && (address[length] == '/' || address[length] == '\0');
    }
  G_UNLOCK (allowed);
  return found;
}

char *
es_address_guard (const char *address)
{
  return g_strconcat (ES_ADDRESS_GUARD, address, NULL);
}

const char *
es_address_of_guarded (const char *path)
{
  return g_str_has_prefix (path, ES_ADDRESS_GUARD) ? path + strlen (ES_ADDRESS_GUARD) : NULL;
}
