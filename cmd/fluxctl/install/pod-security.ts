/**
 * The security context that the pod security standard "restricted" requires, for the pod spec of a
 * Deployment. The group owns the volumes, so that a non-root user can read the SSH key in a Secret.
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

/** The security context that the same standard requires for each container. */
export const restrictedContainer = `        securityContext:
          allowPrivilegeEscalation: false
          capabilities:
            drop: ["ALL"]
`;
