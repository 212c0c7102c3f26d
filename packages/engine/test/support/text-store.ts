import {
  type OperationRecord,
  type OperationStore,
  parseOperation,
  serializeOperation,
} from "../../src/index.ts";

/** Keeps records as text, as they would survive the process, and counts the writes. */
export class TextStore implements OperationStore {
  readonly texts = new Map<string, string>();
  saves = 0;

  load(unit: string): Promise<OperationRecord | undefined> {
    const text = this.texts.get(unit);
    return Promise.resolve(text === undefined ? undefined : parseOperation(text));
  }

  save(unit: string, record: OperationRecord | undefined): Promise<void> {
    this.saves += 1;
    if (record === undefined) {
      this.texts.delete(unit);
    } else {
      this.texts.set(unit, serializeOperation(record));
    }
    return Promise.resolve();
  }
}
