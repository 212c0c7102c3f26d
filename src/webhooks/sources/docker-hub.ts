/** Docker Hub: image pushes, as described in "Webhooks". Its requests aren't signed. */
import { webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedImage, readJson } from "../payload.ts";
import { proofByUrl } from "../proof.ts";

export const dockerHub: HookSource = {
  ...proofByUrl,
  maxBody: webhookLimits.unprovenBody,
  read(hook, { registryHost }) {
    const payload = readJson(hook.body.toString("utf8"));
    const tag = payload.object("push_data").text("tag");
    return [pushedImage(registryHost, payload.object("repository").text("repo_name"), tag)];
  },
};
