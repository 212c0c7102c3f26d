/** Gitea and Forgejo: pushed commits and container images, as described in their docs on webhooks. */

import { type JsonReader, webhookLimits } from "@weir/base";
import { type Hook, type HookAction, HookRefusedError, type HookSource } from "../hook.ts";
import { pushedBranch, pushedImage, readJsonOrForm } from "../payload.ts";
import { requireSignature } from "../proof.ts";

export const gitea: HookSource = {
  maxBody: webhookLimits.pushBody,
  proves: () => true,
  verify: (hook, endpoint) =>
    requireSignature({ algorithm: "sha256", signature: either(hook, "signature") }, hook, endpoint),
  read(hook, { registryHost }) {
    const payload = readJsonOrForm(hook.body, hook.header("content-type"));
    switch (either(hook, "event")) {
      case "push":
        return [pushedBranch(payload.object("repository").text("ssh_url"), payload.text("ref"))];
      case "package":
        return payload.text("action") === "created" ? imagesOf(payload.object("package"), registryHost) : [];
      default:
        return [];
    }
  },
};

/** Forgejo also sends Gitea's headers, for receivers that don't know its own. */
function either(hook: Hook, what: string): string {
  return hook.header(`x-forgejo-${what}`) || hook.header(`x-gitea-${what}`);
}

function imagesOf(item: JsonReader, registryHost: string): readonly HookAction[] {
  const version = item.text("version");
  // No workload uses what was pushed without a tag, such as the parts of an index.
  if (item.text("type") !== "container" || version.startsWith("sha256:")) {
    return [];
  }
  const host = registryHost || hostOf(item.text("html_url"));
  const repository = `${item.object("owner").text("login")}/${item.text("name")}`.toLowerCase();
  return [pushedImage(host, repository, version)];
}

/** The registry has the same address as the web pages. */
function hostOf(page: string): string {
  const url = URL.parse(page);
  if (url === null) {
    throw new HookRefusedError("malformed", "the address of the package isn't a URL; set registryHost");
  }
  return url.host;
}
