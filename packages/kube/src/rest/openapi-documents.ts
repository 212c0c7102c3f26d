import { type Clock, isJsonObject, type JsonObject, kubernetesLimits, memberOf, membersOf } from "@weir/base";
import { isApiReason } from "../api-status.ts";
import { apiVersionOf, type GroupVersionKind } from "../gvk.ts";
import { kindsOfType, openApiFields, typesOfDocument } from "../patch/openapi-types.ts";
import type { PatchSchema } from "../patch/patch-schema.ts";
import { fieldsWithin, schemaOfType } from "../patch/patch-types.ts";
import type { RestClient } from "./rest.ts";

/** How long the list of documents is cached; its hashes tell which documents have changed. */
const indexLifetimeMs = 600_000;

/** The URL of the document with the kinds of an apiVersion; undefined if there is none. */
type Index = (apiVersion: string) => string | undefined;

/** What was read from the document at a URL. */
interface Reading {
  readonly url: string;
  readonly schema: Promise<PatchSchema | undefined>;
}

/**
 * The patch rules in a server's OpenAPI documents. Only the requested parts of a document are kept, and a
 * document is read again only if its hash changes.
 */
export class OpenApiDocuments {
  readonly #client: RestClient;
  readonly #clock: Clock;
  readonly #readings = new Map<string, Reading>();
  #index: Promise<Index> | undefined;
  #indexedAt = -Infinity;

  constructor(client: RestClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /**
   * The rules of a kind; undefined if the kind isn't built into the server. Rejects if the server can't be
   * reached.
   */
  async schemaFor(gvk: GroupVersionKind): Promise<PatchSchema | undefined> {
    const apiVersion = apiVersionOf(gvk.group, gvk.version);
    const url = (await this.#currentIndex())(apiVersion);
    if (url === undefined) {
      return undefined;
    }
    const name = `${apiVersion} ${gvk.kind}`;
    const known = this.#readings.get(name);
    if (known?.url === url) {
      return known.schema;
    }
    const schema = this.#read(url, gvk);
    this.#readings.set(name, { url, schema });
    schema.catch(() => this.#readings.delete(name));
    return schema;
  }

  #currentIndex(): Promise<Index> {
    if (this.#index === undefined || this.#clock.now() - this.#indexedAt > indexLifetimeMs) {
      this.#indexedAt = this.#clock.now();
      const index = this.#readIndex();
      this.#index = index;
      // A failure isn't cached: the next call asks again.
      index.catch(() => {
        this.#index = this.#index === index ? undefined : this.#index;
      });
    }
    return this.#index;
  }

  /** Servers before 1.24 have a single document of version 2 for everything. */
  async #readIndex(): Promise<Index> {
    const list = await this.#get("/openapi/v3");
    return list === undefined ? () => "/openapi/v2" : indexOf(list);
  }

  async #read(url: string, gvk: GroupVersionKind): Promise<PatchSchema | undefined> {
    return patchSchemaIn((await this.#get(url)) ?? {}, gvk);
  }

  /** Undefined if there is no such document, or no access to it. */
  async #get(url: string): Promise<JsonObject | undefined> {
    const [path = url, query = ""] = url.split("?");
    try {
      const answer = await this.#client.json({
        method: "GET",
        path,
        query: Object.fromEntries(new URLSearchParams(query)),
        accept: "application/json",
        mostBytes: kubernetesLimits.openApi,
      });
      return isJsonObject(answer) ? answer : undefined;
    } catch (error) {
      if (["NotFound", "Forbidden", "NotAcceptable"].some((reason) => isApiReason(error, reason))) {
        return undefined;
      }
      throw error;
    }
  }
}

/**
 * The response to /openapi/v3: paths such as "apis/apps/v1" with the URL of their document, including its
 * hash.
 */
function indexOf(list: JsonObject): Index {
  const paths = memberOf(list, "paths");
  return (apiVersion) => {
    const path = apiVersion.includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
    const entry = paths !== undefined && isJsonObject(paths) ? memberOf(paths, path) : undefined;
    const url = entry !== undefined && isJsonObject(entry) ? memberOf(entry, "serverRelativeURL") : undefined;
    return typeof url === "string" ? url : undefined;
  };
}

/** Kubernetes' own types; types of custom resources contain the names of their groups. */
const ownTypes = "io.k8s.api.";

function patchSchemaIn(document: JsonObject, gvk: GroupVersionKind): PatchSchema | undefined {
  const types = typesOfDocument(document);
  const type = [...membersOf(types)].find(
    ([name, definition]) =>
      name.startsWith(ownTypes) && kindsOfType(definition).some((kind) => isSame(kind, gvk)),
  )?.[0];
  return type === undefined ? undefined : schemaOfType(type, fieldsWithin(type, openApiFields(types)));
}

function isSame(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.group === b.group && a.version === b.version && a.kind === b.kind;
}
