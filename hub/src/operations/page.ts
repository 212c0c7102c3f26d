import { longestPage, type Page, type PageRequest } from "../store/page.ts";

/** A page as it's answered. */
export interface AnsweredPage<Row> {
  readonly rows: Row[];
  readonly next: string | null;
}

/** A page of the store, with its rows as they're answered. */
export function answeredPage<Stored, Row>(
  { items, next }: Page<Stored>,
  toRow: (stored: Stored) => Row,
): AnsweredPage<Row> {
  return { rows: items.map(toRow), next: next ?? null };
}

/** Which page a query asks for; a sort that begins with "-" is descending. */
export function pageRequest<Sort extends string, SortName extends string>(
  {
    limit,
    cursor,
    sort,
  }: { readonly limit: number; readonly cursor?: string | undefined; readonly sort: Sort },
  names: Readonly<Record<Sort, readonly [SortName, "ascending" | "descending"]>>,
): PageRequest<SortName> {
  const [name, direction] = names[sort];
  return { limit, cursor, sort: name, descending: direction === "descending" };
}

/** All rows of a list that people fill by hand, so that it isn't long. */
export async function allPages<Row, SortName extends string>(
  order: Pick<PageRequest<SortName>, "sort" | "descending">,
  read: (page: PageRequest<SortName>) => Promise<Page<Row>>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await read({ ...order, cursor, limit: longestPage });
    rows.push(...items);
    cursor = next;
  } while (cursor !== undefined);
  return rows;
}

/** A time as it's answered. */
export function answeredTime(time: Date): string;
export function answeredTime(time: Date | null): string | null;
export function answeredTime(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
