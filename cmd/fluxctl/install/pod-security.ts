/**
 * What the pod security standard "restricted" asks of a pod, to stand in the spec of a Deployment's pod. The
 * group owns the volumes: that lets a user who is not root read the SSH key of a Secret.
 */
export function restrictedPod(user: number): string {
  return `      securityContext:
        runAsNonRoot: true
        runAsUser: ${user}
        runAsGroup: ${user}
        fsGroup: ${user}
        seccompProfile:
          type: RuntimeDefault
`;
}

/** What the same standard asks of each container of the pod. */
export const restrictedContainer = `        securityContext:
          allowPrivilegeEscalation: false
          capabilities:
            drop: ["ALL"]
`;
