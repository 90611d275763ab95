/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"

G_BEGIN_DECLS

/* What is tried after something failed on a device. */
typedef enum
{
  ES_FALLBACK_NONE,            /* nothing: the error is told */
  ES_FALLBACK_LESS_MEMORY,     /* the same device, with less of its memory */
  ES_FALLBACK_CPU,
} EsFallback;

/* Which failures of a GPU the CPU makes up for; each includes those above it. None makes up for wrong parameters. */
typedef enum
{
  ES_FALLBACK_FOR_MEMORY,      /* it is full: a device that somebody chose and that fails is to be known */
  ES_FALLBACK_FOR_DEVICE,      /* it fails, is lost, or cannot be started */
  ES_FALLBACK_FOR_ANYTHING,    /* whatever it could not compute: what plays is to go on */
} EsFallbackFor;

/*
 * The one rule of who computes next. device: where it failed; nullable. memory: NULL where less of it is of no use;
 * else in: what the attempt was limited to, 0 for the whole budget, and with ES_FALLBACK_LESS_MEMORY out: what the next
 * one is to be limited to.
 */
EsFallback es_device_fall_back (EsDevice *device, const GError *error, EsFallbackFor what_for, guint64 *memory);

G_END_DECLS
