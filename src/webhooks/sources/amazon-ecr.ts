/**
 * Amazon ECR: image pushes, as described in "Amazon ECR events and EventBridge". EventBridge sends them either to an
 * API destination, with the key in a header, or to an SNS topic, which signs the messages that it forwards.
 */

import { type JsonReader, webhookLimits } from "@weir/base";
import { type Hook, type HookAction, HookRefusedError, type HookSource } from "../hook.ts";
import { pushedImage, readJson } from "../payload.ts";
import { requireBearer, requireKey } from "../proof.ts";
import { requireSnsSignature, snsUrl } from "../sns-message.ts";

export const amazonEcr: HookSource = {
  maxBody: webhookLimits.imageBody,
  proves: () => true,
  async verify(hook, endpoint, trust) {
    const key = hook.header("x-api-key");
    if (isFromSns(hook)) {
      await requireSnsSignature(readJson(hook.body.toString("utf8")), endpoint.topicArn, trust);
    } else if (key !== "") {
      requireKey(key, endpoint);
    } else {
      requireBearer(hook, endpoint);
    }
  },
  read(hook, { registryHost }) {
    const payload = readJson(hook.body.toString("utf8"));
    return isFromSns(hook) ? actionsOfMessage(payload, registryHost) : actionsOfEvent(payload, registryHost);
  },
};

function isFromSns(hook: Hook): boolean {
  return hook.header("x-amz-sns-message-type") !== "";
}

/** The type in the header isn't signed; the one in the message is. */
function actionsOfMessage(message: JsonReader, registryHost: string): readonly HookAction[] {
  switch (message.text("Type")) {
    case "Notification":
      return actionsOfEvent(readJson(message.text("Message")), registryHost);
    case "SubscriptionConfirmation":
      return [{ kind: "confirm", url: snsUrl(message.text("SubscribeURL")) }];
    default:
      return [];
  }
}

function actionsOfEvent(event: JsonReader, registryHost: string): readonly HookAction[] {
  const detail = event.object("detail");
  const tag = detail.text("image-tag");
  const isPush = detail.text("action-type") === "PUSH" && detail.text("result") === "SUCCESS";
  if (event.text("source") !== "aws.ecr" || !isPush || tag === "") {
    return [];
  }
  return [pushedImage(registryHost || hostOf(event), detail.text("repository-name"), tag)];
}

function hostOf(event: JsonReader): string {
  const [account, region] = [event.text("account"), event.text("region")];
  if (!/^\d{12}$/.test(account) || !/^[a-z0-9-]+$/.test(region)) {
    throw new HookRefusedError("malformed", "the event has no account or no region");
  }
  return `${account}.dkr.ecr.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
}
