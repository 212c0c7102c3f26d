// Made by scripts/make-patch-schemas.ts from the OpenAPI document of Kubernetes: not to be changed by hand.

/** The types with patch rules; schema-table.ts tells how to read a line. */
export const typeLines: Readonly<Record<string, string>> = {
  "admissionregistration.v1.MutatingWebhook": "matchConditions!merge:name",
  "admissionregistration.v1.MutatingWebhookConfiguration":
    "metadata=meta.v1.ObjectMeta webhooks=admissionregistration.v1.MutatingWebhook!merge:name",
  "admissionregistration.v1.ValidatingAdmissionPolicy":
    "metadata=meta.v1.ObjectMeta spec=admissionregistration.v1.ValidatingAdmissionPolicySpec",
  "admissionregistration.v1.ValidatingAdmissionPolicySpec": "matchConditions!merge:name variables!merge:name",
  "admissionregistration.v1.ValidatingWebhook": "matchConditions!merge:name",
  "admissionregistration.v1.ValidatingWebhookConfiguration":
    "metadata=meta.v1.ObjectMeta webhooks=admissionregistration.v1.ValidatingWebhook!merge:name",
  "admissionregistration.v1alpha1.MutatingAdmissionPolicy":
    "metadata=meta.v1.ObjectMeta spec=admissionregistration.v1alpha1.MutatingAdmissionPolicySpec",
  "admissionregistration.v1alpha1.MutatingAdmissionPolicySpec": "matchConditions!merge:name",
  "admissionregistration.v1beta1.MutatingAdmissionPolicy":
    "metadata=meta.v1.ObjectMeta spec=admissionregistration.v1beta1.MutatingAdmissionPolicySpec",
  "admissionregistration.v1beta1.MutatingAdmissionPolicySpec": "matchConditions!merge:name",
  "apiextensions.v1.CustomResourceDefinition":
    "metadata=meta.v1.ObjectMeta spec=apiextensions.v1.CustomResourceDefinitionSpec",
  "apiextensions.v1.CustomResourceDefinitionSpec":
    "versions=apiextensions.v1.CustomResourceDefinitionVersion",
  "apiextensions.v1.CustomResourceDefinitionVersion": "schema=apiextensions.v1.CustomResourceValidation",
  "apiextensions.v1.CustomResourceValidation": "openAPIV3Schema=apiextensions.v1.JSONSchemaProps",
  "apiextensions.v1.JSONSchemaProps":
    "allOf=apiextensions.v1.JSONSchemaProps anyOf=apiextensions.v1.JSONSchemaProps not=apiextensions.v1.JSONSchemaProps oneOf=apiextensions.v1.JSONSchemaProps x-kubernetes-validations!merge:rule",
  "apiregistration.v1.APIService": "metadata=meta.v1.ObjectMeta status=apiregistration.v1.APIServiceStatus",
  "apiregistration.v1.APIServiceStatus": "conditions!merge:type",
  "apps.v1.DaemonSet":
    "metadata=meta.v1.ObjectMeta spec=apps.v1.DaemonSetSpec status=apps.v1.DaemonSetStatus",
  "apps.v1.DaemonSetSpec": "template=core.v1.PodTemplateSpec",
  "apps.v1.DaemonSetStatus": "conditions!merge:type",
  "apps.v1.Deployment":
    "metadata=meta.v1.ObjectMeta spec=apps.v1.DeploymentSpec status=apps.v1.DeploymentStatus",
  "apps.v1.DeploymentSpec": "strategy!retainKeys template=core.v1.PodTemplateSpec",
  "apps.v1.DeploymentStatus": "conditions!merge:type",
  "apps.v1.ReplicaSet":
    "metadata=meta.v1.ObjectMeta spec=apps.v1.ReplicaSetSpec status=apps.v1.ReplicaSetStatus",
  "apps.v1.ReplicaSetSpec": "template=core.v1.PodTemplateSpec",
  "apps.v1.ReplicaSetStatus": "conditions!merge:type",
  "apps.v1.StatefulSet":
    "metadata=meta.v1.ObjectMeta spec=apps.v1.StatefulSetSpec status=apps.v1.StatefulSetStatus",
  "apps.v1.StatefulSetSpec":
    "template=core.v1.PodTemplateSpec volumeClaimTemplates=core.v1.PersistentVolumeClaim",
  "apps.v1.StatefulSetStatus": "conditions!merge:type",
  "autoscaling.v2.ContainerResourceMetricSource": "target=autoscaling.v2.MetricTarget",
  "autoscaling.v2.ContainerResourceMetricStatus": "current=autoscaling.v2.MetricValueStatus",
  "autoscaling.v2.ExternalMetricSource": "target=autoscaling.v2.MetricTarget",
  "autoscaling.v2.ExternalMetricStatus": "current=autoscaling.v2.MetricValueStatus",
  "autoscaling.v2.HPAScalingRules": "tolerance#",
  "autoscaling.v2.HorizontalPodAutoscaler":
    "metadata=meta.v1.ObjectMeta spec=autoscaling.v2.HorizontalPodAutoscalerSpec status=autoscaling.v2.HorizontalPodAutoscalerStatus",
  "autoscaling.v2.HorizontalPodAutoscalerBehavior":
    "scaleDown=autoscaling.v2.HPAScalingRules scaleUp=autoscaling.v2.HPAScalingRules",
  "autoscaling.v2.HorizontalPodAutoscalerSpec":
    "behavior=autoscaling.v2.HorizontalPodAutoscalerBehavior metrics=autoscaling.v2.MetricSpec",
  "autoscaling.v2.HorizontalPodAutoscalerStatus":
    "conditions!merge:type currentMetrics=autoscaling.v2.MetricStatus",
  "autoscaling.v2.MetricSpec":
    "containerResource=autoscaling.v2.ContainerResourceMetricSource external=autoscaling.v2.ExternalMetricSource object=autoscaling.v2.ObjectMetricSource pods=autoscaling.v2.PodsMetricSource resource=autoscaling.v2.ResourceMetricSource",
  "autoscaling.v2.MetricStatus":
    "containerResource=autoscaling.v2.ContainerResourceMetricStatus external=autoscaling.v2.ExternalMetricStatus object=autoscaling.v2.ObjectMetricStatus pods=autoscaling.v2.PodsMetricStatus resource=autoscaling.v2.ResourceMetricStatus",
  "autoscaling.v2.MetricTarget": "averageValue# value#",
  "autoscaling.v2.MetricValueStatus": "averageValue# value#",
  "autoscaling.v2.ObjectMetricSource": "target=autoscaling.v2.MetricTarget",
  "autoscaling.v2.ObjectMetricStatus": "current=autoscaling.v2.MetricValueStatus",
  "autoscaling.v2.PodsMetricSource": "target=autoscaling.v2.MetricTarget",
  "autoscaling.v2.PodsMetricStatus": "current=autoscaling.v2.MetricValueStatus",
  "autoscaling.v2.ResourceMetricSource": "target=autoscaling.v2.MetricTarget",
  "autoscaling.v2.ResourceMetricStatus": "current=autoscaling.v2.MetricValueStatus",
  "batch.v1.CronJob": "metadata=meta.v1.ObjectMeta spec=batch.v1.CronJobSpec",
  "batch.v1.CronJobSpec": "jobTemplate=batch.v1.JobTemplateSpec",
  "batch.v1.Job": "metadata=meta.v1.ObjectMeta spec=batch.v1.JobSpec status=batch.v1.JobStatus",
  "batch.v1.JobSpec": "template=core.v1.PodTemplateSpec",
  "batch.v1.JobStatus": "conditions!merge:type",
  "batch.v1.JobTemplateSpec": "metadata=meta.v1.ObjectMeta spec=batch.v1.JobSpec",
  "certificates.v1alpha1.PodCertificateRequest":
    "metadata=meta.v1.ObjectMeta status=certificates.v1alpha1.PodCertificateRequestStatus",
  "certificates.v1alpha1.PodCertificateRequestStatus": "conditions!merge:type",
  "core.v1.ComponentStatus": "conditions!merge:type metadata=meta.v1.ObjectMeta",
  "core.v1.Container":
    "env=core.v1.EnvVar!merge:name ports!merge:containerPort resources=core.v1.ResourceRequirements volumeDevices!merge:devicePath volumeMounts!merge:mountPath",
  "core.v1.ContainerStatus":
    "allocatedResources# allocatedResourcesStatus!merge:name resources=core.v1.ResourceRequirements volumeMounts!merge:mountPath",
  "core.v1.DownwardAPIProjection": "items=core.v1.DownwardAPIVolumeFile",
  "core.v1.DownwardAPIVolumeFile": "resourceFieldRef=core.v1.ResourceFieldSelector",
  "core.v1.DownwardAPIVolumeSource": "items=core.v1.DownwardAPIVolumeFile",
  "core.v1.EmptyDirVolumeSource": "sizeLimit#",
  "core.v1.EnvVar": "valueFrom=core.v1.EnvVarSource",
  "core.v1.EnvVarSource": "resourceFieldRef=core.v1.ResourceFieldSelector",
  "core.v1.EphemeralContainer":
    "env=core.v1.EnvVar!merge:name ports!merge:containerPort resources=core.v1.ResourceRequirements volumeDevices!merge:devicePath volumeMounts!merge:mountPath",
  "core.v1.EphemeralVolumeSource": "volumeClaimTemplate=core.v1.PersistentVolumeClaimTemplate",
  "core.v1.LimitRange": "metadata=meta.v1.ObjectMeta spec=core.v1.LimitRangeSpec",
  "core.v1.LimitRangeItem": "default# defaultRequest# max# maxLimitRequestRatio# min#",
  "core.v1.LimitRangeSpec": "limits=core.v1.LimitRangeItem",
  "core.v1.Namespace": "metadata=meta.v1.ObjectMeta status=core.v1.NamespaceStatus",
  "core.v1.NamespaceStatus": "conditions!merge:type",
  "core.v1.Node": "metadata=meta.v1.ObjectMeta spec=core.v1.NodeSpec status=core.v1.NodeStatus",
  "core.v1.NodeSpec": "podCIDRs!merge",
  "core.v1.NodeStatus": "addresses!merge:type allocatable# capacity# conditions!merge:type",
  "core.v1.PersistentVolume": "metadata=meta.v1.ObjectMeta spec=core.v1.PersistentVolumeSpec",
  "core.v1.PersistentVolumeClaim":
    "metadata=meta.v1.ObjectMeta spec=core.v1.PersistentVolumeClaimSpec status=core.v1.PersistentVolumeClaimStatus",
  "core.v1.PersistentVolumeClaimSpec": "resources=core.v1.VolumeResourceRequirements",
  "core.v1.PersistentVolumeClaimStatus": "allocatedResources# capacity# conditions!merge:type",
  "core.v1.PersistentVolumeClaimTemplate":
    "metadata=meta.v1.ObjectMeta spec=core.v1.PersistentVolumeClaimSpec",
  "core.v1.PersistentVolumeSpec": "capacity#",
  "core.v1.Pod": "metadata=meta.v1.ObjectMeta spec=core.v1.PodSpec status=core.v1.PodStatus",
  "core.v1.PodSpec":
    "containers=core.v1.Container!merge:name ephemeralContainers=core.v1.EphemeralContainer!merge:name hostAliases!merge:ip imagePullSecrets!merge:name initContainers=core.v1.Container!merge:name overhead# resourceClaims!merge,retainKeys:name resources=core.v1.ResourceRequirements schedulingGates!merge:name topologySpreadConstraints!merge:topologyKey volumes=core.v1.Volume!merge,retainKeys:name",
  "core.v1.PodStatus":
    "conditions!merge:type containerStatuses=core.v1.ContainerStatus ephemeralContainerStatuses=core.v1.ContainerStatus hostIPs!merge:ip initContainerStatuses=core.v1.ContainerStatus podIPs!merge:ip resourceClaimStatuses!merge,retainKeys:name",
  "core.v1.PodTemplate": "metadata=meta.v1.ObjectMeta template=core.v1.PodTemplateSpec",
  "core.v1.PodTemplateSpec": "metadata=meta.v1.ObjectMeta spec=core.v1.PodSpec",
  "core.v1.ProjectedVolumeSource": "sources=core.v1.VolumeProjection",
  "core.v1.ReplicationController":
    "metadata=meta.v1.ObjectMeta spec=core.v1.ReplicationControllerSpec status=core.v1.ReplicationControllerStatus",
  "core.v1.ReplicationControllerSpec": "template=core.v1.PodTemplateSpec",
  "core.v1.ReplicationControllerStatus": "conditions!merge:type",
  "core.v1.ResourceFieldSelector": "divisor#",
  "core.v1.ResourceQuota":
    "metadata=meta.v1.ObjectMeta spec=core.v1.ResourceQuotaSpec status=core.v1.ResourceQuotaStatus",
  "core.v1.ResourceQuotaSpec": "hard#",
  "core.v1.ResourceQuotaStatus": "hard# used#",
  "core.v1.ResourceRequirements": "limits# requests#",
  "core.v1.Service": "metadata=meta.v1.ObjectMeta spec=core.v1.ServiceSpec status=core.v1.ServiceStatus",
  "core.v1.ServiceAccount": "metadata=meta.v1.ObjectMeta secrets!merge:name",
  "core.v1.ServiceSpec": "ports!merge:port",
  "core.v1.ServiceStatus": "conditions!merge:type",
  "core.v1.Volume":
    "downwardAPI=core.v1.DownwardAPIVolumeSource emptyDir=core.v1.EmptyDirVolumeSource ephemeral=core.v1.EphemeralVolumeSource projected=core.v1.ProjectedVolumeSource",
  "core.v1.VolumeProjection": "downwardAPI=core.v1.DownwardAPIProjection",
  "core.v1.VolumeResourceRequirements": "limits# requests#",
  "flowcontrol.v1.FlowSchema": "metadata=meta.v1.ObjectMeta status=flowcontrol.v1.FlowSchemaStatus",
  "flowcontrol.v1.FlowSchemaStatus": "conditions!merge:type",
  "flowcontrol.v1.PriorityLevelConfiguration":
    "metadata=meta.v1.ObjectMeta status=flowcontrol.v1.PriorityLevelConfigurationStatus",
  "flowcontrol.v1.PriorityLevelConfigurationStatus": "conditions!merge:type",
  "meta.v1.ObjectMeta": "finalizers!merge ownerReferences!merge:uid",
  "networking.v1.ServiceCIDR": "metadata=meta.v1.ObjectMeta status=networking.v1.ServiceCIDRStatus",
  "networking.v1.ServiceCIDRStatus": "conditions!merge:type",
  "networking.v1beta1.ServiceCIDR": "metadata=meta.v1.ObjectMeta status=networking.v1beta1.ServiceCIDRStatus",
  "networking.v1beta1.ServiceCIDRStatus": "conditions!merge:type",
  "node.v1.Overhead": "podFixed#",
  "node.v1.RuntimeClass": "metadata=meta.v1.ObjectMeta overhead=node.v1.Overhead",
  plain: "metadata=meta.v1.ObjectMeta",
  "policy.v1.PodDisruptionBudget":
    "metadata=meta.v1.ObjectMeta spec=policy.v1.PodDisruptionBudgetSpec status=policy.v1.PodDisruptionBudgetStatus",
  "policy.v1.PodDisruptionBudgetSpec": "selector!replace",
  "policy.v1.PodDisruptionBudgetStatus": "conditions!merge:type",
  "resource.v1.AllocationResult": "devices=resource.v1.DeviceAllocationResult",
  "resource.v1.CapacityRequirements": "requests#",
  "resource.v1.DeviceAllocationResult": "results=resource.v1.DeviceRequestAllocationResult",
  "resource.v1.DeviceClaim": "requests=resource.v1.DeviceRequest",
  "resource.v1.DeviceRequest":
    "exactly=resource.v1.ExactDeviceRequest firstAvailable=resource.v1.DeviceSubRequest",
  "resource.v1.DeviceRequestAllocationResult": "consumedCapacity#",
  "resource.v1.DeviceSubRequest": "capacity=resource.v1.CapacityRequirements",
  "resource.v1.ExactDeviceRequest": "capacity=resource.v1.CapacityRequirements",
  "resource.v1.ResourceClaim":
    "metadata=meta.v1.ObjectMeta spec=resource.v1.ResourceClaimSpec status=resource.v1.ResourceClaimStatus",
  "resource.v1.ResourceClaimSpec": "devices=resource.v1.DeviceClaim",
  "resource.v1.ResourceClaimStatus": "allocation=resource.v1.AllocationResult reservedFor!merge:uid",
  "resource.v1.ResourceClaimTemplate":
    "metadata=meta.v1.ObjectMeta spec=resource.v1.ResourceClaimTemplateSpec",
  "resource.v1.ResourceClaimTemplateSpec": "metadata=meta.v1.ObjectMeta spec=resource.v1.ResourceClaimSpec",
  "resource.v1beta1.AllocationResult": "devices=resource.v1beta1.DeviceAllocationResult",
  "resource.v1beta1.CapacityRequirements": "requests#",
  "resource.v1beta1.DeviceAllocationResult": "results=resource.v1beta1.DeviceRequestAllocationResult",
  "resource.v1beta1.DeviceClaim": "requests=resource.v1beta1.DeviceRequest",
  "resource.v1beta1.DeviceRequest":
    "capacity=resource.v1beta1.CapacityRequirements firstAvailable=resource.v1beta1.DeviceSubRequest",
  "resource.v1beta1.DeviceRequestAllocationResult": "consumedCapacity#",
  "resource.v1beta1.DeviceSubRequest": "capacity=resource.v1beta1.CapacityRequirements",
  "resource.v1beta1.ResourceClaim":
    "metadata=meta.v1.ObjectMeta spec=resource.v1beta1.ResourceClaimSpec status=resource.v1beta1.ResourceClaimStatus",
  "resource.v1beta1.ResourceClaimSpec": "devices=resource.v1beta1.DeviceClaim",
  "resource.v1beta1.ResourceClaimStatus":
    "allocation=resource.v1beta1.AllocationResult reservedFor!merge:uid",
  "resource.v1beta1.ResourceClaimTemplate":
    "metadata=meta.v1.ObjectMeta spec=resource.v1beta1.ResourceClaimTemplateSpec",
  "resource.v1beta1.ResourceClaimTemplateSpec":
    "metadata=meta.v1.ObjectMeta spec=resource.v1beta1.ResourceClaimSpec",
  "resource.v1beta2.AllocationResult": "devices=resource.v1beta2.DeviceAllocationResult",
  "resource.v1beta2.CapacityRequirements": "requests#",
  "resource.v1beta2.DeviceAllocationResult": "results=resource.v1beta2.DeviceRequestAllocationResult",
  "resource.v1beta2.DeviceClaim": "requests=resource.v1beta2.DeviceRequest",
  "resource.v1beta2.DeviceRequest":
    "exactly=resource.v1beta2.ExactDeviceRequest firstAvailable=resource.v1beta2.DeviceSubRequest",
  "resource.v1beta2.DeviceRequestAllocationResult": "consumedCapacity#",
  "resource.v1beta2.DeviceSubRequest": "capacity=resource.v1beta2.CapacityRequirements",
  "resource.v1beta2.ExactDeviceRequest": "capacity=resource.v1beta2.CapacityRequirements",
  "resource.v1beta2.ResourceClaim":
    "metadata=meta.v1.ObjectMeta spec=resource.v1beta2.ResourceClaimSpec status=resource.v1beta2.ResourceClaimStatus",
  "resource.v1beta2.ResourceClaimSpec": "devices=resource.v1beta2.DeviceClaim",
  "resource.v1beta2.ResourceClaimStatus":
    "allocation=resource.v1beta2.AllocationResult reservedFor!merge:uid",
  "resource.v1beta2.ResourceClaimTemplate":
    "metadata=meta.v1.ObjectMeta spec=resource.v1beta2.ResourceClaimTemplateSpec",
  "resource.v1beta2.ResourceClaimTemplateSpec":
    "metadata=meta.v1.ObjectMeta spec=resource.v1beta2.ResourceClaimSpec",
  "storage.v1.CSINode": "metadata=meta.v1.ObjectMeta spec=storage.v1.CSINodeSpec",
  "storage.v1.CSINodeSpec": "drivers!merge:name",
  "storage.v1.CSIStorageCapacity": "capacity# maximumVolumeSize# metadata=meta.v1.ObjectMeta",
  "storage.v1.VolumeAttachment": "metadata=meta.v1.ObjectMeta spec=storage.v1.VolumeAttachmentSpec",
  "storage.v1.VolumeAttachmentSource": "inlineVolumeSpec=core.v1.PersistentVolumeSpec",
  "storage.v1.VolumeAttachmentSpec": "source=storage.v1.VolumeAttachmentSource",
  "storagemigration.v1alpha1.StorageVersionMigration":
    "metadata=meta.v1.ObjectMeta status=storagemigration.v1alpha1.StorageVersionMigrationStatus",
  "storagemigration.v1alpha1.StorageVersionMigrationStatus": "conditions!merge:type",
};

