/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void tau_task_run_in_thread (GTask *task, GTaskThreadFunc func);   /* like g_task_run_in_thread(), but @task ends where it began */

G_END_DECLS
