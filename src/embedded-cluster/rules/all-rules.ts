import { definitionRules } from "../custom-resources/definition-rules.ts";
import { changesOf, type KindRules } from "../resources/kind-rules.ts";
import { autoscalerRules } from "./autoscaler-rules.ts";
import { apiServiceRules, nodeRules } from "./cluster-rules.ts";
import { configMapRules, secretRules } from "./config-rules.ts";
import { daemonSetRules } from "./daemon-set-rules.ts";
import { deploymentRules, replicaSetRules } from "./deployment-rules.ts";
import { endpointSliceRules, endpointsRules, leaseRules } from "./endpoint-rules.ts";
import { eventRules } from "./event-rules.ts";
import { cronJobRules, jobRules } from "./job-rules.ts";
import { namespaceRules } from "./namespace-rules.ts";
import { ingressClassRules, ingressRules, networkPolicyRules } from "./network-rules.ts";
import { podRules } from "./pod-rules.ts";
import { disruptionBudgetRules, priorityClassRules } from "./policy-rules.ts";
import { limitRangeRules, resourceQuotaRules } from "./quota-rules.ts";
import { clusterRoleBindingRules, clusterRoleRules, roleBindingRules, roleRules } from "./rbac-rules.ts";
import { podTemplateRules, replicationControllerRules } from "./replication-rules.ts";
import { serviceRules } from "./service-rules.ts";
import { statefulSetRules } from "./stateful-set-rules.ts";
import { claimRules, driverRules, storageClassRules, volumeRules } from "./storage-rules.ts";
import { admissionPolicyRules, webhookRules } from "./webhook-rules.ts";

/** The rules of the objects of a bucket, e.g. "deployments.apps"; none for kinds without. */
export function rulesOf(bucket: string): KindRules {
  return all.get(bucket) ?? none;
}

const none: KindRules = {};

const all: ReadonlyMap<string, KindRules> = new Map(
  Object.entries({
    configmaps: configMapRules,
    endpoints: endpointsRules,
    events: eventRules,
    limitranges: limitRangeRules,
    namespaces: namespaceRules,
    nodes: nodeRules,
    persistentvolumeclaims: claimRules,
    persistentvolumes: volumeRules,
    pods: podRules,
    podtemplates: podTemplateRules,
    replicationcontrollers: replicationControllerRules,
    resourcequotas: resourceQuotaRules,
    secrets: secretRules,
    serviceaccounts: { returnsDeleted: true },
    services: serviceRules,
    "customresourcedefinitions.apiextensions.k8s.io": definitionRules,
    "apiservices.apiregistration.k8s.io": apiServiceRules,
    "daemonsets.apps": daemonSetRules,
    "deployments.apps": deploymentRules,
    "replicasets.apps": replicaSetRules,
    "statefulsets.apps": statefulSetRules,
    "horizontalpodautoscalers.autoscaling": autoscalerRules,
    "cronjobs.batch": cronJobRules,
    "jobs.batch": jobRules,
    "leases.coordination.k8s.io": leaseRules,
    "endpointslices.discovery.k8s.io": endpointSliceRules,
    "flowschemas.flowcontrol.apiserver.k8s.io": { generation: changesOf("spec") },
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": { generation: changesOf("spec") },
    "ingressclasses.networking.k8s.io": ingressClassRules,
    "ingresses.networking.k8s.io": ingressRules,
    "networkpolicies.networking.k8s.io": networkPolicyRules,
    "runtimeclasses.node.k8s.io": { createOnUpdate: true, unconditionalUpdate: false },
    "poddisruptionbudgets.policy": disruptionBudgetRules,
    "clusterrolebindings.rbac.authorization.k8s.io": clusterRoleBindingRules,
    "clusterroles.rbac.authorization.k8s.io": clusterRoleRules,
    "rolebindings.rbac.authorization.k8s.io": roleBindingRules,
    "roles.rbac.authorization.k8s.io": roleRules,
    "deviceclasses.resource.k8s.io": { generation: changesOf("spec"), returnsDeleted: true },
    "resourceclaims.resource.k8s.io": { returnsDeleted: true },
    "resourceclaimtemplates.resource.k8s.io": { returnsDeleted: true },
    "resourceslices.resource.k8s.io": { generation: changesOf("spec"), returnsDeleted: true },
    "priorityclasses.scheduling.k8s.io": priorityClassRules,
    "storageclasses.storage.k8s.io": storageClassRules,
    "mutatingwebhookconfigurations.admissionregistration.k8s.io": webhookRules,
    "validatingwebhookconfigurations.admissionregistration.k8s.io": webhookRules,
    "validatingadmissionpolicies.admissionregistration.k8s.io": admissionPolicyRules,
    "validatingadmissionpolicybindings.admissionregistration.k8s.io": admissionPolicyRules,
    ...driverRules,
  }),
);
