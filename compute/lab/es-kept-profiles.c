/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-kept-profiles.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-name.h"
#include "device/es-device-internal.h"
#include "es-machine-internal.h"
#include "es-upload-figures-internal.h"
#include "saving/es-durable.h"

/* Drivers keep a little of a card's memory to themselves, not always as much. */
#define MEMORY_DIFFERS 0.02
/* More than anybody has machines. */
#define MOST_FILES 200

char *
es_kept_profiles_dup_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "eigenscope", "profiles", NULL);
}

/* ---- keeping ---- */

/* Of its own number, where it has one: another card in its place has another. */
static char *
file_of (EsDeviceProfile *profile)
{
  const EsProfilePlace *place = es_device_profile_get_place (profile);
  g_autofree char *folder = es_kept_profiles_dup_folder ();
  g_autofree char *text = g_strdup_printf ("%s %s", es_device_profile_get_name (profile),
                                           *place->uuid != '\0' ? place->uuid : es_device_profile_get_id (profile));
  g_autofree char *stem = es_file_name_make (text, NULL), *name = g_strconcat (stem, ".json", NULL);

  return g_build_filename (folder, name, NULL);
}

gboolean
es_device_profile_keep (EsDeviceProfile *profile, GError **error)
{
  g_autofree char *folder = es_kept_profiles_dup_folder (), *path = NULL;
  g_autoptr (GFile) file = NULL;

  if (es_device_profile_get_place (profile)->threads == 0)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE,
                   _("The profile of “%s” is not of a device that is here, and is not kept."),
                   es_device_profile_get_name (profile));
      return FALSE;
    }
  if (!es_durable_make_folder (folder, NULL, error))
    return FALSE;
  path = file_of (profile);
  file = g_file_new_for_path (path);
  return es_device_profile_save_with_place (profile, TRUE, file, error);
}

/* ---- finding ---- */

/* 0: it is of something else; the more, the more certainly it is of this device. */
static guint
is_of (EsDeviceProfile *profile, EsDevice *device)
{
  const EskLabMachine *machine = es_device_profile_get_machine (profile);
  const EsProfilePlace *place = es_device_profile_get_place (profile);
  const double memory = (double) es_device_get_memory (device);
  EsDevice *cpu = es_device_get_cpu ();
  EsProfilePlace here = { .threads = es_device_get_lanes (cpu) };
  char name[sizeof machine->name] = "";

  /* As much of them as files tell. */
  g_utf8_strncpy (name, es_device_get_name (device), sizeof name / 6);
  g_utf8_strncpy (here.processor, es_device_get_name (cpu), sizeof here.processor / 6);
  if (strcmp (es_device_profile_get_source (profile), "measured") != 0
      || strcmp (machine->name, name) != 0
      || fabs ((double) machine->memory - memory) > MEMORY_DIFFERS * memory
      || place->threads != here.threads || strcmp (place->processor, here.processor) != 0)
    return 0;
  if (*place->uuid != '\0' && strcmp (place->uuid, es_device_get_uuid (device)) == 0)
    return 3;
  /* Another card of its kind is a good guess. */
  return strcmp (machine->id, es_device_get_id (device)) == 0 ? 2 : 1;
}

EsDeviceProfile *
es_kept_profile_find (EsDevice *device, GError **error)
{
  g_autofree char *folder = es_kept_profiles_dup_folder ();
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  g_autoptr (EsDeviceProfile) best = NULL;
  g_autoptr (GError) first = NULL;
  guint certain = 0, n = 0;

  for (const char *name; directory != NULL && n < MOST_FILES && (name = g_dir_read_name (directory)) != NULL;)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (EsDeviceProfile) profile = NULL;
      g_autoptr (GError) own = NULL;
      guint here;

      if (!g_str_has_suffix (name, ".json"))
        continue;
      n++;
      profile = es_device_profile_load (file, &own);
      if (profile == NULL && first == NULL)
        first = g_steal_pointer (&own);
      here = profile != NULL ? is_of (profile, device) : 0;
      if (here > certain
          || (here > 0 && here == certain
              && strcmp (es_device_profile_get_date (profile), es_device_profile_get_date (best)) > 0))
        {
          g_clear_pointer (&best, es_device_profile_unref);
          best = g_steal_pointer (&profile);
          certain = here;
        }
    }
  /* Whose the unreadable one was nobody knows; where there is another, it is not missed. */
  if (best == NULL && first != NULL)
    g_propagate_error (error, g_steal_pointer (&first));
  return g_steal_pointer (&best);
}

/* ---- for the program itself ---- */

typedef struct
{
  gboolean        has;
  EsUploadFigures figures;
  const char     *warning;         /* interned; nullable */
} Known;

static GMutex lock;
static GHashTable *known;        /* EsDevice -> Known */
static GStatBuf folder_then;     /* as it was when they were looked for */

static Known *
look_for (EsDevice *device)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDeviceProfile) profile = es_kept_profile_find (device, &error);
  Known *found = g_new0 (Known, 1);

  found->has = profile != NULL
               && es_upload_figures_read (profile, es_device_profile_get_place (profile)->threads, &found->figures);
  if (error != NULL)
    {
      g_autofree char *warning = g_strdup_printf (_("A kept device profile was passed over, and samples came to the "
                                                    "card as they usually do. %s"), error->message);
      found->warning = g_intern_string (warning);
    }
  return found;
}

/* What is kept meanwhile, by this program or another one, counts from then on. */
static gboolean
look_up (EsDevice *device, EsUploadFigures *figures, const char **warning)
{
  g_autofree char *folder = es_kept_profiles_dup_folder ();
  GStatBuf now;
  Known *found;

  if (g_stat (folder, &now) != 0)
    return FALSE;
  g_mutex_lock (&lock);
  if (known == NULL)
    known = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  if (now.st_mtim.tv_sec != folder_then.st_mtim.tv_sec || now.st_mtim.tv_nsec != folder_then.st_mtim.tv_nsec
      || now.st_ino != folder_then.st_ino)
    g_hash_table_remove_all (known);
  folder_then = now;
  found = g_hash_table_lookup (known, device);
  if (found == NULL)
    g_hash_table_insert (known, device, found = look_for (device));
  *figures = found->figures;
  *warning = found->warning;
  const gboolean has = found->has;
  g_mutex_unlock (&lock);
  return has;
}

void
es_kept_profiles_use (void)
{
  es_upload_set_lookup (look_up);
}
