/** Nexus Repository: new components in Docker repositories, as described in "Webhooks". */
import { webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedImage, readJson } from "../payload.ts";
import { requireSignature } from "../proof.ts";

export const nexus: HookSource = {
  maxBody: webhookLimits.imageBody,
  proves: () => true,
  verify: (hook, endpoint) =>
    requireSignature(
      { algorithm: "sha1", signature: hook.header("x-nexus-webhook-signature") },
      hook,
      endpoint,
    ),
  read(hook, { registryHost }) {
    if (hook.header("x-nexus-webhook-id") !== "rm:repository:component") {
      return [];
    }
    const payload = readJson(hook.body.toString("utf8"));
    const component = payload.object("component");
    if (component.text("format") !== "docker" || payload.text("action") !== "CREATED") {
      return [];
    }
    // The payload doesn't contain the host or port of the repository.
    return [pushedImage(registryHost, component.text("name"), component.text("version"))];
  },
};
