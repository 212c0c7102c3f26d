/**
 * Azure Container Registry: image pushes, as described in its "webhook reference". The key is a custom header of the
 * webhook.
 */
import { webhookLimits } from "@weir/base";
import type { HookSource } from "../hook.ts";
import { readJson } from "../payload.ts";
import { proofByAuthorization } from "../proof.ts";
import { actionsOf } from "./registry-event.ts";

export const azureContainerRegistry: HookSource = {
  ...proofByAuthorization,
  maxBody: webhookLimits.imageBody,
  read: (hook, { registryHost }) => actionsOf(readJson(hook.body.toString("utf8")), registryHost),
};
