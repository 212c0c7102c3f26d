import { isJsonObject, type JsonValue } from "@weir/base";
import { isApiReason } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { patchSecret, type SecretName, secretPath } from "./secret-patch.ts";

/** How often a write is prepared again because something else in the Secret has changed. */
const maxRetries = 5;

/** Why a text can't be kept in the cluster. `reason` is for people, and begins in lowercase. */
export interface Unkept {
  readonly why: "outside-pod" | "no-secret" | "not-permitted" | "too-large";
  readonly reason: string;
}

/** What the annotation contains: no text if it isn't there, or the reason why it can't be there. */
export type AnnotationText = { readonly text: string | undefined } | { readonly unkept: Unkept };

/** Where a text is kept. */
export interface SecretAnnotationOptions {
  readonly client: RestClient;
  /** Undefined if fluxd isn't in a pod; then nothing is kept. */
  readonly secret: SecretName | undefined;
  /** The name of the annotation, like "weir.dev/operation". */
  readonly annotation: string;
  /** The most that may be kept. Kubernetes allows 256 KiB for all annotations of an object together. */
  readonly mostBytes: number;
}

/**
 * A text in one annotation of the Secret for the SSH key, which fluxd's permissions always include. What the cluster
 * doesn't keep, the caller may keep in memory: every method says why it isn't kept. All reject if the API server
 * doesn't respond.
 */
export class SecretAnnotation {
  readonly #options: SecretAnnotationOptions;

  constructor(options: SecretAnnotationOptions) {
    this.#options = options;
  }

  /** Reads the text. */
  async read(signal: AbortSignal): Promise<AnnotationText> {
    const found = await this.#find(signal);
    return "unkept" in found ? found : { text: found.text };
  }

  /**
   * Replaces the text, or removes it (undefined), depending on what it is now. If something else in the Secret changes
   * meanwhile, `change` is called again with the text as it is then. Resolves to the reason if it can't be kept.
   * Rejects with the error of `change`, and after five conflicts with the API server's.
   */
  async update(
    change: (current: string | undefined) => string | undefined,
    signal: AbortSignal,
  ): Promise<Unkept | undefined> {
    for (let tries = 0; ; tries += 1) {
      const found = await this.#find(signal);
      if ("unkept" in found) {
        return found.unkept;
      }
      const text = change(found.text);
      if (text !== undefined && Buffer.byteLength(text) > this.#options.mostBytes) {
        return { why: "too-large", reason: `it is larger than ${this.#options.mostBytes} bytes` };
      }
      if (found.text === text) {
        return undefined;
      }
      try {
        return await this.#write(found, text, signal);
      } catch (error) {
        if (!isApiReason(error, "Conflict") || tries === maxRetries) {
          throw error;
        }
      }
    }
  }

  async #write(
    { secret, resourceVersion }: Found,
    text: string | undefined,
    signal: AbortSignal,
  ): Promise<Unkept | undefined> {
    const { client, annotation } = this.#options;
    const patch = { metadata: { resourceVersion, annotations: { [annotation]: text ?? null } } };
    try {
      await patchSecret(client, secret, patch, signal);
      return undefined;
    } catch (error) {
      if (!isApiReason(error, "Forbidden")) {
        throw error;
      }
      const reason = `fluxd isn't allowed to patch the Secret ${secret.namespace}/${secret.name}`;
      return { why: "not-permitted", reason };
    }
  }

  async #find(signal: AbortSignal): Promise<Found | { readonly unkept: Unkept }> {
    const { client, secret, annotation } = this.#options;
    if (secret === undefined) {
      return { unkept: { why: "outside-pod", reason: "fluxd doesn't run in a pod" } };
    }
    try {
      const object = await client.json({ method: "GET", path: secretPath(secret), signal });
      return { secret, ...foundIn(object, annotation) };
    } catch (error) {
      if (!isApiReason(error, "NotFound") && !isApiReason(error, "Forbidden")) {
        throw error;
      }
      const reason = `there is no Secret ${secret.namespace}/${secret.name}, or fluxd isn't allowed to read it`;
      return { unkept: { why: isApiReason(error, "NotFound") ? "no-secret" : "not-permitted", reason } };
    }
  }
}

/** A Secret, as far as it matters. */
interface Found {
  readonly secret: SecretName;
  readonly text: string | undefined;
  readonly resourceVersion: string;
}

function foundIn(object: unknown, annotation: string): Omit<Found, "secret"> {
  const metadata = isJsonObject(object) ? object["metadata"] : undefined;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return {
    text: textOf(isJsonObject(annotations) ? annotations[annotation] : undefined),
    resourceVersion: textOf(isJsonObject(metadata) ? metadata["resourceVersion"] : undefined) ?? "",
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
