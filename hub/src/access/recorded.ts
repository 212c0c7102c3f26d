import type { AuditedCall, Auditor, AuditRecord } from "./auditor.ts";

/** Checks a call; resolves to what does it, if it may be done. */
export type Check<T> = () => Promise<() => Promise<T>>;

/** What the audit log says of a call, by what is known of it when it's asked. */
export interface Described {
  readonly call: () => AuditedCall;
  readonly failed: (error: unknown) => AuditRecord;
}

/**
 * Checks a call and does it, and has it recorded: that it begins, once it's checked, and how it ended. What can't be
 * recorded isn't begun. Rejects like the check and the call, or with the auditor's Problem.
 */
export async function recorded<T>(
  auditor: Auditor,
  { call, failed }: Described,
  check: Check<T>,
): Promise<T> {
  const act = await check().catch(async (error: unknown) => {
    await auditor.record(failed(error));
    throw error;
  });
  const begun = await auditor.begin(call());
  try {
    const result = await act();
    await begun.end({ ...call(), outcome: "done" });
    return result;
  } catch (error) {
    await begun.end(failed(error));
    throw error;
  }
}
