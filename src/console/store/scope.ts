import { type RawBuilder, sql } from "kysely";

/** What a person may see: everything, or the instances and namespaces of these grants. */
export type Scope = "everything" | readonly Grant[];

/** An instance, or a namespace of it; null means all of its namespaces. */
export interface Grant {
  readonly instanceId: string;
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
  const whole = scope.filter(({ namespace }) => namespace === null).map((grant) => grant.instanceId);
  const parts = Map.groupBy(
    scope.filter(({ namespace }) => namespace !== null),
    (grant) => grant.instanceId,
  );
  const conditions = [...parts].map(([id, grants]) => {
    const names = grants.map(({ namespace }) => namespace);
    return sql`(${instanceId} = ${id} and ${namespaces} && ${names}::text[])`;
  });
  return sql<boolean>`(${sql.join([sql`${instanceId} = any(${whole}::text[])`, ...conditions], sql` or `)})`;
}

/** True for instances of which a scope has anything. */
export function isVisibleInstance(scope: Scope, instanceId: RawBuilder<string>): RawBuilder<boolean> {
  return scope === "everything"
    ? sql<boolean>`true`
    : sql<boolean>`${instanceId} = any(${scope.map((grant) => grant.instanceId)}::text[])`;
}
