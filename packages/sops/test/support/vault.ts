import type { Environment } from "@weir/base";
import { FakeClock, type HttpServer, type serve } from "@weir/testing";
import { type CloudKeyService, openCloudKeyService } from "../../src/key-services/index.ts";
import type { VaultKey } from "../../src/master-key.ts";
import { Routes } from "./routed-transport.ts";
import { SealedBox } from "./sealed-box.ts";
import { type Reply, serveReplies, type WebRequest } from "./web-request.ts";

/** A server of Vault with a transit engine, which checks the tokens and namespaces of requests. */
export class Vault implements AsyncDisposable {
  readonly clock = new FakeClock();
  /** Replies before it works. */
  readonly faults: Reply[] = [];
  /** The tokens of all requests. */
  readonly tokens: (string | undefined)[] = [];
  readonly routes = new Routes();
  /** The namespace that the transit engine is in; "" for the root. */
  namespace = "";
  /** An agent adds its own token. */
  isAgent = false;
  readonly #box = new SealedBox();
  readonly #services = new AsyncDisposableStack();
  #server: HttpServer | undefined;

  static async start(tls?: Parameters<typeof serve>[1]): Promise<Vault> {
    const vault = new Vault();
    vault.#server = await serveReplies((request) => vault.#reply(request), vault.faults, tls);
    return vault;
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  service(env: Environment): CloudKeyService {
    const { clock } = this;
    const { createTransport } = this.routes;
    return this.#services.use(openCloudKeyService({ env, clock, createTransport, random: () => 0 }));
  }

  /** A record for a data key that this server encrypted. */
  record(dataKey: Uint8Array): VaultKey {
    return {
      type: "hc_vault",
      vaultAddress: this.url,
      enginePath: "teams/sops",
      keyName: "prod.key",
      encryptedDataKey: `vault:v1:${this.#box.seal(dataKey).toString("base64")}`,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#services.disposeAsync();
    await this.#server?.[Symbol.asyncDispose]();
  }

  #reply({ method, url, headers, body }: WebRequest): Reply {
    const token = headers["x-vault-token"]?.toString();
    this.tokens.push(token);
    if (headers["x-vault-request"] !== "true" || (token !== "vault-t0ken" && !this.isAgent)) {
      return { status: 403, body: { errors: ["permission denied"] } };
    }
    const isHere = (headers["x-vault-namespace"] ?? "") === this.namespace;
    if (method !== "PUT" || !isHere || url.pathname !== "/v1/teams/sops/decrypt/prod.key") {
      return { status: 404, body: { errors: [`no handler for route "${url.pathname}"`] } };
    }
    const { ciphertext } = JSON.parse(body) as { ciphertext: string };
    const sealed = Buffer.from(ciphertext.replace("vault:v1:", ""), "base64");
    const plaintext = ciphertext.startsWith("vault:v1:") ? this.#box.open(sealed) : undefined;
    return plaintext === undefined
      ? { status: 400, body: { errors: ["invalid ciphertext: unable to decrypt"] } }
      : { status: 200, body: { request_id: "1", data: { plaintext: plaintext.toString("base64") } } };
  }
}
