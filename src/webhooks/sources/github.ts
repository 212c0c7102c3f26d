/**
 * GitHub: pushes of commits, and of images to its container registry (GHCR), as its docs on "Webhook events and
 * payloads" have them. All of a repository or organisation come over the same webhooks.
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
 * Throws HookRefusedError where a request is not signed as GitHub does it. The better of its two signatures counts
 * where it is there: a good one of the other does not make up for a bad one.
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
  // Of what was pushed without a tag, such as the parts of an index, no workload knows.
  const tag = item.object("package_version").object("container_metadata").object("tag").text("name");
  const repository = `${item.text("namespace")}/${item.text("name")}`.toLowerCase();
  return tag === "" ? [] : [pushedImage(host, repository, tag)];
}
