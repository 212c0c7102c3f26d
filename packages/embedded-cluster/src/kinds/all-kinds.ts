import type { Defaulters } from "../schema/apply-defaults.ts";
import { apiService } from "./api-service/kind.ts";
import { autoscaler } from "./autoscaler/kind.ts";
import { configMap } from "./config-map/kind.ts";
import { controllerRevision } from "./controller-revision/kind.ts";
import { cronJob } from "./cron-job/kind.ts";
import { customResourceDefinition } from "./custom-resource-definition/kind.ts";
import { daemonSet } from "./daemon-set/kind.ts";
import { deployment } from "./deployment/kind.ts";
import { disruptionBudget } from "./disruption-budget/kind.ts";
import { endpointSlice } from "./endpoint-slice/kind.ts";
import { endpoints } from "./endpoints/kind.ts";
import { event } from "./event/kind.ts";
import { flowControlKinds } from "./flow-control/kind.ts";
import { ingress } from "./ingress/kind.ts";
import { ingressClass } from "./ingress-class/kind.ts";
import { job } from "./job/kind.ts";
import type { Kind } from "./kind.ts";
import { lease } from "./lease/kind.ts";
import { namespace } from "./namespace/kind.ts";
import { networkPolicy } from "./network-policy/kind.ts";
import { node } from "./node/kind.ts";
import { otherKinds } from "./other-kinds.ts";
import { persistentVolume } from "./persistent-volume/kind.ts";
import { persistentVolumeClaim } from "./persistent-volume-claim/kind.ts";
import { pod } from "./pod/kind.ts";
import { podTemplate } from "./pod-template/kind.ts";
import { priorityClass } from "./priority-class/kind.ts";
import { limitRange, resourceQuota } from "./quota/kind.ts";
import { rbacKinds } from "./rbac/kind.ts";
import { replicaSet } from "./replica-set/kind.ts";
import { replicationController } from "./replication-controller/kind.ts";
import { secret } from "./secret/kind.ts";
import { service } from "./service/kind.ts";
import { serviceAccount } from "./service-account/kind.ts";
import { statefulSet } from "./stateful-set/kind.ts";
import { storageClass } from "./storage-class/kind.ts";
import { storageDriverKinds } from "./storage-drivers/kind.ts";
import { webhookKinds } from "./webhook/kind.ts";

/** All built-in kinds of which there is anything to say beyond their schemas. */
const kinds: readonly Kind[] = [
  apiService,
  autoscaler,
  configMap,
  controllerRevision,
  cronJob,
  customResourceDefinition,
  daemonSet,
  deployment,
  disruptionBudget,
  endpointSlice,
  endpoints,
  event,
  ingressClass,
  ingress,
  job,
  lease,
  namespace,
  networkPolicy,
  node,
  persistentVolumeClaim,
  persistentVolume,
  podTemplate,
  pod,
  priorityClass,
  resourceQuota,
  limitRange,
  replicaSet,
  replicationController,
  secret,
  serviceAccount,
  service,
  statefulSet,
  storageClass,
  ...flowControlKinds,
  ...otherKinds,
  ...rbacKinds,
  ...storageDriverKinds,
  ...webhookKinds,
];

const byBucket: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.bucket, kind]));

/** The kind whose objects are kept in a bucket, e.g. "deployments.apps". */
export function kindOf(bucket: string): Kind {
  return byBucket.get(bucket) ?? { bucket };
}

/** The defaulters of all built-in types that have one. */
export const builtinDefaulters: Defaulters = new Map(
  kinds.flatMap(({ defaults }) => Object.entries(defaults ?? {})),
);
