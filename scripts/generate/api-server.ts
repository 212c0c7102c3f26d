import { invariant, isJsonObject, type JsonObject } from "@weir/base";
import { Agent } from "undici";

/** The address and credentials of an API server. */
export interface ServerAccess {
  readonly url: string;
  readonly token: string;
  /** The CA certificate of the server, as PEM. */
  readonly ca: string;
}

/** Reads JSON objects from an API server. Rejects on any other response. */
export class ApiServerReader implements AsyncDisposable {
  readonly #access: ServerAccess;
  readonly #dispatcher: Agent;

  constructor(access: ServerAccess) {
    this.#access = access;
    this.#dispatcher = new Agent({ connect: { ca: access.ca } });
  }

  async get(path: string, accept = "application/json"): Promise<JsonObject> {
    const { url, token } = this.#access;
    const headers = { authorization: `Bearer ${token}`, accept };
    const { body } = await this.#dispatcher.request({ origin: url, path, method: "GET", headers });
    const answer = await body.json();
    invariant(isJsonObject(answer), `GET ${path}: not a JSON object`);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dispatcher.close();
  }
}
