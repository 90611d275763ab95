/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-part-internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/es-file-internal.h"

#define ATTEMPTS 100
#define DIGITS 8               /* of each of the three numbers of a tag */
/* Names are cut: the whole must keep within 255 bytes. */
#define LONGEST_NAME 96
/* A file that another host has made is not everywhere at once. */
#define JOIN_SECONDS 15
#define JOIN_PAUSE (G_USEC_PER_SEC / 20)
#define WEEK_SECONDS (7 * 24 * 3600)

/* Not in every system's linux/magic.h. */
#define LOCAL_BCACHEFS 0xca451a4e
#define LOCAL_EXFAT    0x2011BAB0
#define LOCAL_NTFS3    0x7366746e
#define LOCAL_XFS      0x58465342
#define LOCAL_ZFS      0x2fc12fc1

static const char * const kinds[] = { [ES_PART_NEW] = ".part-", [ES_PART_ASIDE] = ".old-" };

const char *
es_part_boot (void)
{
  static char boot[DIGITS + 1] = "";
  static gsize once = 0;

  if (g_once_init_enter (&once))
    {
      g_autofree char *id = NULL;
      gsize length = 0;

      memset (boot, '0', DIGITS);
      if (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &id, &length, NULL))
        for (gsize i = 0; i < MIN (length, DIGITS); i++)
          boot[i] = g_ascii_isxdigit (id[i]) ? g_ascii_tolower (id[i]) : '0';
      g_once_init_leave (&once, 1);
    }
  return boot;
}

/* The check that closes a tag; name: all before the tag. */
static void
make_check (const char *name, gsize length, const char *numbers, char *check)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);

  g_checksum_update (checksum, (const guchar *) "Eigenscope", -1);
  g_checksum_update (checksum, (const guchar *) name, (gssize) length);
  g_checksum_update (checksum, (const guchar *) numbers, 2 * DIGITS);
  g_strlcpy (check, g_checksum_get_string (checksum), DIGITS + 1);
}

char *
es_part_name (const char *path, EsPartKind kind)
{
  g_autofree char *directory = g_path_get_dirname (path);
  g_autofree char *base = g_path_get_basename (path);
  char check[DIGITS + 1];
  gsize length = strlen (base);

  if (length > LONGEST_NAME)
    {
      length = LONGEST_NAME;
      while (length > 0 && ((guint8) base[length] & 0xc0) == 0x80)
        length--;
    }
  for (;;)
    {
      g_autofree char *front = g_strdup_printf (".%.*s%s", (int) length, base, kinds[kind]);
      g_autofree char *numbers = g_strdup_printf ("%s%08x", es_part_boot (), g_random_int ());
      struct stat status;

      make_check (front, strlen (front), numbers, check);
      g_autofree char *name = g_strconcat (front, numbers, check, NULL);
      char *candidate = g_build_filename (directory, name, NULL);
      if (lstat (candidate, &status) != 0)
        return candidate;
      g_free (candidate);
    }
}

gboolean
es_part_is_name (const char *name)
{
  const gsize length = strlen (name);
  char check[DIGITS + 1];

  if (*name != '.' || length <= 3 * DIGITS)
    return FALSE;

  const char *tag = name + length - 3 * DIGITS;
  gsize front = length - 3 * DIGITS;
  gboolean known = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    known |= front > strlen (kinds[i]) && strncmp (tag - strlen (kinds[i]), kinds[i], strlen (kinds[i])) == 0;
  if (!known)
    return FALSE;
  make_check (name, front, tag, check);
  return strcmp (tag + 2 * DIGITS, check) == 0;
}

gboolean
es_part_lock (int fd, gboolean shared)
{
  struct flock lock = { .l_type = shared ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET };

  return fcntl (fd, F_OFD_SETLK, &lock) == 0;
}

int
es_part_open (const char *path, char **part, GError **error)
{
  for (guint attempt = 0; attempt < ATTEMPTS; attempt++)
    {
      g_autofree char *candidate = es_part_name (path, ES_PART_NEW);
      int fd = open (candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      struct stat status;

      if (fd < 0 && errno == EEXIST)
        continue;
      if (fd < 0)
        {
          es_file_set_error (error, path, errno);
          return -1;
        }
      /* Where there are no locks nobody can take it for a dead one's either. In between somebody may have. */
      if ((!es_part_lock (fd, FALSE) && errno == EAGAIN) || (fstat (fd, &status) == 0 && status.st_nlink == 0))
        {
          close (fd);
          continue;
        }
      *part = g_steal_pointer (&candidate);
      return fd;
    }
  es_file_set_error (error, path, EEXIST);
  return -1;
}

int
es_part_join (const char *part, const char *path, GError **error)
{
  const gint64 end = g_get_monotonic_time () + JOIN_SECONDS * G_USEC_PER_SEC;
  g_autofree char *directory = g_path_get_dirname (part);

  for (;;)
    {
      const int fd = open (part, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
      const int code = errno;

      if (fd >= 0)
        return fd;
      if ((code != ENOENT && code != ESTALE) || g_get_monotonic_time () > end)
        {
          es_file_set_error (error, path, code);
          return -1;
        }
      g_usleep (JOIN_PAUSE);
      /* Who reads a folder asks the server what is in it now. */
      g_autoptr (GDir) names = g_dir_open (directory, 0, NULL);
      while (names != NULL && g_dir_read_name (names) != NULL)
        ;
    }
}

gboolean
es_part_is_local (int fd)
{
  static const guint32 local[] = {
    EXT4_SUPER_MAGIC, BTRFS_SUPER_MAGIC, TMPFS_MAGIC, F2FS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC, MSDOS_SUPER_MAGIC,
    LOCAL_BCACHEFS, LOCAL_EXFAT, LOCAL_NTFS3, LOCAL_XFS, LOCAL_ZFS,
  };
  struct statfs system;

  if (fstatfs (fd, &system) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (local); i++)
    if ((guint32) system.f_type == local[i])
      return TRUE;
  return FALSE;
}

/* A lock is told to other machines or not, as somebody has mounted what they share. */
static gboolean
is_dead (int fd, const char *name, const struct stat *status)
{
  const char *boot = name + strlen (name) - 3 * DIGITS;

  return es_part_lock (fd, FALSE)
         && (strncmp (boot, es_part_boot (), DIGITS) == 0 || es_part_is_local (fd)
             || g_get_real_time () / G_USEC_PER_SEC - status->st_mtime > WEEK_SECONDS);
}

static void
clear_one (int directory, const char *name)
{
  /* Never to wait, nor to follow: it may be anything. */
  int fd = openat (directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status;

  if (fd < 0)
    return;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_uid == geteuid ()
      && is_dead (fd, name, &status))
    unlinkat (directory, name, 0);
  close (fd);
}

void
es_part_clear (const char *directory)
{
  g_autoptr (GDir) names = g_dir_open (directory, 0, NULL);
  int fd = names != NULL ? open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  const char *name;

  while (fd >= 0 && (name = g_dir_read_name (names)) != NULL)
    if (es_part_is_name (name))
      clear_one (fd, name);
  if (fd >= 0)
    close (fd);
}
