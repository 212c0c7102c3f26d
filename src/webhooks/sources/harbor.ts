/** Harbor 1 and 2: image pushes, as described in "Configure Webhook Notifications". */

import { isJsonObject, JsonReader, type JsonValue, webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedRef, readJson } from "../payload.ts";
import { proofByAuthorization } from "../proof.ts";

/** The events of Harbor 1, Harbor 2, and Harbor 2 with CloudEvents. */
const pushes = ["pushImage", "PUSH_ARTIFACT", "harbor.artifact.pushed"];

export const harbor: HookSource = {
  ...proofByAuthorization,
  maxBody: webhookLimits.imageBody,
  read(hook, { registryHost }) {
    const payload = readJson(hook.body.toString("utf8"));
    if (!pushes.includes(payload.text("type"))) {
      return [];
    }
    const event = payload.value("event_data", eventAt) ?? payload.object("data");
    const resources = event.list("resources", urlOf) ?? [];
    // An image that was pushed without a tag is named by its digest, which no workload waits for.
    return resources.filter((url) => !url.includes("@")).map((url) => pushedRef(url, registryHost));
  },
};

function eventAt(value: JsonValue, path: string): JsonReader | undefined {
  return isJsonObject(value) ? new JsonReader(value, path) : undefined;
}

function urlOf(resource: JsonValue, path: string): string {
  return new JsonReader(resource, path).text("resource_url");
}
