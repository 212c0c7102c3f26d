import type { InstallParameters } from "./parameters.ts";
import { restrictedContainer, restrictedPod } from "./pod-security.ts";
import { yamlWord } from "./yaml-word.ts";

/** The user in memcached's image. */
const user = 11211;

/** memcache-svc.yaml: the Service for memcached. */
export function memcachedServiceFile({ namespace }: InstallParameters): string {
  return `---
apiVersion: v1
kind: Service
metadata:
  name: memcached
  namespace: ${yamlWord(namespace)}
spec:
  ports:
    - name: memcached
      port: 11211
  selector:
    name: memcached
`;
}

/** memcache-dep.yaml: memcached, which caches image metadata. */
export function memcachedDeploymentFile(parameters: InstallParameters): string {
  const isRestricted = parameters.podSecurity === "restricted";
  return `---
# memcached deployment used by Flux to cache
# container image metadata.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: memcached
  namespace: ${yamlWord(parameters.namespace)}
spec:
  replicas: 1
  selector:
    matchLabels:
      name: memcached
  template:
    metadata:
      labels:
        name: memcached
    spec:
${isRestricted ? restrictedPod(user) : ""}      nodeSelector:
        beta.kubernetes.io/os: linux
      containers:
      - name: memcached
        image: memcached:1.6.10-alpine
        imagePullPolicy: IfNotPresent
        args:
        - -m 512   # Maximum memory to use, in megabytes
        - -I 5m    # Maximum size for one item
        - -p 11211 # Default port
        # - -vv    # Uncomment to get logs of each request and response.
        ports:
        - name: clients
          containerPort: 11211
${isRestricted ? restrictedContainer : securityContext(parameters)}`;
}

/** memcache-netpol.yaml: memcached has no authentication, so only fluxd should be able to connect to it. */
export function memcachedNetworkPolicyFile({ namespace }: InstallParameters): string {
  return `---
# Allows only fluxd to connect to memcached, if the
# cluster's network enforces network policies.
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: memcached
  namespace: ${yamlWord(namespace)}
spec:
  podSelector:
    matchLabels:
      name: memcached
  policyTypes:
    - Ingress
  ingress:
    - from:
        - podSelector:
            matchLabels:
              name: flux
      ports:
        - protocol: TCP
          port: 11211
`;
}

function securityContext({ addSecurityContext }: InstallParameters): string {
  return addSecurityContext
    ? `        securityContext:
          runAsUser: ${user}
          runAsGroup: ${user}
          allowPrivilegeEscalation: false
`
    : "";
}
