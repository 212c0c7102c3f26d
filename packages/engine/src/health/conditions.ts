/**
 * The health of objects whose kind has no rule of its own, by the conventions that controllers share: the rules of
 * kstatus (sigs.k8s.io/cli-utils), and the API conventions for conditions.
 */
import { groupOf, type KubeObject } from "@weir/kube";
import { conditionsOf, numberOf, specOf, statusOf } from "./fields.ts";
import { type Health, health } from "./health-status.ts";

/** Kinds whose controllers report Ready for every object, so that its absence means that none has looked yet. */
const alwaysReport: ReadonlySet<string> = new Set([
  "cert-manager.io/Certificate",
  "cert-manager.io/CertificateRequest",
  "cert-manager.io/ClusterIssuer",
  "cert-manager.io/Issuer",
  "external-secrets.io/ExternalSecret",
]);

/**
 * The health by common conventions, in this order:
 *
 * - Suspended if `spec.suspend` is true: its controller leaves it alone, so its conditions are old.
 * - Progressing if the controller has observed an older generation.
 * - Degraded if Stalled is true: it doesn't expect to get further by itself.
 * - Progressing if Reconciling is true.
 * - Healthy if Ready is true, and Progressing if it's anything else, or says so of an older generation. It isn't
 *   Degraded if Ready is false, because the condition doesn't tell whether the controller is still trying.
 *
 * Undefined for an object without any of these. That isn't always the last word: many controllers add conditions only
 * when they first look at an object. For some well-known kinds, such an object is Progressing.
 */
export function conditionsHealth(live: KubeObject): Health | undefined {
  const reported = reportedHealth(live);
  if (reported !== undefined) {
    return specOf(live)["suspend"] === true ? health("Suspended", "it is suspended") : reported;
  }
  return alwaysReport.has(`${groupOf(live.apiVersion)}/${live.kind}`)
    ? health("Progressing", "no controller has reported on it yet")
    : undefined;
}

function reportedHealth(live: KubeObject): Health | undefined {
  const status = statusOf(live);
  if (isOlder(numberOf(status["observedGeneration"]), live)) {
    return health("Progressing", "the new definition has not been observed yet");
  }
  const conditions = conditionsOf(status);
  const stalled = conditions.find(({ type, status: is }) => type === "Stalled" && is === "True");
  if (stalled !== undefined) {
    return health("Degraded", stalled.message || stalled.reason);
  }
  const reconciling = conditions.find(({ type, status: is }) => type === "Reconciling" && is === "True");
  if (reconciling !== undefined) {
    return health("Progressing", reconciling.message || reconciling.reason);
  }
  return readyHealth(live);
}

function readyHealth(live: KubeObject): Health | undefined {
  const ready = conditionsOf(statusOf(live)).find(({ type }) => type === "Ready");
  if (ready === undefined) {
    return undefined;
  }
  if (isOlder(ready.observedGeneration, live)) {
    return health("Progressing", "it was last ready, or not, with an older definition");
  }
  return health(ready.status === "True" ? "Healthy" : "Progressing", ready.message || ready.reason);
}

/** True if a generation that a controller has observed isn't the object's. Some don't report it, or not as a number. */
function isOlder(observed: number | undefined, { metadata }: KubeObject): boolean {
  return observed !== undefined && observed < (numberOf(metadata.generation) ?? 0);
}
