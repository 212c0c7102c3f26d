/**
 * Confirmations of deletions. An object whose sync options say `Prune=confirm` or `Delete=confirm` is pruned
 * only after somebody has confirmed it, with an annotation on the live object.
 */
import { annotationOf, type KubeObject } from "@weir/kube";

/**
 * Confirms the deletion of a live object: "<uid>@<time>", with the time in RFC 3339. The UID binds it to this
 * object, so that a copy of the annotation confirms nothing.
 */
export const confirmationAnnotation = "weir.dev/deletion-approved";

/** The annotation of Argo CD: only a time. @see gitops-engine's AnnotationDeletionApproved. */
const argoAnnotation = "argocd.argoproj.io/deletion-approved";

/** How long a confirmation is valid: a forgotten one must not confirm a later deletion. */
const validMs = 60 * 60 * 1000;

/** How far the clock of whoever confirmed may be ahead. */
const aheadMs = 5 * 60 * 1000;

/**
 * The value of the confirmation annotation for an object, at a time in milliseconds since the epoch. Undefined
 * if the object has no UID, which every live object has.
 */
export function confirmationOf({ metadata: { uid } }: KubeObject, now: number): string | undefined {
  return uid === undefined ? undefined : `${uid}@${new Date(now).toISOString()}`;
}

/**
 * True if the deletion of a live object is confirmed: at most an hour ago, and for this very object. A
 * confirmation in Argo CD's form names no object, so it must not be older than the object.
 */
export function isConfirmed(live: KubeObject, now: number): boolean {
  return isConfirmedByUid(live, now) || isConfirmedByTime(live, now);
}

function isConfirmedByUid(live: KubeObject, now: number): boolean {
  const value = annotationOf(live, confirmationAnnotation) ?? "";
  const at = value.indexOf("@");
  const uid = value.slice(0, Math.max(at, 0));
  return uid !== "" && uid === live.metadata.uid && isRecent(timeOf(value.slice(at + 1)), now);
}

function isConfirmedByTime(live: KubeObject, now: number): boolean {
  const time = timeOf(annotationOf(live, argoAnnotation) ?? "");
  return isRecent(time, now) && time >= timeOf(live.metadata.creationTimestamp ?? "");
}

function isRecent(time: number, now: number): boolean {
  return time >= now - validMs && time <= now + aheadMs;
}

/** NaN, which compares as false, if it isn't a time in RFC 3339. */
function timeOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
}
