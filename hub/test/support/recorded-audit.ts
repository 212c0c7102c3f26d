import type { AuditedCall, Auditor, AuditRecord, BegunCall } from "../../src/access/auditor.ts";

/** An audit log in memory. */
export class RecordedAudit implements Auditor {
  /** What is over, in this order. */
  readonly records: AuditRecord[] = [];
  /** What has begun, in this order. */
  readonly begun: AuditedCall[] = [];

  /** Forgets everything. */
  clear(): void {
    this.records.length = 0;
    this.begun.length = 0;
  }

  begin(call: AuditedCall): Promise<BegunCall> {
    this.begun.push(call);
    return Promise.resolve({ end: (record) => this.record(record) });
  }

  record(record: AuditRecord): Promise<void> {
    this.records.push(record);
    return Promise.resolve();
  }
}
