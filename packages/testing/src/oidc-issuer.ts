import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@weir/base";
import { selfSigned } from "@weir/embedded-cluster";
import { answer, type HttpServer, serve } from "./http-server.ts";

/** A request for tokens, as it was made. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string;
}

/** An ID token that nobody signed, made at `now` and good for ten minutes. */
export function idTokenOf(issuer: string, name: string, now: number): string {
  const iat = Math.floor(now / 1000);
  const claims = { iss: issuer, aud: "kubernetes", sub: "me", jti: name, iat, exp: iat + 600 };
  const parts = [{ alg: "RS256" }, claims].map((part) => JSON.stringify(part));
  return [...parts, "signature"].map((part) => Buffer.from(part).toString("base64url")).join(".");
}

/** An OpenID Connect issuer over TLS, with a certificate that no machine knows. */
export class OidcIssuer implements AsyncDisposable {
  /** The certificate, as PEM. */
  readonly ca: string;
  readonly requests: TokenRequest[] = [];
  /** What a token request is answered with, beside an ID token of ten minutes. */
  answerWith: Readonly<Record<string, unknown>> = {};
  /** Answers in the issuer's place; true where it did. */
  misbehave: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Said of itself beside the usual. */
  metadata: Readonly<Record<string, unknown>> = {};
  readonly #clock: Clock;
  readonly #server: HttpServer;

  private constructor(clock: Clock, ca: string, server: HttpServer) {
    this.#clock = clock;
    this.ca = ca;
    this.#server = server;
  }

  static async start(clock: Clock): Promise<OidcIssuer> {
    // TLS goes by the time of the machine.
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
