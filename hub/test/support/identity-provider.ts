import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { selfSigned } from "@weir/embedded-cluster";
import Provider from "oidc-provider";

/** Of all providers of this process: two with the same name wouldn't be told apart. */
const certificate = selfSigned(Date.now());

/** What the provider says of a person, next to their subject. */
export type PersonClaims = Readonly<Record<string, unknown>>;

const clientId = "weir-console";
const clientSecret = "the console's secret at the provider";

/** A real OpenID Connect provider, at which one person after the other logs in without being asked anything. */
export class IdentityProvider implements AsyncDisposable {
  readonly issuer: URL;
  readonly clientId = clientId;
  readonly clientSecret = clientSecret;
  /** Its certificate, for other processes. */
  readonly certificate = certificate.certificate;
  /** The subject of who logs in next; undefined for somebody who refuses to. */
  next: string | undefined = "1";
  /** By subjects. */
  readonly people = new Map<string, PersonClaims>();
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.issuer = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** Starts a provider over TLS, whose certificate this process trusts from now on. */
  static async start(): Promise<IdentityProvider> {
    const { key, certificate: cert } = certificate;
    setDefaultCACertificates([...new Set([...getCACertificates("default"), cert])]);
    const server = createServer({ key, cert }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new IdentityProvider(server);
  }

  /** Lets a console at this URL use it. */
  serve(consoleUrl: string): void {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const provider: Provider = new Provider(this.issuer.origin, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [`${consoleUrl}/auth/openid/callback`],
          post_logout_redirect_uris: [`${consoleUrl}/`],
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
      cookies: { keys: ["a key of the tests"] },
      claims: { openid: ["sub"], profile: ["preferred_username", "name", "groups"], email: ["email"] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) }),
      loadExistingGrant: async ({ oidc }) => {
        const grant = new provider.Grant({
          accountId: oidc.session?.accountId ?? "",
          clientId: oidc.client?.clientId ?? "",
        });
        grant.addOIDCScope("openid profile email");
        await grant.save();
        return grant;
      },
    });
    const callback = provider.callback();
    this.#server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      if (request.url?.startsWith("/interaction/") === true) {
        const { next } = this;
        const result =
          next === undefined ? { error: "access_denied" } : { login: { accountId: next, remember: false } };
        void provider.interactionFinished(request, response, result);
      } else {
        void callback(request, response);
      }
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
