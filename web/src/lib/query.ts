import {
  focusManager,
  type InfiniteData,
  keepPreviousData,
  notifyManager,
  QueryClient,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useMutation,
  type UseMutationOptions,
  type UseMutationResult,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from "@tanstack/react-query";
import * as v from "valibot";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { RequestFailure } from "#lib/api/request-failure.ts";
import { request, type RequestOptions } from "#lib/api/request.ts";
import { session } from "#lib/session.ts";
import { onReachableAgain } from "#lib/socket/connection.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /**
     * Queries may fail only with this error. Any other one is a bug, and is thrown where a component renders the query.
     */
    defaultError: RequestFailure;
  }
}

/** After a longer delay than this the page shows the failure, instead of waiting without an explanation. */
const retryAfterSecondsMax = 5;
const retriesMax = 1;

const retryAfterSchema = v.object({ retry_after: v.pipe(v.number(), v.minValue(0), v.maxValue(retryAfterSecondsMax)) });

/**
 * The delay in seconds after which the server accepts the same request; null if it names none, or one too long to wait
 * for.
 */
export function retryAfterSeconds(error: unknown): number | null {
  if (!(error instanceof RequestFailure)) return null;
  const data = v.safeParse(retryAfterSchema, error.data);
  return data.success ? data.output.retry_after : null;
}

const isFault = (error: unknown): boolean => !(error instanceof RequestFailure);

/**
 * The query cache for the lazily loaded parts of the page; the home screen does without it, to stay small.
 *
 * A response lives as long as a component shows it, and is loaded again for the next one. Nothing is retried, except
 * once if the server names a short delay. With `refetchOnReconnect` a query loads again when the server can be reached
 * again; `networkMode` always sends the request, to find out whether the server responds.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: 0,
      staleTime: 0,
      networkMode: "always",
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, error) => failures < retriesMax && retryAfterSeconds(error) !== null,
      retryDelay: (_, error) => (retryAfterSeconds(error) ?? 0) * 1_000,
      throwOnError: isFault,
    },
    mutations: { gcTime: 0, networkMode: "always", retry: false, throwOnError: isFault },
  },
});

// Show a response in the turn in which it arrived; the library's default is a timer.
notifyManager.setScheduler(queueMicrotask);
onReachableAgain(() => queryClient.getQueryCache().onOnline());
focusManager.subscribe((isFocused) => {
  if (isFocused) queryClient.getQueryCache().onFocus();
});

// Never show one user's data to the next. Data that was loaded with its own token belongs to no session.
session.subscribe((now, before) => {
  if (tokenOf(now) === tokenOf(before)) return;
  queryClient.removeQueries({ predicate: ({ meta }) => meta?.["hasOwnToken"] !== true });
});

function tokenOf(state: ReturnType<typeof session.getState>): string | null {
  return "token" in state ? state.token : null;
}

/**
 * How an endpoint is requested. `token` signs for another session than the stored one, such as a ban's appeal; `quiet`
 * false shows a toast without a response.
 */
type QueryRequestOptions = Pick<RequestOptions, "token" | "timeoutMs" | "quiet">;

const metaOf = (requestOptions: QueryRequestOptions | undefined) => ({
  hasOwnToken: requestOptions?.token !== undefined,
});

type QueryOptions<E extends Endpoint> = Omit<
  UseQueryOptions<OutputOf<E>>,
  "queryKey" | "queryFn" | "initialData" | "meta"
> & {
  readonly requestOptions?: QueryRequestOptions;
  /** Called with every response before it is shown. */
  readonly onAnswer?: (answer: OutputOf<E>) => void;
};

/** The options of a query for an endpoint, with its key; `input` null: not requested yet. */
export function endpointQuery<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  { requestOptions, onAnswer, ...options }: QueryOptions<E> = {},
) {
  return queryOptions<OutputOf<E>>({
    ...options,
    meta: metaOf(requestOptions),
    queryKey: [endpoint.path, input],
    queryFn:
      input === null
        ? skipToken
        : async ({ signal }) => {
            const answer = await request(endpoint, input, { quiet: true, ...requestOptions, signal });
            onAnswer?.(answer);
            return answer;
          },
  });
}

