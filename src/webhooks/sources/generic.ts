/**
 * Any other sender, such as a step in a pipeline: {"image": "host/name:tag"}, {"images": […]}, or {"url", "branch"} of
 * a git repository, with the header "X-Signature: sha256=<HMAC of the body in hex>", like Flux v2's generic-hmac.
 */

import { textAt, webhookLimits } from "@weir/base";
import { HookRefusedError, type HookSource } from "../hook.ts";
import { pushedBranch, pushedRef, readJson } from "../payload.ts";
import { requirePrefixedSignature } from "../proof.ts";

export const generic: HookSource = {
  maxBody: webhookLimits.imageBody,
  proves: () => true,
  verify: (hook, endpoint) =>
    requirePrefixedSignature(
      { allowed: ["sha256", "sha512"], header: hook.header("x-signature") },
      hook,
      endpoint,
    ),
  read(hook) {
    const payload = readJson(hook.body.toString("utf8"));
    const images = payload.list("images", textAt) ?? (payload.has("image") ? [payload.text("image")] : []);
    const branches = payload.has("url") ? [pushedBranch(payload.text("url"), payload.text("branch"))] : [];
    if (images.length + branches.length === 0) {
      throw new HookRefusedError("malformed", 'the payload has no "image", "images", or "url"');
    }
    return [...images.map((each) => pushedRef(each)), ...branches];
  },
};
