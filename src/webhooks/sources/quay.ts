/** Quay: image pushes, as described in "Repository notifications". Its requests aren't signed. */

import { isJsonObject, type JsonValue, listAt, textAt, webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedRef, readJson } from "../payload.ts";
import { proofByUrl } from "../proof.ts";

export const quay: HookSource = {
  ...proofByUrl,
  maxBody: webhookLimits.unprovenBody,
  read(hook, { registryHost }) {
    const payload = readJson(hook.body.toString("utf8"));
    const tags = payload.value("updated_tags", tagsAt) ?? [];
    return [pushedRef(payload.text("docker_url"), registryHost, tags)];
  },
};

/** A list of tags; in the days of schema 1, a mapping from tags to images. */
function tagsAt(value: JsonValue, path: string): readonly string[] {
  return isJsonObject(value) ? Object.keys(value) : listAt(value, path, textAt);
}
