/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What has changed of what the displays of the sonar workspace share: the argument of the signals "changed". */
typedef enum
{
  ES_SONAR_CHANGE_HISTORY = 1 << 0,   /* another one, or begun anew: everything is to be shown afresh */
  ES_SONAR_CHANGE_APPENDED = 1 << 1,  /* the record is longer */
  ES_SONAR_CHANGE_MOMENT = 1 << 2,    /* another row is the one that is looked at */
  ES_SONAR_CHANGE_BEARING = 1 << 3,
  ES_SONAR_CHANGE_FREQUENCY = 1 << 4,
  ES_SONAR_CHANGE_LOOK = 1 << 5,      /* colours and their range */
  ES_SONAR_CHANGE_NORMALISER = 1 << 6,
  ES_SONAR_CHANGE_SCROLL = 1 << 7,    /* other rows are in view */
  ES_SONAR_CHANGE_FILLED = 1 << 8,    /* rows have come or are others, or another one is heard */
  ES_SONAR_CHANGE_MARKS = 1 << 9,     /* what is drawn over the maps; whether pairs of them stand side by side */
  ES_SONAR_CHANGE_RENEWED = 1 << 10,  /* adaptive beams of other settings: all rows are to come anew */
  ES_SONAR_CHANGE_WRITING = 1 << 11,  /* how bearings and times are written, and from where they count */
  ES_SONAR_CHANGE_TURNED = 1 << 12,   /* the same true bearing, another beam: the array has turned */
  ES_SONAR_CHANGE_STRETCH = 1 << 13,  /* another stretch of time is selected, or none any more */
  ES_SONAR_CHANGE_HEARD = 1 << 14,    /* a beam is heard from another place than what plays */
  ES_SONAR_CHANGE_ALL = 0x7fff,
} EsSonarChange;
