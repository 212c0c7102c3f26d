import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@weir/base";
import { answer, type HttpServer, serve } from "./http-server.ts";

/** A received token request. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string;
}

/** An unsigned ID token, issued at `now` and valid for ten minutes. */
export function idTokenOf(issuer: string, name: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const claims = { iss: issuer, aud: "kubernetes", sub: "me", jti: name, iat, exp: iat + 600 };
  const parts = [{ alg: "RS256" }, claims].map((part) => JSON.stringify(part));
  return [...parts, "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}

/** An OpenID Connect issuer over TLS, with a certificate that the system doesn't trust. */
export class OidcIssuer implements AsyncDisposable {
  /** The certificate, as PEM. */
  readonly ca: string;
  readonly requests: TokenRequest[] = [];
  /** Additional fields in the response to a token request, which contains an ID token for ten minutes. */
  answerWith: Readonly<Record<string, unknown>> = {};
  /** Can answer in place of the issuer; returns true if it did. */
  misbehave: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Additional metadata of the issuer. */
  metadata: Readonly<Record<string, unknown>> = {};
  readonly #clock: Clock;
  readonly #server: HttpServer;

  private constructor(clock: Clock, ca: string, server: HttpServer) {
    this.#clock = clock;
    this.ca = ca;
    this.#server = server;
  }

  static async start(clock: Clock): Promise<OidcIssuer> {
    // TLS uses the system's time.
    const { selfSigned } = await import("@weir/embedded-cluster");
    const { certificate, key } = selfSigned(Date.now());
    const server = await serve((request, response) => issuer.#answer(request, response), {
      cert: certificate,
      key,
    });
    const issuer = new OidcIssuer(clock, certificate, server);
    return issuer;
  }

  get url(): string {
    return this.#server.url;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.misbehave(request, response)) {
      return;
    }
    if (request.url === "/.well-known/openid-configuration") {
      const body = { issuer: this.url, token_endpoint: `${this.url}/token`, ...this.metadata };
      answer(response, { status: 200, body });
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const form = Object.fromEntries(new URLSearchParams(body));
      this.requests.push({ form, authorization: request.headers.authorization ?? "" });
      const id_token = idTokenOf(this.url, `renewed-${this.requests.length}`, this.#clock.now());
      const answered = { access_token: "a", token_type: "Bearer", id_token, ...this.answerWith };
      answer(response, { status: 200, body: answered });
    });
  }
}
