import { type RawBuilder, sql } from "kysely";

/** What a person may see: everything, or the instances and namespaces of these grants. */
export type Scope = "everything" | readonly Grant[];

/** A namespace of an instance; null means all of them. */
export interface Grant {
  readonly instanceId: string | null;
  readonly namespace: string | null;
}

/** The columns that say where a row belongs. A row without a namespace belongs to the instance as a whole. */
interface Columns {
  readonly instanceId: RawBuilder<string>;
  /** One namespace, or several of which one suffices. */
  readonly namespaces: RawBuilder<readonly string[]>;
}

/** True for the rows of a scope. */
export function isWithin(scope: Scope, { instanceId, namespaces }: Columns): RawBuilder<boolean> {
  if (scope === "everything") {
    return sql<boolean>`true`;
  }
  const conditions = scope.map((grant) => {
    const isInstance = grant.instanceId === null ? sql`true` : sql`${instanceId} = ${grant.instanceId}`;
    const isNamespace =
      grant.namespace === null ? sql`true` : sql`${namespaces} && ${[grant.namespace]}::text[]`;
    return sql`(${isInstance} and ${isNamespace})`;
  });
  return sql<boolean>`(${sql.join([sql`false`, ...conditions], sql` or `)})`;
}

/** What a reader asks for of rows that belong to several namespaces. */
interface Asked {
  readonly namespaces?: readonly string[] | undefined;
  readonly resourceIds?: readonly string[] | undefined;
}

/**
 * True for the rows of a scope that match by what's inside of it: rows aren't found by what the reader may not see of
 * them.
 */
export function isFoundWithin(
  scope: Scope,
  columns: Columns & { readonly resourceIds: RawBuilder<readonly string[]> },
  { namespaces, resourceIds }: Asked,
): RawBuilder<boolean> {
  if (scope === "everything") {
    return sql<boolean>`true`;
  }
  const conditions = scope.map((grant) => {
    const { instanceId, namespace } = grant;
    const isInstance = instanceId === null ? sql`true` : sql`${columns.instanceId} = ${instanceId}`;
    if (namespace === null) {
      return sql`(${isInstance})`;
    }
    const isAsked = namespaces === undefined || namespaces.includes(namespace);
    const ids = resourceIds?.filter((id) => id.startsWith(`${namespace}:`));
    const hasOne = ids === undefined ? sql`true` : sql`${columns.resourceIds} && ${ids}::text[]`;
    return sql`(${isInstance} and ${sql.lit(isAsked)} and ${columns.namespaces} && ${[namespace]}::text[] and ${hasOne})`;
  });
  return sql<boolean>`(${sql.join([sql`false`, ...conditions], sql` or `)})`;
}

/** True for the rows of which nothing is outside of a scope; a row without a namespace belongs to the instance as a whole. */
export function isWhollyWithin(scope: Scope, { instanceId, namespaces }: Columns): RawBuilder<boolean> {
  if (scope === "everything") {
    return sql<boolean>`true`;
  }
  const general = scope.filter((grant) => grant.instanceId === null);
  const instances = new Set(scope.flatMap((grant) => grant.instanceId ?? []));
  const conditions = [...instances].map((id) => {
    const allowed = allowedBy(scope.filter((grant) => grant.instanceId === id).concat(general), namespaces);
    return sql`(${instanceId} = ${id} and ${allowed})`;
  });
  return sql<boolean>`(${sql.join([allowedBy(general, namespaces), ...conditions], sql` or `)})`;
}

function allowedBy(grants: readonly Grant[], namespaces: Columns["namespaces"]): RawBuilder<boolean> {
  if (grants.some(({ namespace }) => namespace === null)) {
    return sql<boolean>`true`;
  }
  const names = grants.flatMap(({ namespace }) => namespace ?? []);
  return sql<boolean>`(cardinality(${namespaces}) > 0 and ${namespaces} <@ ${names}::text[])`;
}

/** True for instances of which a scope has anything. */
export function isVisibleInstance(scope: Scope, instanceId: RawBuilder<string>): RawBuilder<boolean> {
  return scope === "everything" || scope.some((grant) => grant.instanceId === null)
    ? sql<boolean>`true`
    : sql<boolean>`${instanceId} = any(${scope.map((grant) => grant.instanceId)}::text[])`;
}
