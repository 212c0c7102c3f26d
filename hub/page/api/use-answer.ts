import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  type UseInfiniteQueryResult,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { OperationName } from "../../src/contract/routes.ts";
import type { Answer, SentQuery } from "../../src/contract/schemas.ts";
import type { Api, RequestOf } from "./api.ts";
import { askAgain } from "./ask-again.ts";
import { useApi } from "./context.ts";

/** How an answer is asked for. */
interface AskOptions {
  /** False: not now. */
  readonly enabled?: boolean;
  /** Whether the answer to the question before stays until there's the new one: for lists with filters. */
  readonly keep?: boolean;
  /** After how many milliseconds it's asked for again, as long as it's shown: for what nothing tells of. */
  readonly every?: number;
}

/** A question of the API. */
export function answerQuery<Name extends OperationName>(api: Api, name: Name, request: RequestOf<Name>) {
  return queryOptions<Answer<Name>>({
    queryKey: [name, request],
    queryFn: ({ signal }) => api.call(name, request, signal),
  });
}

/** Asks for something, and asks again when it may have changed. */
export function useAnswer<Name extends OperationName>(
  name: Name,
  request: RequestOf<Name>,
  { enabled = true, keep = false, every }: AskOptions = {},
): UseQueryResult<Answer<Name>> {
  const api = useApi();
  return useQuery({
    ...answerQuery(api, name, request),
    enabled,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}

/** A list that's sent in pages. */
interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

type PagedName = {
  [Name in OperationName]: Answer<Name> extends PageOf<unknown> ? Name : never;
}[OperationName];

type RowOf<Name extends PagedName> = Answer<Name> extends PageOf<infer Row> ? Row : never;

/** The question for a list of which more is read on request. */
export function pagesQuery<Name extends PagedName>(api: Api, name: Name, query: SentQuery<Name>) {
  return infiniteQueryOptions({
    queryKey: [name, { query }, "pages"],
    queryFn: async ({ pageParam, signal }) => {
      const request: unknown = { query: { ...(query as object), cursor: pageParam } };
      return (await api.call(name, request as RequestOf<Name>, signal)) as PageOf<RowOf<Name>>;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  });
}

/** A list of which more is read on request; `data` has all rows so far. */
export function usePages<Name extends PagedName>(
  name: Name,
  query: SentQuery<Name>,
  { enabled = true, every }: Omit<AskOptions, "keep"> = {},
): UseInfiniteQueryResult<readonly RowOf<Name>[]> {
  const api = useApi();
  return useInfiniteQuery({
    ...pagesQuery(api, name, query),
    select: ({ pages }) => pages.flatMap(({ rows }) => rows),
    placeholderData: keepPreviousData,
    enabled,
    ...(every === undefined ? {} : { refetchInterval: every }),
  });
}

/** Changes something; afterwards, everything that's shown is asked for again. */
export function useChange<Name extends OperationName>(
  name: Name,
): UseMutationResult<Answer<Name>, Error, RequestOf<Name>> {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation<Answer<Name>, Error, RequestOf<Name>>({
    mutationFn: (request) => api.call(name, request),
    onSuccess: () => askAgain(queries, () => true),
  });
}
