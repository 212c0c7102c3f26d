import { gvkOf, type KubeObject } from "@weir/kube";
import { Agent, type Dispatcher, request } from "undici";

/** A minimal client of the API server without any code of Weir: the reference for the engine. */
export interface BareApi {
  post(object: KubeObject): Promise<void>;
  get(path: string): Promise<unknown>;
  text(path: string): Promise<string>;
  patch(path: string, body: object): Promise<void>;
  close(): Promise<void>;
}

const plurals: Readonly<Record<string, string>> = {
  Namespace: "namespaces",
  Deployment: "deployments",
  Service: "services",
  ConfigMap: "configmaps",
};

/** The path of an object's collection. */
export function collectionPath(object: KubeObject): string {
  const { group, version, kind } = gvkOf(object);
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const { namespace } = object.metadata;
  const scope = namespace === undefined ? "" : `/namespaces/${namespace}`;
  return `${root}${scope}/${plurals[kind] ?? ""}`;
}

/** Connects with as many connections as the engine uses. */
export function connectBare(url: string, token: string, connections: number): BareApi {
  const dispatcher = new Agent({ connections, connect: { rejectUnauthorized: false } });
  const authorization = `Bearer ${token}`;
  async function call(
    method: Dispatcher.HttpMethod,
    path: string,
    body?: object,
    type = "application/json",
  ): Promise<string> {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher,
      headers: { authorization, "content-type": type, accept: "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) {
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    }
    return text;
  }
  return {
    post: async (object) => {
      await call("POST", collectionPath(object), object);
    },
    get: async (path): Promise<unknown> => JSON.parse(await call("GET", path)),
    text: (path) => call("GET", path),
    patch: async (path, body) => {
      await call("PATCH", path, body, "application/merge-patch+json");
    },
    close: () => dispatcher.close(),
  };
}

/** Posts all objects, namespaces first, as fast as that many connections allow; resolves to seconds. */
export async function postAll(
  api: BareApi,
  objects: readonly KubeObject[],
  parallel: number,
): Promise<number> {
  const started = performance.now();
  const isNamespace = (object: KubeObject): boolean => object.kind === "Namespace";
  await inParallel(objects.filter(isNamespace), parallel, (object) => api.post(object));
  await inParallel(
    objects.filter((object) => !isNamespace(object)),
    parallel,
    (object) => api.post(object),
  );
  return (performance.now() - started) / 1000;
}

async function inParallel<T>(
  items: readonly T[],
  parallel: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items.values();
  async function work(): Promise<void> {
    for (const item of iterator) {
      await act(item);
    }
  }
  await Promise.all(Array.from({ length: parallel }, work));
}
