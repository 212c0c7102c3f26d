/**
 * Replaces the values of Secrets by hashes, so that it can be told whether they're equal, but not what they are. The
 * hash is slow on purpose, and different in each snapshot, because the values of Secrets are often short.
 */
import { randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue, mapBounded, membersOf } from "@weir/base";
import { lastAppliedAnnotation } from "@weir/engine";
import { checksumAnnotation, type Resource, type ResourceId } from "@weir/flux";
import type { KubeObject } from "@weir/kube";
import { toKubeObject } from "../../manifests/kube-object.ts";
import { without } from "./without.ts";

const derive = promisify<Buffer, string, number, { readonly N: number }, Buffer>(scrypt);

/** Work for one hash: about 50 ms. */
const cost = 2 ** 14;
const hashLength = 16;

/** The key in the text that stands for a value. */
const hashKey = "weir.dev/scrypt";

/** Hashes with one salt; equal values have equal hashes. */
export class SecretHasher {
  readonly salt: string;
  readonly #known = new Map<string, Promise<string>>();

  constructor(salt = randomBytes(16).toString("hex")) {
    this.salt = salt;
  }

  /** The object, without the values if it's a Secret. What isn't valid stays, so that the API server refuses it. */
  async object(object: KubeObject): Promise<KubeObject> {
    if (!isSecret(object)) {
      return object;
    }
    const { metadata } = object;
    return { ...object, ...(await this.#fields(object)), metadata: await this.#metadata(metadata) };
  }

  /** The resources, with new content for Secrets. */
  async resources(resources: ReadonlyMap<ResourceId, Resource>): Promise<ReadonlyMap<ResourceId, Resource>> {
    const hashed = await mapBounded([...resources], 4, async ([id, resource]) => {
      return [id, await this.#resource(resource)] as const;
    });
    return new Map(hashed);
  }

  async #resource(resource: Resource): Promise<Resource> {
    if (!/kind:\s*"?Secret"?\s*$/m.test(resource.bytes)) {
      return resource;
    }
    const object = tryTo(() => toKubeObject(resource));
    if (object === undefined || !isSecret(object)) {
      return resource;
    }
    const { id, source, policies } = resource;
    return { id, source, policies, bytes: `${JSON.stringify(await this.object(object))}\n` };
  }

  async #fields(object: KubeObject): Promise<JsonObject> {
    const { data, stringData } = object;
    return {
      ...(isJsonObject(data) ? { data: await this.#values(data, (value) => this.#data(value)) } : {}),
      ...(isJsonObject(stringData)
        ? { stringData: await this.#values(stringData, (value) => this.#hash(Buffer.from(value))) }
        : {}),
    };
  }

  async #values(values: JsonObject, replace: (value: string) => Promise<string>): Promise<JsonObject> {
    const entries = membersOf(values).map(
      async ([key, value]): Promise<readonly [string, JsonValue]> => [
        key,
        typeof value === "string" ? await replace(value) : value,
      ],
    );
    return Object.fromEntries(await Promise.all(entries));
  }

  async #data(value: string): Promise<string> {
    const bytes = Buffer.from(value, "base64");
    const isValid = bytes.toString("base64") === value.replaceAll(/\s/g, "");
    return isValid ? Buffer.from(await this.#hash(bytes)).toString("base64") : value;
  }

  /** JSON, because the API server accepts nothing else as the credentials of a registry. */
  async #hash(value: Buffer): Promise<string> {
    const key = value.toString("base64");
    const hash = this.#known.get(key) ?? this.#derive(value);
    this.#known.set(key, hash);
    return JSON.stringify({ [hashKey]: await hash });
  }

  async #derive(value: Buffer): Promise<string> {
    return (await derive(value, this.salt, hashLength, { N: cost })).toString("hex");
  }

  /**
   * The last-applied annotation contains the Secret once more, and with the checksum of the manifest, somebody could try
   * values until it matches.
   */
  async #metadata(metadata: KubeObject["metadata"]): Promise<KubeObject["metadata"]> {
    if (metadata.annotations === undefined || metadata.annotations === null) {
      return metadata;
    }
    const text = metadata.annotations[lastAppliedAnnotation];
    const annotations = without(metadata.annotations, lastAppliedAnnotation, checksumAnnotation);
    const applied = text === undefined ? undefined : tryTo(() => JSON.parse(text) as unknown);
    const kept = isKubeObject(applied)
      ? { [lastAppliedAnnotation]: `${JSON.stringify(await this.object(applied))}\n` }
      : {};
    return { ...metadata, annotations: { ...annotations, ...kept } };
  }
}

/** What kubectl wrote; anything else could contain the Secret in a form that isn't known. */
function isKubeObject(value: unknown): value is KubeObject & JsonObject {
  return (
    isJsonObject(value) &&
    value["kind"] === "Secret" &&
    value["apiVersion"] === "v1" &&
    isJsonObject(value["metadata"])
  );
}

function isSecret({ kind, apiVersion }: KubeObject): boolean {
  return kind === "Secret" && apiVersion === "v1";
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
