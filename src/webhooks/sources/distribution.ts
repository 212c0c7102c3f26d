/**
 * The CNCF's Distribution, which is also Docker's registry, Debian's docker-registry, and GitLab's registry: image
 * pushes, as described in "Notifications".
 */

import { JsonReader, type JsonValue, webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { readJson } from "../payload.ts";
import { proofByAuthorization } from "../proof.ts";
import { actionsOf } from "./registry-event.ts";

export const distribution: HookSource = {
  ...proofByAuthorization,
  maxBody: webhookLimits.imageBody,
  read(hook, { registryHost }) {
    const events = readJson(hook.body.toString("utf8")).list("events", readerAt) ?? [];
    return events.flatMap((event) => actionsOf(event, registryHost));
  },
};

function readerAt(value: JsonValue, path: string): JsonReader {
  return new JsonReader(value, path);
}
