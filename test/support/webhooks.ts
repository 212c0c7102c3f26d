import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { snsCertificate, snsKey } from "@weir/testing";
import { createLocalJWKSet, exportJWK, type JSONWebKeySet, SignJWT } from "jose";
import {
  type Hook,
  type HookAction,
  type HookEndpoint,
  HookRefusedError,
  type Refusal,
  type Trust,
} from "../../src/webhooks/hook.ts";
import { judgeHook } from "../../src/webhooks/judge.ts";
import { hookSources } from "../../src/webhooks/sources.ts";

/** The shared secret of samples; it must be found in no log. */
export const sampleKey: Buffer = Buffer.from("canary-0f6b2a9e1c");

/** When samples were sent. */
export const sampleTime: number = Date.parse("2026-01-30T04:18:04Z");

/** Headers by their name. */
export type HookHeaders = Readonly<Record<string, string>>;

/** A request with some headers. */
export function hookOf(body: string | Buffer, headers: HookHeaders = {}): Hook {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { header: (name) => lower.get(name.toLowerCase()) ?? "", body: Buffer.from(body) };
}

/** An endpoint for a source, with the key of samples. */
export function endpointOf(name: string, settings: Partial<HookEndpoint> = {}): HookEndpoint {
  const source = hookSources.get(name);
  if (source === undefined) {
    throw new Error(`no source is called ${name}`);
  }
  return { name, source, keys: [sampleKey], registryHost: "", signed: false, topicArn: "", ...settings };
}

/** The HMAC of a body in hex. */
export function hmac(algorithm: string, body: string | Buffer, key: Uint8Array = sampleKey): string {
  return createHmac(algorithm, key).update(body).digest("hex");
}

/** A request to a hook's endpoint. */
export interface SentHook {
  readonly body: string | Buffer;
  readonly headers?: HookHeaders;
}

/** What becomes of a request: what is to be done, or why it is refused. */
export async function judged(
  endpoint: HookEndpoint,
  { body, headers = {} }: SentHook,
  trust: Trust = sampleTrust,
): Promise<readonly HookAction[] | Refusal> {
  try {
    return await judgeHook(hookOf(body, headers), endpoint, trust);
  } catch (error) {
    if (error instanceof HookRefusedError) {
      return error.refusal;
    }
    throw error;
  }
}

/** The signature of a text by the key of the certificates. */
export function snsSignature(text: string, hash = "RSA-SHA256"): string {
  return sign(hash, Buffer.from(text), snsKey).toString("base64");
}

const google = generateKeyPairSync("rsa", { modulusLength: 2048 });
const googleKeyId = "google-1";

/** Keys as Google would have published them. */
export const googleKeys: JSONWebKeySet = {
  keys: [{ ...(await exportJWK(google.publicKey)), kid: googleKeyId, alg: "RS256", use: "sig" }],
};

/** Keys as Google and Amazon would have published them, at the time of samples. */
export const sampleTrust: Trust = {
  now: () => sampleTime,
  googleKey: createLocalJWKSet(googleKeys),
  snsCertificate: () => Promise.resolve(snsCertificate),
};

/** A token as Google signs it for a push subscription, with other claims where they are given. */
export function googleToken(claims: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const seconds = sampleTime / 1000;
  return new SignJWT({
    iss: "https://accounts.google.com",
    aud: "https://hooks.example.com",
    azp: "113774264463038321964",
    sub: "113774264463038321964",
    email: "pusher@my-project.iam.gserviceaccount.com",
    email_verified: true,
    iat: seconds - 10,
    exp: seconds + 3590,
    ...claims,
  })
    .setProtectedHeader({ alg: "RS256", kid: googleKeyId, typ: "JWT" })
    .sign(google.privateKey);
}
