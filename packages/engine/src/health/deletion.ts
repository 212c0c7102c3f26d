import type { KubeObject } from "@weir/kube";
import { type Health, health } from "./health-status.ts";

/** The health of an object that is to go: Missing if it's gone, even if another object has its name now. */
export function deletionHealth(was: KubeObject, now: KubeObject | undefined): Health {
  return now === undefined || now.metadata.uid !== was.metadata.uid
    ? health("Missing")
    : health("Progressing", printFinalizers(now));
}

/** Which finalizers an object that is being deleted waits for; "" if there are none. */
export function printFinalizers({ metadata }: KubeObject): string {
  const finalizers = metadata.finalizers ?? [];
  const noun = finalizers.length === 1 ? "finalizer" : "finalizers";
  return finalizers.length === 0 ? "" : `it has the ${noun} ${finalizers.join(", ")}`;
}
