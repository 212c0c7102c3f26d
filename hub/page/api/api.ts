import { type OperationName, type PathParameters, routes } from "../../src/contract/routes.ts";
import type { Answer, SentBody, SentQuery } from "../../src/contract/schemas.ts";
import { addressOf } from "./address.ts";
import { toApiProblem, unreachable } from "./problem.ts";

type Part<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: Value };

/** What a call of an operation needs: parameters of the path, of the query, and a body. */
export type RequestOf<Name extends OperationName> = Part<
  "params",
  keyof PathParameters<Name> extends never ? undefined : PathParameters<Name>
> &
  Part<"body", SentBody<Name>> & { readonly query?: SentQuery<Name> };

/** The REST API, for the session in the browser's cookie. */
export class Api {
  #csrfToken = "";

  /** To be called with the token of each new session: requests that change something need it. */
  trust(csrfToken: string): void {
    this.#csrfToken = csrfToken;
  }

  /** Calls an operation. Throws an ApiProblem if it's refused, or the console can't be reached. */
  async call<Name extends OperationName>(
    name: Name,
    request: RequestOf<Name>,
    signal: AbortSignal | null = null,
  ): Promise<Answer<Name>> {
    const { method } = routes[name];
    const { params, query, body } = request as {
      readonly params?: Readonly<Record<string, string>>;
      readonly query?: Readonly<Record<string, unknown>>;
      readonly body?: unknown;
    };
    const response = await this.#send(addressOf(name, { params, query }), {
      method,
      signal,
      headers: {
        Accept: "application/json",
        ...(method === "GET" ? {} : { "X-CSRF-Token": this.#csrfToken }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw toApiProblem(response.status, text);
    }
    return (text === "" ? undefined : JSON.parse(text)) as Answer<Name>;
  }

  async #send(address: string, options: RequestInit): Promise<Response> {
    try {
      return await fetch(address, { ...options, credentials: "same-origin", cache: "no-store" });
    } catch (error) {
      if (options.signal?.aborted === true) {
        throw error;
      }
      throw unreachable();
    }
  }
}
