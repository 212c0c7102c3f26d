import type { OperationState, SyncOperation, SyncUnit } from "./ports.ts";

/** What is to be done for the request of a unit. */
export type OperationDue =
  | { readonly kind: "nothing" }
  /** The request is new. */
  | { readonly kind: "start"; readonly operation: SyncOperation }
  /** Its sync was interrupted, by a restart for example. */
  | { readonly kind: "resume"; readonly operation: SyncOperation; readonly state: OperationState }
  /** A sync was interrupted, and its request is gone, so that nobody knows how it should go on. */
  | { readonly kind: "give-up"; readonly state: OperationState };

/** Compares the request of a unit with its status, as far as the store knows it. */
export function operationDue({ operation, status }: Pick<SyncUnit, "operation" | "status">): OperationDue {
  const { operation: state } = status;
  if (operation !== undefined && operation.generation > (state?.generation ?? 0)) {
    return { kind: "start", operation };
  }
  if (state?.phase !== "Running") {
    return { kind: "nothing" };
  }
  return operation?.generation === state.generation
    ? { kind: "resume", operation, state }
    : { kind: "give-up", state };
}
