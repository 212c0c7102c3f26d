/** GitLab: pushed commits, as described in "Webhook events". For its container registry, see distribution.ts. */
import { webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { pushedBranch, readJson } from "../payload.ts";
import { requireKey } from "../proof.ts";

export const gitlab: HookSource = {
  maxBody: webhookLimits.pushBody,
  proves: () => true,
  verify: (hook, endpoint) => requireKey(hook.header("x-gitlab-token"), endpoint),
  read(hook) {
    if (hook.header("x-gitlab-event") !== "Push Hook") {
      return [];
    }
    const payload = readJson(hook.body.toString("utf8"));
    return [pushedBranch(payload.object("project").text("git_ssh_url"), payload.text("ref"))];
  },
};
