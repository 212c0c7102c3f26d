import { isJsonObject, type Logger } from "@weir/base";
import {
  createMemoryOperationStore,
  OperationConflictError,
  type OperationRecord,
  type OperationStore,
  parseOperation,
  serializeOperation,
  type TaskRecord,
} from "@weir/engine";
import type { RestClient } from "@weir/kube/rest";
import { SecretAnnotation, type Unkept } from "./secret-annotation.ts";
import type { SecretName } from "./secret-patch.ts";

const annotation = "weir.dev/operation";
/** Half of what Kubernetes allows for all annotations of an object. */
const mostBytes = 128 * 1024;

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
  return new SecretOperationStore(new SecretAnnotation({ client, secret, annotation, mostBytes }), logger);
}

class SecretOperationStore implements OperationStore {
  readonly #annotation: SecretAnnotation;
  readonly #logger: Logger;
  readonly #memory = createMemoryOperationStore();
  /** What the annotation can be if nobody else has changed it. A write without a response may have been done. */
  #own: readonly (string | undefined)[] = [undefined];
  #told = false;

  constructor(secretAnnotation: SecretAnnotation, logger: Logger) {
    this.#annotation = secretAnnotation;
    this.#logger = logger;
  }

  async load(unit: string, signal: AbortSignal): Promise<OperationRecord | undefined> {
    const found = await this.#annotation.read(signal);
    if ("unkept" in found) {
      return this.#memory.load(unit, signal);
    }
    this.#own = [found.text];
    return this.#recordIn(found.text, unit);
  }

  async save(unit: string, record: OperationRecord | undefined, signal: AbortSignal): Promise<void> {
    const text = record === undefined ? undefined : printRecord(unit, record);
    const unkept = await this.#annotation.update((current) => this.#replace(current, text), signal);
    if (unkept === undefined) {
      this.#own = [text];
    } else {
      this.#tell(unkept, record);
    }
    await this.#memory.save(unit, unkept === undefined ? undefined : record, signal);
  }

  #replace(current: string | undefined, text: string | undefined): string | undefined {
    if (!this.#own.includes(current)) {
      throw new OperationConflictError("another fluxd is working on a sync with hooks");
    }
    this.#own = [current, text];
    return text;
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

  #tell(unkept: Unkept, record: OperationRecord | undefined): void {
    if (!this.#told && record !== undefined) {
      this.#told = true;
      const reason = unkept.why === "too-large" ? "the sync has too many hooks" : unkept.reason;
      this.#logger.log({ warning: "syncs with hooks begin again when fluxd restarts", reason });
    }
  }
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
