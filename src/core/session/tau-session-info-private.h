/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/session/tau-session-info.h"

G_BEGIN_DECLS

/* For those who make records: the reader of files, and the database that remembers what it read. */
struct _TauSessionInfo
{
  GObject  parent_instance;

  char    *path;
  char    *id;
  char    *cwd;
  char    *name;            /* nullable */
  char    *first_message;   /* nullable */
  char    *parent_path;     /* nullable */
  gint64   created;         /* ms */
  gint64   modified;        /* ms; 0 while nobody has said anything */
  guint    n_messages;

  gint64   number;          /* in the database; -1 if it is not there */

  char    *search_title;    /* made when first asked for, by any thread */

  /* The file as it was read, to know what has changed since. */
  gint64   file_size;
  gint64   file_time;       /* ns */
  gint64   read_size;       /* up to here it was read; 0: begin anew */
  guint    read_check;      /* of the bytes before that place */
};

TauSessionInfo *tau_session_info_new_empty (const char *path);

G_END_DECLS
