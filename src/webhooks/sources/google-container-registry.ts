/**
 * Google's Artifact Registry and Container Registry: image pushes, which they publish on the Pub/Sub topic "gcr", and
 * which a push subscription forwards. As described in "Configure Pub/Sub notifications" and "Authentication for push
 * subscriptions".
 */

import { messageOf, webhookLimits } from "@weir/base";
import { jwtVerify } from "jose";
import { type GoogleIdentity, type Hook, HookRefusedError, type HookSource, type Trust } from "../hook.ts";
import { pushedRef, readJson } from "../payload.ts";
import { TrustError } from "../trust-error.ts";

const issuers = ["https://accounts.google.com", "accounts.google.com"];

/** How much clocks can differ, in seconds. */
const clockTolerance = 60;

export const googleContainerRegistry: HookSource = {
  maxBody: webhookLimits.imageBody,
  proves: ({ google }) => google !== undefined && google.email !== "",
  remedy: "turn on authentication of the Pub/Sub subscription and set gcr.audience and gcr.email",
  async verify(hook, { google }, trust) {
    if (google !== undefined) {
      await requireToken(hook, google, trust);
    }
  },
  read(hook, { registryHost }) {
    const { data } = messageIn(hook);
    const event = readJson(Buffer.from(data, "base64").toString("utf8"));
    const tag = event.text("tag");
    // An image that was pushed without a tag has only a digest.
    return event.text("action").toUpperCase() === "INSERT" && tag !== ""
      ? [pushedRef(tag, registryHost)]
      : [];
  },
};

function messageIn(hook: Hook): { readonly data: string } {
  const message = readJson(hook.body.toString("utf8")).object("message");
  const data = message.text("data");
  if (data === "") {
    throw new HookRefusedError("malformed", "the message contains no data");
  }
  return { data };
}

/**
 * Anybody can get a token from Google for any audience; only the service account shows that the subscription is ours.
 */
async function requireToken(hook: Hook, { audience, email }: GoogleIdentity, trust: Trust): Promise<void> {
  const [, token] = /^Bearer +(\S+)$/i.exec(hook.header("authorization")) ?? [];
  if (token === undefined) {
    throw new HookRefusedError("unauthorized", "the request has no token from Google");
  }
  const claims = await claimsOf(token, audience, trust);
  if (email !== "" && (claims["email"] !== email || claims["email_verified"] !== true)) {
    throw new HookRefusedError("unauthorized", "the token is from another service account");
  }
}

async function claimsOf(
  token: string,
  audience: string,
  trust: Trust,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { payload } = await jwtVerify(token, trust.googleKey, {
      audience,
      issuer: issuers,
      algorithms: ["RS256"],
      requiredClaims: ["exp"],
      clockTolerance,
      currentDate: new Date(trust.now()),
    });
    return payload;
  } catch (error) {
    if (error instanceof TrustError) {
      throw new HookRefusedError("unavailable", error.message, { cause: error });
    }
    throw new HookRefusedError("unauthorized", `the token isn't valid: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
