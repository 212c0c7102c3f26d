/** Kubernetes basics without I/O: objects, kinds, resources, selectors, quantities, and statuses. */
export { type ApiResource, corePath, namespacePath, resourcePath } from "./api-resource.ts";
export { type ApiStatus, isApiReason, KubeApiError, type StatusCause } from "./api-status.ts";
export { apiVersionOf, type GroupKind, type GroupVersionKind, groupOf, gvkOf, versionOf } from "./gvk.ts";
export { type LabelSelector, labelSelectorOf, parseLabelSelector } from "./label-selector.ts";
export { annotationOf, type KubeObject, labelOf, type ObjectMeta, type OwnerReference } from "./object.ts";
export { PathNameError } from "./path-name.ts";
export { equalQuantities, parseQuantity } from "./quantity.ts";
export { keyOf, printKey, type ResourceKey } from "./resource-key.ts";
export { printRight, type Right } from "./right.ts";
export { scrubSecrets } from "./secret-scrub.ts";
export { identityOf, type ServiceAccount } from "./service-account.ts";
