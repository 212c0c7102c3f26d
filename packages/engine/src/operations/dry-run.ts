import type { KubeObject } from "@weir/kube";
import { hideSecretData } from "../diff/secret-data.ts";
import { applyObject } from "./apply.ts";
import type { Change, OperationContext } from "./context.ts";
import type { KnownSubject } from "./races.ts";

/** The predicted state of an object, safe to show. */
export interface Prediction {
  readonly change: Change;
  readonly before: KubeObject | undefined;
  readonly after: KubeObject | undefined;
}

/**
 * What `kubectl apply` of a manifest would do, according to the server: with admission and defaults, but
 * nothing is stored. The values of Secrets are hidden. Rejects with OperationError.
 */
export async function predictApply(
  context: OperationContext,
  subject: KnownSubject,
  signal: AbortSignal,
): Promise<Prediction> {
  const { change, live } = await applyObject(context, subject, {
    validate: true,
    dryRun: true,
    signal,
  });
  const [before, after] = hideSecretData(subject.known?.live, live);
  return { change, before, after };
}
