/**
 * Bitbucket Cloud: pushed commits, as described in "Event payloads". Requests are signed if the webhook has a secret.
 */

import { JsonReader, type JsonValue, webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedBranch, readJson, requiredText } from "../payload.ts";
import { requirePrefixedSignature } from "../proof.ts";

export const bitbucketCloud: HookSource = {
  maxBody: webhookLimits.bitbucketCloudBody,
  proves: ({ signed }) => signed,
  remedy: "set a secret in the webhook, and signed: true in the configuration",
  verify(hook, endpoint) {
    const signature = hook.header("x-hub-signature");
    if (signature !== "" || endpoint.signed) {
      requirePrefixedSignature({ allowed: ["sha256"], header: signature }, hook, endpoint);
    }
  },
  read(hook) {
    if (hook.header("x-event-key") !== "repo:push") {
      return [];
    }
    const payload = readJson(hook.body.toString("utf8"));
    const name = requiredText(payload.object("repository").text("full_name"), "name of the repository");
    const changes = payload.object("push").list("changes", newNameOf) ?? [];
    return changes
      .filter((ref) => ref !== "")
      .map((ref) => pushedBranch(`git@bitbucket.org:${name}.git`, ref));
  },
};

/** The name of a branch or tag after the push; "" if it was deleted. */
function newNameOf(change: JsonValue, path: string): string {
  return new JsonReader(change, path).object("new").text("name");
}
