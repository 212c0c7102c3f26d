import { createVerify, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Environment } from "@weir/base";
import { FakeClock, type HttpServer, TempFolder } from "@weir/testing";
import { type CloudKeyService, openCloudKeyService } from "../../src/key-services/index.ts";
import type { GcpKmsKey } from "../../src/master-key.ts";
import { Routes } from "./routed-transport.ts";
import { SealedBox } from "./sealed-box.ts";
import { type Reply, serveReplies, type WebRequest } from "./web-request.ts";

/** The key that the service has. */
export const resourceId = "projects/weir-1/locations/global/keyRings/ring/cryptoKeys/sops";

const email = "weir@weir-1.iam.gserviceaccount.com";
const accountKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const otherKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const scope = "https://www.googleapis.com/auth/cloud-platform";

/** Google's KMS, token services, and metadata service, all of which check what they are asked. */
export class Google implements AsyncDisposable {
  readonly clock = new FakeClock();
  /** Replies of KMS before it works. */
  readonly faults: Reply[] = [];
  /** Whose tokens were issued, in order. */
  readonly issued: string[] = [];
  routes = new Routes();
  readonly #box = new SealedBox();
  readonly #folder = new TempFolder();
  readonly #servers: HttpServer[] = [];
  readonly #services = new AsyncDisposableStack();

  static async start(): Promise<Google> {
    const google = new Google();
    const kms = await serveReplies((request) => google.#kms(request), google.faults);
    const tokens = await serveReplies((request) => google.#tokens(request));
    google.#servers.push(kms, tokens);
    google.routes = new Routes({
      "https://cloudkms.googleapis.com": kms.url,
      "https://oauth2.googleapis.com": tokens.url,
      "https://sts.googleapis.com": tokens.url,
      "https://iamcredentials.googleapis.com": tokens.url,
      "http://metadata.google.internal": tokens.url,
    });
    return google;
  }

  service(env: Environment): CloudKeyService {
    const { clock } = this;
    const { createTransport } = this.routes;
    return this.#services.use(openCloudKeyService({ env, clock, createTransport, random: () => 0 }));
  }

  /** A record for a data key that this service encrypted. */
  record(dataKey: Uint8Array): GcpKmsKey {
    return { type: "gcp_kms", resourceId, encryptedDataKey: this.#box.seal(dataKey).toString("base64") };
  }

  /** Credentials of a service account, signed with its own key or with another. */
  accountJson(isForged = false): string {
    return JSON.stringify({
      type: "service_account",
      client_email: email,
      private_key: pemOf(isForged ? otherKeys.privateKey : accountKeys.privateKey),
      private_key_id: "key-1",
      token_uri: "https://oauth2.googleapis.com/token",
    });
  }

  /** Writes credentials into a file; returns its name. */
  file(name: string, content: string | object): string {
    return this.#folder.write(name, typeof content === "string" ? content : JSON.stringify(content));
  }

  get home(): string {
    return this.#folder.path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#folder[Symbol.dispose]();
    await this.#services.disposeAsync();
    await Promise.all(this.#servers.map((each) => each[Symbol.asyncDispose]()));
  }

  #kms({ method, url, headers, body }: WebRequest): Reply {
    const [, name] = /^Bearer t0ken-(.*)$/.exec(headers.authorization ?? "") ?? [];
    if (name === undefined || !this.issued.includes(name) || url.host !== "cloudkms.googleapis.com") {
      return { status: 401, body: { error: { code: 401, status: "UNAUTHENTICATED", message: "no token" } } };
    }
    if (method !== "POST" || url.pathname !== `/v1/${resourceId}:decrypt`) {
      return { status: 404, body: { error: { code: 404, status: "NOT_FOUND", message: "no such key" } } };
    }
    const asked = JSON.parse(body) as { ciphertext: string };
    const plaintext = this.#box.open(Buffer.from(asked.ciphertext, "base64"));
    return plaintext === undefined
      ? {
          status: 400,
          body: { error: { code: 400, status: "INVALID_ARGUMENT", message: "Decryption failed" } },
        }
      : { status: 200, body: { plaintext: plaintext.toString("base64") } };
  }

  #tokens({ url, headers, body }: WebRequest): Reply {
    if (url.host === "metadata.google.internal") {
      return headers["metadata-flavor"] === "Google" ? this.#issue("machine") : { status: 403, text: "" };
    }
    if (url.host === "iamcredentials.googleapis.com") {
      const isKnown = this.issued.some((name) => headers.authorization === `Bearer t0ken-${name}`);
      this.issued.push("impersonated");
      const expireTime = new Date(this.clock.now() + 3_600_000).toISOString();
      return isKnown
        ? { status: 200, body: { accessToken: "t0ken-impersonated", expireTime } }
        : { status: 403, body: { error: { status: "PERMISSION_DENIED", message: "no" } } };
    }
    const form = Object.fromEntries(new URLSearchParams(body));
    const isSts = url.host === "sts.googleapis.com";
    switch (form["grant_type"]) {
      case "urn:ietf:params:oauth:grant-type:jwt-bearer":
        return this.#isAssertion(form["assertion"] ?? "") ? this.#issue("account") : invalidGrant;
      case "refresh_token":
        return form["refresh_token"] === "refresh-s3cret" && form["client_secret"] === "client-s3cret"
          ? this.#issue("user")
          : invalidGrant;
      case "urn:ietf:params:oauth:grant-type:token-exchange":
        return isSts && form["subject_token"] === "pod-t0ken" && form["audience"] === "//iam/pool"
          ? this.#issue("external")
          : invalidGrant;
      default:
        return { status: 400, body: { error: "unsupported_grant_type" } };
    }
  }

  #issue(name: string): Reply {
    this.issued.push(name);
    return { status: 200, body: { access_token: `t0ken-${name}`, expires_in: 3_600, token_type: "Bearer" } };
  }

  #isAssertion(text: string): boolean {
    const [header = "", payload = "", signature = ""] = text.split(".");
    const claims = jsonOf(payload);
    const seconds = this.clock.now() / 1000;
    return (
      jsonOf(header)["alg"] === "RS256" &&
      jsonOf(header)["kid"] === "key-1" &&
      createVerify("sha256")
        .update(`${header}.${payload}`)
        .verify(accountKeys.publicKey, Buffer.from(signature, "base64url")) &&
      claims["iss"] === email &&
      claims["scope"] === scope &&
      claims["aud"] === "https://oauth2.googleapis.com/token" &&
      Number(claims["iat"]) <= seconds &&
      Number(claims["exp"]) > seconds
    );
  }
}

const invalidGrant: Reply = {
  status: 400,
  body: { error: "invalid_grant", error_description: "Invalid JWT Signature." },
};

function jsonOf(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
