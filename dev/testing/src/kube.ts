import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { KubeObject } from "@weir/kube";
import { Agent, request } from "undici";

/** An event of a watch, as the server sends it. */
export interface KubeEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubeObject;
}

/** Sends requests to an API server without Weir's client, so that tests can check and change the cluster. */
export class KubeEyes implements AsyncDisposable {
  readonly #url: string;
  readonly #token: string;
  readonly #agent = new Agent({ connect: { rejectUnauthorized: false } });

  constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** The object at a path, or undefined if there is none. */
  async get(path: string): Promise<KubeObject | undefined> {
    const { status, body } = await this.#call("GET", path);
    if (status === 404) {
      return undefined;
    }
    return this.#expect(path, status, body) as KubeObject;
  }

  async create(path: string, object: object): Promise<void> {
    await this.post(path, object);
  }

  /** Creates an object, including request-like ones such as reviews; resolves to the server's response. */
  async post(path: string, object: object): Promise<KubeObject> {
    const { status, body } = await this.#call("POST", path, object);
    return this.#expect(path, status, body) as KubeObject;
  }

  /** Resolves to the object afterwards. */
  async patch(path: string, patch: object): Promise<KubeObject> {
    const { status, body } = await this.#call("PATCH", path, patch, "application/merge-patch+json");
    return this.#expect(path, status, body) as KubeObject;
  }

  async delete(path: string): Promise<void> {
    const { status, body } = await this.#call("DELETE", path);
    this.#expect(path, status, body);
  }

  /** The events of the objects at a path, those that exist first, until the signal is aborted. */
  async *watch(path: string, signal: AbortSignal): AsyncGenerator<KubeEvent, void, undefined> {
    const { body } = await request(`${this.#url}${path}${path.includes("?") ? "&" : "?"}watch=1`, {
      dispatcher: this.#agent,
      headers: { authorization: `Bearer ${this.#token}`, accept: "application/json" },
      bodyTimeout: 0,
      signal,
    });
    try {
      for await (const line of createInterface(body)) {
        yield JSON.parse(line) as KubeEvent;
      }
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.close();
  }

  #expect(path: string, status: number, body: string): unknown {
    if (status >= 300) {
      throw new Error(`${path}: ${status} ${body}`);
    }
    return JSON.parse(body);
  }

  async #call(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body?: object,
    contentType = "application/json",
  ): Promise<{ status: number; body: string }> {
    const answer = await request(this.#url + path, {
      method,
      dispatcher: this.#agent,
      headers: {
        authorization: `Bearer ${this.#token}`,
        accept: "application/json",
        "content-type": contentType,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  }
}

/** The path of a ConfigMap. */
export function configMapPath(name: string, namespace = "default"): string {
  return `/api/v1/namespaces/${namespace}/configmaps/${name}`;
}

/** The path of a Deployment. */
export function deploymentPath(name: string, namespace = "default"): string {
  return `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
}

/** The server and token in a kubeconfig file, in the format that tests write. */
export async function dialOf(kubeconfigPath: string): Promise<{ url: string; token: string }> {
  const text = await readFile(kubeconfigPath, "utf8");
  const url = /"?server"?: *"?([^"\s,]+)/.exec(text)?.[1] ?? "";
  const token = /"?token"?: *"?([^"\s,]+)/.exec(text)?.[1] ?? "";
  return { url, token };
}
