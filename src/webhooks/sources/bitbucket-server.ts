/** Bitbucket Server and Data Center: pushed commits, as described in "Event payload". */

import { JsonReader, type JsonValue, webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedBranch, readJson, requiredText } from "../payload.ts";
import { requirePrefixedSignature } from "../proof.ts";

export const bitbucketServer: HookSource = {
  maxBody: webhookLimits.pushBody,
  proves: () => true,
  verify: (hook, endpoint) =>
    requirePrefixedSignature(
      { allowed: ["sha256", "sha1", "sha512"], header: hook.header("x-hub-signature") },
      hook,
      endpoint,
    ),
  read(hook) {
    if (hook.header("x-event-key") !== "repo:refs_changed") {
      return [];
    }
    const payload = readJson(hook.body.toString("utf8"));
    const links = payload.object("repository").object("links").list("clone", linkOf) ?? [];
    const url = requiredText(links.find(({ name }) => name === "ssh")?.href ?? "", "SSH link to clone from");
    const branches = (payload.list("changes", refOf) ?? []).filter(({ type }) => type === "BRANCH");
    return branches.map(({ id }) => pushedBranch(url, id));
  },
};

function linkOf(link: JsonValue, path: string): { readonly name: string; readonly href: string } {
  const reader = new JsonReader(link, path);
  return { name: reader.text("name"), href: reader.text("href") };
}

function refOf(change: JsonValue, path: string): { readonly type: string; readonly id: string } {
  const ref = new JsonReader(change, path).object("ref");
  return { type: ref.text("type"), id: ref.text("id") };
}