/** Loads an endpoint while the component is mounted, without a toast on failure; `input` null: not requested yet. */
export function useEndpointQuery<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  options?: QueryOptions<E>,
): UseQueryResult<OutputOf<E>> {
  return useQuery(endpointQuery(endpoint, input, options), queryClient);
}

/** One response of a paged list; `next` is the cursor of the next page, null on the last. */
interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

type PagedEndpoint = Endpoint<v.GenericSchema, v.GenericSchema<unknown, Page>>;
type RowOf<E extends PagedEndpoint> = OutputOf<E>["rows"][number];

/** The loaded pages as one list. */
export interface Pages<E extends PagedEndpoint> {
  readonly rows: readonly RowOf<E>[];
  /** The first page. Show its counts, because a later page may be counted after the user has changed rows here. */
  readonly first: OutputOf<E>;
}

interface PagesOptions<E extends PagedEndpoint> {
  /** The key of a row. */
  readonly keyOf: (row: RowOf<E>) => number | string;
  readonly requestOptions?: QueryRequestOptions;
  /** Keeps the rows of the previous input until the response. */
  readonly keepPrevious?: boolean;
  /** Loads every page again when the server can be reached again. */
  readonly refetchOnReconnect?: boolean;
  /** Called with every page before it is shown. */
  readonly onAnswer?: (page: OutputOf<E>) => void;
}

/** Loads the first page of a paged endpoint, and the next one by `fetchNextPage`; `input` null: not requested yet. */
export function useEndpointPages<E extends PagedEndpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  { keyOf, requestOptions, onAnswer, keepPrevious = false, refetchOnReconnect = false }: PagesOptions<E>,
): UseInfiniteQueryResult<Pages<E>> {
  return useInfiniteQuery(
    {
      meta: metaOf(requestOptions),
      queryKey: [endpoint.path, "pages", input],
      queryFn:
        input === null
          ? skipToken
          : async ({ signal, pageParam }) => {
              const asked = pageParam === null ? input : { ...(input as object), cursor: pageParam };
              const page = await request(endpoint, asked as InputOf<E>, { quiet: true, ...requestOptions, signal });
              onAnswer?.(page);
              return page;
            },
      initialPageParam: null as string | null,
      refetchOnReconnect,
      ...(keepPrevious && { placeholderData: keepPreviousData }),
      getNextPageParam: ({ next }: OutputOf<E>) => next,
      select: (data: InfiniteData<OutputOf<E>>) => joinedPages<E>(data.pages, keyOf),
    },
    queryClient,
  );
}

/** The rows of all pages, each once: a row may have moved to a later page between two requests. */
function joinedPages<E extends PagedEndpoint>(
  pages: readonly OutputOf<E>[],
  keyOf: (row: RowOf<E>) => number | string,
): Pages<E> {
  const present = new Set<number | string>();
  const rows = pages
    .flatMap((page) => page.rows as readonly RowOf<E>[])
    .filter((row) => {
      const isNew = !present.has(keyOf(row));
      present.add(keyOf(row));
      return isNew;
    });
  return { rows, first: pages[0] as OutputOf<E> };
}

/**
 * Changes something by an endpoint for the user: without a response it shows a toast, unless `requestOptions` says otherwise.
 */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  {
    requestOptions,
    ...options
  }: Omit<UseMutationOptions<OutputOf<E>, RequestFailure, InputOf<E>>, "mutationFn"> & {
    readonly requestOptions?: QueryRequestOptions;
  } = {},
): UseMutationResult<OutputOf<E>, RequestFailure, InputOf<E>> {
  return useMutation({ ...options, mutationFn: (input) => request(endpoint, input, requestOptions) }, queryClient);
}
