/* SPDX-License-Identifier: MIT */
#pragma once

#include "support/tau-test-dir.h"
#include "support/tau-test-loop.h"
#include "support/tau-test-server.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* A home, a project folder and a model server for the program, and the program itself. One Chat Completions model is
 * configured, mock/m1. */
typedef struct
{
  TauTestDir    *home;
  TauTestServer *server;
  char          *project;
  GSubprocess   *process;
  GString       *output; /* standard output so far */
  char          *errors; /* standard error, when it has ended */
  int            exit_code;
  guint          open_reads;
} CliFixture;

/* "mock/m1 answers text" as a line of the server's script. */
char *cli_fixture_answer     (const char *text);

void  cli_fixture_set_up     (CliFixture *self, gconstpointer data);
void  cli_fixture_tear_down  (CliFixture *self, gconstpointer data);
void  cli_fixture_will_say   (CliFixture *self, const char *text);
void  cli_fixture_start      (CliFixture *self, const char * const *arguments);
void  cli_fixture_send       (CliFixture *self, const char *text);   /* to standard input, which stays open */
void  cli_fixture_end_input  (CliFixture *self);
void  cli_fixture_wait       (CliFixture *self);   /* until the program has ended */
void  cli_fixture_run        (CliFixture *self, const char *input /* nullable: empty */, const char *first, ...) G_GNUC_NULL_TERMINATED;
void  cli_fixture_wait_for   (CliFixture *self, const char *text);   /* until it stands in the output */
char *cli_fixture_session    (CliFixture *self);   /* the text of the only session file; NULL if there is none */

#define cli_test(path, function) \
  g_test_add (path, CliFixture, NULL, cli_fixture_set_up, function, cli_fixture_tear_down)

G_END_DECLS
