import { isJsonObject, type JsonValue, type Logger } from "@weir/base";
import {
  createMemoryOperationStore,
  OperationConflictError,
  type OperationRecord,
  type OperationStore,
  parseOperation,
  serializeOperation,
  type TaskRecord,
} from "@weir/engine";
import { isApiReason } from "@weir/kube";
import type { RestClient } from "@weir/kube/rest";
import { patchSecret, type SecretName, secretPath } from "./secret-patch.ts";

const annotation = "weir.dev/operation";
/** Kubernetes allows 256 KiB for all annotations of an object. */
const mostBytes = 128 * 1024;
/** How often a write is prepared again because something else in the Secret has changed. */
const maxRetries = 5;

/**
 * Keeps the progress of a sync with hooks in an annotation of the Secret for the SSH key, which fluxd's permissions
 * always include. If that isn't possible (undefined: fluxd isn't in a pod), it's kept in memory, which is logged once.
 * It contains no error messages, because these can quote decrypted manifests.
 */
export function createSecretOperationStore(
  client: RestClient,
  secret: SecretName | undefined,
  logger: Logger,
): OperationStore {
  return new SecretOperationStore(client, secret, logger);
}

class SecretOperationStore implements OperationStore {
  readonly #client: RestClient;
  readonly #secret: SecretName | undefined;
  readonly #logger: Logger;
  readonly #memory = createMemoryOperationStore();
  /** What the annotation can be if nobody else has changed it. A write without a response may have been done. */
  #own: readonly (string | undefined)[] = [undefined];
  #told = false;

  constructor(client: RestClient, secret: SecretName | undefined, logger: Logger) {
    this.#client = client;
    this.#secret = secret;
    this.#logger = logger;
  }

  async load(unit: string, signal: AbortSignal): Promise<OperationRecord | undefined> {
    const found = this.#secret === undefined ? undefined : await this.#read(this.#secret, signal);
    if (found === undefined) {
      return this.#memory.load(unit, signal);
    }
    this.#own = [found.text];
    return this.#recordIn(found.text, unit);
  }

  async save(unit: string, record: OperationRecord | undefined, signal: AbortSignal): Promise<void> {
    const text = record === undefined ? undefined : printRecord(unit, record);
    const why = await this.#write(text, signal);
    if (why !== undefined) {
      this.#tell(why, record);
    }
    await this.#memory.save(unit, why === undefined ? undefined : record, signal);
  }

  /** Resolves to the reason why the text can't be stored in the cluster, if there is one. */
  async #write(text: string | undefined, signal: AbortSignal): Promise<string | undefined> {
    const secret = this.#secret;
    if (secret === undefined) {
      return "fluxd doesn't run in a pod";
    }
    if (text !== undefined && Buffer.byteLength(text) > mostBytes) {
      return "the sync has too many hooks";
    }
    for (let tries = 0; ; tries += 1) {
      const found = await this.#read(secret, signal);
      if (found === undefined) {
        return `there is no Secret ${secret.namespace}/${secret.name}, or fluxd isn't allowed to read it`;
      }
      if (!this.#own.includes(found.text)) {
        throw new OperationConflictError("another fluxd is working on a sync with hooks");
      }
      if (found.text === text) {
        return undefined;
      }
      try {
        this.#own = [found.text, text];
        const { resourceVersion } = found;
        const patch = { metadata: { resourceVersion, annotations: { [annotation]: text ?? null } } };
        await patchSecret(this.#client, secret, patch, signal);
        this.#own = [text];
        return undefined;
      } catch (error) {
        if (isApiReason(error, "Forbidden")) {
          return `fluxd isn't allowed to patch the Secret ${secret.namespace}/${secret.name}`;
        }
        if (!isApiReason(error, "Conflict") || tries === maxRetries) {
          throw error;
        }
      }
    }
  }

  async #read(secret: SecretName, signal: AbortSignal): Promise<Found | undefined> {
    try {
      return foundIn(await this.#client.json({ method: "GET", path: secretPath(secret), signal }));
    } catch (error) {
      if (isApiReason(error, "NotFound") || isApiReason(error, "Forbidden")) {
        return undefined;
      }
      throw error;
    }
  }

  #recordIn(text: string | undefined, unit: string): OperationRecord | undefined {
    if (text === undefined) {
      return undefined;
    }
    const record = parseOperation(text);
    if (record === undefined) {
      this.#logger.log({
        warning: "ignoring the progress of an earlier sync, which this version of fluxd can't read",
        annotation,
      });
    }
    return record !== undefined && unitOf(text) === unit ? record : undefined;
  }

  #tell(reason: string, record: OperationRecord | undefined): void {
    if (!this.#told && record !== undefined) {
      this.#told = true;
      this.#logger.log({ warning: "syncs with hooks begin again when fluxd restarts", reason });
    }
  }
}

/** A Secret, as far as it matters. */
interface Found {
  readonly text: string | undefined;
  readonly resourceVersion: string;
}

function foundIn(secret: unknown): Found {
  const metadata = isJsonObject(secret) ? secret["metadata"] : undefined;
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  return {
    text: textOf(isJsonObject(annotations) ? annotations[annotation] : undefined),
    resourceVersion: textOf(isJsonObject(metadata) ? metadata["resourceVersion"] : undefined) ?? "",
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function printRecord(unit: string, record: OperationRecord): string {
  const tasks = Object.entries(record.tasks).map(([id, task]) => [id, withoutError(task)] as const);
  const text = serializeOperation({ ...record, tasks: Object.fromEntries(tasks) });
  return JSON.stringify({ unit, ...(JSON.parse(text) as object) });
}

function withoutError({ outcome, uid, at }: TaskRecord): TaskRecord {
  return { outcome, ...(uid === undefined ? {} : { uid }), at };
}

function unitOf(text: string): unknown {
  const json = JSON.parse(text) as unknown;
  return isJsonObject(json) ? json["unit"] : undefined;
}
