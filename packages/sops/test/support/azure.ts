import {
  constants,
  createHash,
  generateKeyPairSync,
  privateDecrypt,
  publicEncrypt,
  verify,
  X509Certificate,
} from "node:crypto";
import type { Environment } from "@weir/base";
import { FakeClock, type HttpServer, snsCertificate } from "@weir/testing";
import { type CloudKeyService, openCloudKeyService } from "../../src/key-services/index.ts";
import type { AzureKey } from "../../src/master-key.ts";
import { Routes } from "./routed-transport.ts";
import { type Reply, serveReplies, type WebRequest } from "./web-request.ts";

const vaultKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha256" };
const version = "0123456789abcdef0123456789abcdef";

/** A vault, the endpoints for tokens, and the metadata service of Azure, all of which check what they are asked. */
export class Azure implements AsyncDisposable {
  readonly clock = new FakeClock();
  /** Replies of the vault before it works. */
  readonly faults: Reply[] = [];
  /** Whose tokens were issued, and for which API, in order. */
  readonly issued: string[] = [];
  routes = new Routes();
  readonly #servers: HttpServer[] = [];
  readonly #services = new AsyncDisposableStack();

  static async start(): Promise<Azure> {
    const azure = new Azure();
    const vault = await serveReplies((request) => azure.#vault(request), azure.faults);
    const tokens = await serveReplies((request) => azure.#tokens(request));
    azure.#servers.push(vault, tokens);
    azure.routes = new Routes({
      "https://weir.vault.azure.net": vault.url,
      "https://weir.vault.azure.cn": vault.url,
      "https://login.microsoftonline.com": tokens.url,
      "https://login.chinacloudapi.cn": tokens.url,
      "http://169.254.169.254": tokens.url,
    });
    return azure;
  }

  service(env: Environment): CloudKeyService {
    const { clock } = this;
    const { createTransport } = this.routes;
    return this.#services.use(openCloudKeyService({ env, clock, createTransport, random: () => 0 }));
  }

  /** A record for a data key that the vault's key encrypted. */
  record(dataKey: Uint8Array): AzureKey {
    const encrypted = publicEncrypt({ key: vaultKeys.publicKey, ...padding }, dataKey);
    return {
      type: "azure_kv",
      vaultUrl: "https://weir.vault.azure.net",
      name: "sops",
      version,
      encryptedDataKey: encrypted.toString("base64url"),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#services.disposeAsync();
    await Promise.all(this.#servers.map((each) => each[Symbol.asyncDispose]()));
  }

  #vault({ method, url, headers, body }: WebRequest): Reply {
    const [, token] = /^Bearer (.*)$/.exec(headers.authorization ?? "") ?? [];
    const [name, resource] = Buffer.from(token?.replace("t0ken-", "") ?? "", "hex")
      .toString()
      .split(" ");
    if (!this.issued.includes(`${name ?? ""} ${resource ?? ""}`)) {
      return { status: 401, body: { error: { code: "Unauthorized", message: "[TokenExpired] Expired." } } };
    }
    if (resource !== `https://${url.hostname.split(".").slice(1).join(".")}`) {
      return {
        status: 401,
        body: { error: { code: "Unauthorized", message: "AKV10022: Invalid audience." } },
      };
    }
    if (method !== "POST" || !/^\/keys\/sops\/(?:[0-9a-f]{32}\/)?decrypt$/.test(url.pathname)) {
      return { status: 404, body: { error: { code: "KeyNotFound", message: "No such key." } } };
    }
    const asked = JSON.parse(body) as { alg: string; value: string };
    try {
      const key = { key: vaultKeys.privateKey, ...padding };
      const value = privateDecrypt(key, Buffer.from(asked.value, "base64url")).toString("base64url");
      const isKnown = asked.alg === "RSA-OAEP-256" && url.searchParams.get("api-version") === "7.4";
      return isKnown ? { status: 200, body: { kid: url.href, value } } : { status: 400, body: {} };
    } catch {
      return {
        status: 400,
        body: { error: { code: "BadParameter", message: "The parameter is incorrect." } },
      };
    }
  }

  #tokens({ url, headers, body }: WebRequest): Reply {
    if (url.hostname === "169.254.169.254") {
      const client = url.searchParams.get("client_id") ?? "own";
      return headers["metadata"] === "true"
        ? this.#issue(`machine-${client}`, url.searchParams.get("resource") ?? "")
        : { status: 400, body: {} };
    }
    const form = Object.fromEntries(new URLSearchParams(body));
    const isRight =
      url.pathname === "/tenant-1/oauth2/v2.0/token" &&
      form["client_id"] === "client-1" &&
      form["grant_type"] === "client_credentials";
    const proof = isRight ? this.#proofIn(form, `https://${url.host}${url.pathname}`) : undefined;
    return proof === undefined
      ? {
          status: 401,
          body: { error: "invalid_client", error_description: "AADSTS7000215: Invalid secret." },
        }
      : this.#issue(proof, form["scope"]?.replace("/.default", "") ?? "");
  }

  #issue(name: string, resource: string): Reply {
    const issued = `${name} ${resource}`;
    this.issued.push(issued);
    const token = `t0ken-${Buffer.from(issued).toString("hex")}`;
    return { status: 200, body: { access_token: token, expires_in: name.startsWith("m") ? "3600" : 3600 } };
  }

  #proofIn(form: Readonly<Record<string, string>>, endpoint: string): string | undefined {
    if (form["client_secret"] !== undefined) {
      return form["client_secret"] === "client-s3cret" ? "secret" : undefined;
    }
    const isJwt = form["client_assertion_type"] === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
    const assertion = isJwt ? (form["client_assertion"] ?? "") : "";
    if (assertion === "pod-t0ken") {
      return "workload";
    }
    return this.#isSigned(assertion, endpoint) ? "certificate" : undefined;
  }

  #isSigned(assertion: string, endpoint: string): boolean {
    const [header = "", payload = "", signature = ""] = assertion.split(".");
    const { alg, x5t } = jsonOf(header);
    const { aud, iss, sub, exp, nbf, jti } = jsonOf(payload);
    const certificate = new X509Certificate(snsCertificate);
    const thumbprint = createHash("sha1").update(certificate.raw).digest("base64url");
    const seconds = this.clock.now() / 1000;
    return (
      alg === "RS256" &&
      x5t === thumbprint &&
      verify(
        "sha256",
        Buffer.from(`${header}.${payload}`),
        certificate.publicKey,
        Buffer.from(signature, "base64url"),
      ) &&
      aud === endpoint &&
      iss === "client-1" &&
      sub === "client-1" &&
      jti !== undefined &&
      Number(nbf) <= seconds &&
      Number(exp) > seconds
    );
  }
}

function jsonOf(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString() || "{}") as Record<string, unknown>;
}
