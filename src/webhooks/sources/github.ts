/**
 * GitHub: pushed commits, and images in its container registry (GHCR), as described in "Webhook events and payloads".
 * Both arrive over the webhooks of a repository or organization.
 */

import { type JsonReader, webhookLimits } from "@weir/base";
import type { Hook, HookAction, HookEndpoint, HookSource } from "../hook.ts";
import { pushedBranch, pushedImage, readJsonOrForm } from "../payload.ts";
import { requirePrefixedSignature } from "../proof.ts";

const ghcr = "ghcr.io";

export const github: HookSource = {
  maxBody: webhookLimits.pushBody,
  proves: () => true,
  verify: requireHubSignature,
  read(hook, { registryHost }) {
    const event = hook.header("x-github-event");
    const payload = readJsonOrForm(hook.body, hook.header("content-type"));
    switch (event) {
      case "push":
        return [pushedBranch(payload.object("repository").text("ssh_url"), payload.text("ref"))];
      case "package":
      case "registry_package":
        return imagesOf(payload.object(event), payload.text("action"), registryHost || ghcr);
      default:
        return [];
    }
  },
};

/**
 * Throws HookRefusedError if a request isn't signed the way GitHub does it. If the stronger of its two signatures is
 * present, it must be valid: the weaker one doesn't make up for it.
 */
export function requireHubSignature(hook: Hook, endpoint: HookEndpoint): void {
  const better = hook.header("x-hub-signature-256");
  if (better !== "") {
    requirePrefixedSignature({ allowed: ["sha256"], header: better }, hook, endpoint);
  } else {
    requirePrefixedSignature(
      { allowed: ["sha1", "sha256", "sha512"], header: hook.header("x-hub-signature") },
      hook,
      endpoint,
    );
  }
}

function imagesOf(item: JsonReader, action: string, host: string): readonly HookAction[] {
  const isContainer = item.text("package_type").toLowerCase() === "container";
  if (!isContainer || (action !== "published" && action !== "updated")) {
    return [];
  }
  // No workload uses what was pushed without a tag, such as the parts of an index.
  const tag = item.object("package_version").object("container_metadata").object("tag").text("name");
  const repository = `${item.text("namespace")}/${item.text("name")}`.toLowerCase();
  return tag === "" ? [] : [pushedImage(host, repository, tag)];
}
