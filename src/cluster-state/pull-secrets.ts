import { isJsonArray, isJsonObject, type JsonObject, type Logger, messageOf } from "@weir/base";
import { mergeCredentials, noCredentials, parseDockerConfig, type RegistryCredentials } from "@weir/flux";
import { corePath } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";

/** The data key of the Docker config in each type of secret. */
const dataKeys: ReadonlyMap<string, string> = new Map([
  ["kubernetes.io/dockercfg", ".dockercfg"],
  ["kubernetes.io/dockerconfigjson", ".dockerconfigjson"],
]);

/** Reads the pull secrets of pods, each one once; use a new instance for each pass over the cluster. */
export class PullSecrets {
  readonly #client: RestClient;
  readonly #tell: (secret: string, problem: string) => void;
  readonly #signal: AbortSignal;
  readonly #known = new Map<string, Promise<RegistryCredentials>>();
  readonly #accounts = new Map<string, Promise<readonly string[]>>();

  /** `tell` receives problems with secrets. */
  constructor(client: RestClient, tell: (secret: string, problem: string) => void, signal: AbortSignal) {
    this.#client = client;
    this.#tell = tell;
    this.#signal = signal;
  }

  /** The credentials of pods: those of their service account first, then their own, which take precedence. */
  async ofPods(namespace: string, podSpec: JsonObject): Promise<RegistryCredentials> {
    const account = podSpec["serviceAccountName"];
    const name = typeof account === "string" && account !== "" ? account : "default";
    const names = [...(await this.#ofAccount(namespace, name)), ...secretNames(podSpec)];
    return mergeCredentials(...(await Promise.all(names.map((each) => this.#secret(namespace, each)))));
  }

  #ofAccount(namespace: string, name: string): Promise<readonly string[]> {
    const key = `${namespace}/${name}`;
    const known = this.#accounts.get(key) ?? this.#readAccount(namespace, name);
    this.#accounts.set(key, known);
    return known;
  }

  /** As in Flux v1, a service account that can't be read has no secrets. */
  async #readAccount(namespace: string, name: string): Promise<readonly string[]> {
    return this.#get(namespace, "serviceaccounts", name).then(secretNames, (): readonly string[] => {
      this.#signal.throwIfAborted();
      return [];
    });
  }

  #secret(namespace: string, name: string): Promise<RegistryCredentials> {
    const key = `${namespace}/${name}`;
    const known = this.#known.get(key) ?? this.#readSecret(namespace, name);
    this.#known.set(key, known);
    return known;
  }

  async #readSecret(namespace: string, name: string): Promise<RegistryCredentials> {
    const id = `${namespace}:secret/${name}`;
    try {
      const secret = await this.#get(namespace, "secrets", name);
      const { credentials, problems } = parseDockerConfig(configIn(secret), id);
      problems.forEach((problem) => this.#tell(id, problem));
      return credentials;
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#tell(id, messageOf(error));
      return noCredentials;
    }
  }

  async #get(namespace: string, resource: string, name: string): Promise<JsonObject> {
    const path = corePath(namespace, resource, name);
    const answer = await this.#client.json({ method: "GET", path, signal: this.#signal });
    return isJsonObject(answer) ? answer : {};
  }
}

/** Logs the problem of each secret once, until it changes. */
export function tellOnce(logger: Logger): (secret: string, problem: string) => void {
  const told = new Map<string, string>();
  return (secret, problem) => {
    if (told.get(secret) !== problem) {
      told.set(secret, problem);
      logger.log({ err: problem, secret });
    }
  };
}

function configIn(secret: JsonObject): string {
  const [type, data] = [secret["type"], secret["data"]];
  const key = typeof type === "string" ? dataKeys.get(type) : undefined;
  if (key === undefined) {
    throw new Error("its type isn't one for image pull secrets");
  }
  const value = isJsonObject(data) ? data[key] : undefined;
  return Buffer.from(typeof value === "string" ? value : "", "base64").toString("utf8");
}

function secretNames(holder: JsonObject): readonly string[] {
  const list = holder["imagePullSecrets"];
  const references = isJsonArray(list) ? list.filter(isJsonObject) : [];
  return references.flatMap(({ name }) => (typeof name === "string" && name !== "" ? [name] : []));
}
