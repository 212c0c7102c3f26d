import type { Actor } from "../access/actor.ts";
import type { Auditor, AuditRecord } from "../access/auditor.ts";
import type { OperationName } from "../contract/routes.ts";
import { Problem, type ProblemKind } from "../problem/problem.ts";
import type { AuditNote } from "./call.ts";

/** What is known of a call before anything is checked. */
interface AuditedCall {
  readonly name: OperationName;
  readonly path: Readonly<Record<string, string>>;
  readonly address: string;
}

/** What is found out about a call while it's handled. */
export interface AuditNotes {
  /** Undefined as long as it isn't known, or if nobody is logged in. */
  actor: Actor | undefined;
  /** True from the moment when it's clear that the sender may call the operation. */
  isPermitted: boolean;
  note: AuditNote;
}

/** Problems of who may not do something, or not so often. */
const refusals: ReadonlySet<ProblemKind> = new Set(["unauthenticated", "forbidden", "too-many"]);

/** Does what a call is for, and has it recorded once it's over, however it ended. Rejects like the work. */
export async function audited<T>(
  call: AuditedCall,
  auditor: Auditor,
  work: (notes: AuditNotes) => Promise<T>,
): Promise<T> {
  const notes: AuditNotes = { actor: undefined, isPermitted: false, note: {} };
  try {
    const result = await work(notes);
    await auditor.record(recordOf(call, notes, "done"));
    return result;
  } catch (error) {
    await auditor.record(withProblem(recordOf(call, notes, outcomeOf(error, notes)), error));
    throw error;
  }
}

/** Whatever is found wrong before it's clear that the sender may call the operation is a refusal. */
function outcomeOf(error: unknown, { isPermitted }: AuditNotes): "refused" | "failed" {
  return error instanceof Problem && (!isPermitted || refusals.has(error.kind)) ? "refused" : "failed";
}

function recordOf(
  { name, path, address }: AuditedCall,
  { actor, note }: AuditNotes,
  outcome: AuditRecord["outcome"],
): AuditRecord {
  const { instance, ...ids } = path;
  return {
    actor: note.actor ?? actor,
    action: name,
    outcome,
    instanceId: note.instanceId ?? instance ?? null,
    namespace: note.namespace ?? null,
    subject: note.subject ?? Object.values(ids).join(" "),
    detail: note.detail ?? {},
    address,
  };
}

/** Of an error that isn't a problem, only the log of the program says more. A wrong request may have anything in it. */
function withProblem(record: AuditRecord, error: unknown): AuditRecord {
  const problem = error instanceof Problem ? error : undefined;
  const text = problem?.kind === "invalid" ? "The request is wrong." : problem?.message;
  return { ...record, detail: { ...record.detail, problem: text ?? "An internal error." } };
}
