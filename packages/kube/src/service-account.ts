/** The name of a service account, and its namespace. */
export interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** A user name and groups, as in the spec of a SubjectAccessReview. */
export interface UserIdentity {
  readonly user: string;
  readonly groups: readonly string[];
}

const prefix = "system:serviceaccount";

/** Who a service account is to the API server. Permissions can be granted to the user or to any of the groups. */
export function identityOf({ namespace, name }: ServiceAccount): UserIdentity {
  return {
    user: `${prefix}:${namespace}:${name}`,
    groups: [`${prefix}s`, `${prefix}s:${namespace}`, "system:authenticated"],
  };
}