/** The kinds of each apiVersion: "Kind=type", or "Kind" alone for those of type "plain". */
export const kindsByApiVersion: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1":
    "MutatingWebhookConfiguration=admissionregistration.v1.MutatingWebhookConfiguration ValidatingAdmissionPolicy=admissionregistration.v1.ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration=admissionregistration.v1.ValidatingWebhookConfiguration",
  "admissionregistration.k8s.io/v1alpha1":
    "MutatingAdmissionPolicy=admissionregistration.v1alpha1.MutatingAdmissionPolicy MutatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/v1beta1":
    "MutatingAdmissionPolicy=admissionregistration.v1beta1.MutatingAdmissionPolicy MutatingAdmissionPolicyBinding",
  "apiextensions.k8s.io/v1": "CustomResourceDefinition=apiextensions.v1.CustomResourceDefinition",
  "apiregistration.k8s.io/v1": "APIService=apiregistration.v1.APIService",
  "apps/v1":
    "ControllerRevision DaemonSet=apps.v1.DaemonSet Deployment=apps.v1.Deployment ReplicaSet=apps.v1.ReplicaSet StatefulSet=apps.v1.StatefulSet",
  "authentication.k8s.io/v1": "SelfSubjectReview TokenRequest TokenReview",
  "authorization.k8s.io/v1":
    "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
  "autoscaling/v1": "HorizontalPodAutoscaler Scale",
  "autoscaling/v2": "HorizontalPodAutoscaler=autoscaling.v2.HorizontalPodAutoscaler",
  "batch/v1": "CronJob=batch.v1.CronJob Job=batch.v1.Job",
  "certificates.k8s.io/v1": "CertificateSigningRequest",
  "certificates.k8s.io/v1alpha1":
    "ClusterTrustBundle PodCertificateRequest=certificates.v1alpha1.PodCertificateRequest",
  "certificates.k8s.io/v1beta1": "ClusterTrustBundle",
  "coordination.k8s.io/v1": "Lease",
  "coordination.k8s.io/v1alpha2": "LeaseCandidate",
  "coordination.k8s.io/v1beta1": "LeaseCandidate",
  "discovery.k8s.io/v1": "EndpointSlice",
  "events.k8s.io/v1": "Event",
  "flowcontrol.apiserver.k8s.io/v1":
    "FlowSchema=flowcontrol.v1.FlowSchema PriorityLevelConfiguration=flowcontrol.v1.PriorityLevelConfiguration",
  "internal.apiserver.k8s.io/v1alpha1": "StorageVersion",
  "networking.k8s.io/v1":
    "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR=networking.v1.ServiceCIDR",
  "networking.k8s.io/v1beta1": "IPAddress ServiceCIDR=networking.v1beta1.ServiceCIDR",
  "node.k8s.io/v1": "RuntimeClass=node.v1.RuntimeClass",
  "policy/v1": "Eviction PodDisruptionBudget=policy.v1.PodDisruptionBudget",
  "rbac.authorization.k8s.io/v1": "ClusterRole ClusterRoleBinding Role RoleBinding",
  "resource.k8s.io/v1":
    "DeviceClass ResourceClaim=resource.v1.ResourceClaim ResourceClaimTemplate=resource.v1.ResourceClaimTemplate ResourceSlice",
  "resource.k8s.io/v1alpha3": "DeviceTaintRule",
  "resource.k8s.io/v1beta1":
    "DeviceClass ResourceClaim=resource.v1beta1.ResourceClaim ResourceClaimTemplate=resource.v1beta1.ResourceClaimTemplate ResourceSlice",
  "resource.k8s.io/v1beta2":
    "DeviceClass ResourceClaim=resource.v1beta2.ResourceClaim ResourceClaimTemplate=resource.v1beta2.ResourceClaimTemplate ResourceSlice",
  "scheduling.k8s.io/v1": "PriorityClass",
  "storage.k8s.io/v1":
    "CSIDriver CSINode=storage.v1.CSINode CSIStorageCapacity=storage.v1.CSIStorageCapacity StorageClass VolumeAttachment=storage.v1.VolumeAttachment VolumeAttributesClass",
  "storage.k8s.io/v1alpha1": "VolumeAttributesClass",
  "storage.k8s.io/v1beta1": "VolumeAttributesClass",
  "storagemigration.k8s.io/v1alpha1":
    "StorageVersionMigration=storagemigration.v1alpha1.StorageVersionMigration",
  v1: "Binding ComponentStatus=core.v1.ComponentStatus ConfigMap Endpoints Event LimitRange=core.v1.LimitRange Namespace=core.v1.Namespace Node=core.v1.Node PersistentVolume=core.v1.PersistentVolume PersistentVolumeClaim=core.v1.PersistentVolumeClaim Pod=core.v1.Pod PodTemplate=core.v1.PodTemplate ReplicationController=core.v1.ReplicationController ResourceQuota=core.v1.ResourceQuota Secret Service=core.v1.Service ServiceAccount=core.v1.ServiceAccount",
};
