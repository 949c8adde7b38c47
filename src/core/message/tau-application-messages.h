/* SPDX-License-Identifier: MIT */
#pragma once

/* All messages that the coding agent adds to user, assistant and toolResult, for those who meet each of them. */
#include "core/message/tau-artifact-message.h"
#include "core/message/tau-bash-execution-message.h"
#include "core/message/tau-branch-summary-message.h"
#include "core/message/tau-compaction-summary-message.h"
#include "core/message/tau-custom-message.h"
#include "core/message/tau-unknown-message.h"
#include "core/message/tau-user-attachments-message.h"
