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
import { onBack } from "#lib/socket/connection.ts";

declare module "@tanstack/react-query" {
  interface Register {
    /** Everything else is a fault of ours, which is thrown where it is rendered. */
    defaultError: RequestFailure;
  }
}

/** Who is refused with a longer wait is told so, in place of waiting before a page that says nothing. */
const retryAfterSecondsMax = 5;
const retriesMax = 1;

const retryAfterSchema = v.object({ retry_after: v.pipe(v.number(), v.minValue(0), v.maxValue(retryAfterSecondsMax)) });

/** The wait in seconds after which the server takes the same call again; null where it names none, or one too long to wait for. */
export function retryAfterSeconds(error: unknown): number | null {
  if (!(error instanceof RequestFailure)) return null;
  const data = v.safeParse(retryAfterSchema, error.data);
  return data.success ? data.output.retry_after : null;
}

const isFault = (error: unknown): boolean => !(error instanceof RequestFailure);

/**
 * Answers of the server for the parts of the page that load lazily; the home screen does without (decision 006).
 *
 * An answer lives as long as somebody shows it, and is asked for anew by whoever shows it next. Nothing is asked again by
 * itself, except once where the server names a short wait. With `refetchOnReconnect` an answer is asked for anew when Fava
 * is back; `networkMode` leaves it to the call to find out whether Fava can be reached.
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

// An answer is on the screen in the turn in which it came; the library would wait for a timer.
notifyManager.setScheduler(queueMicrotask);
onBack(() => queryClient.getQueryCache().onOnline());
focusManager.subscribe((isFocused) => {
  if (isFocused) queryClient.getQueryCache().onFocus();
});

// What one person has seen is never shown to the next. What was asked with a token of its own belongs to no session.
session.subscribe((now, before) => {
  if (tokenOf(now) === tokenOf(before)) return;
  queryClient.removeQueries({ predicate: ({ meta }) => meta?.["hasOwnToken"] !== true });
});

function tokenOf(state: ReturnType<typeof session.getState>): string | null {
  return "token" in state ? state.token : null;
}

/**
 * How an endpoint is called; `token` signs for another session than the stored one, such as a ban's appeal, and
 * `quiet` false has a toast tell of a missing answer.
 */
type Calling = Pick<RequestOptions, "token" | "timeoutMs" | "quiet">;

const metaOf = (calling: Calling | undefined) => ({ hasOwnToken: calling?.token !== undefined });

type QueryOptions<E extends Endpoint> = Omit<
  UseQueryOptions<OutputOf<E>>,
  "queryKey" | "queryFn" | "initialData" | "meta"
> & {
  readonly calling?: Calling;
  /** Hears every answer before it is shown. */
  readonly onAnswer?: (answer: OutputOf<E>) => void;
};

/** The options of a query for an endpoint, with its key; `input` null: it is not asked yet. */
export function endpointQuery<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  { calling, onAnswer, ...options }: QueryOptions<E> = {},
) {
  return queryOptions<OutputOf<E>>({
    ...options,
    meta: metaOf(calling),
    queryKey: [endpoint.path, input],
    queryFn:
      input === null
        ? skipToken
        : async ({ signal }) => {
            const answer = await request(endpoint, input, { quiet: true, ...calling, signal });
            onAnswer?.(answer);
            return answer;
          },
  });
}

/** Asks an endpoint while it is shown, and no toast tells of its failure; `input` null: it is not asked yet. */
export function useEndpointQuery<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  options?: QueryOptions<E>,
): UseQueryResult<OutputOf<E>> {
  return useQuery(endpointQuery(endpoint, input, options), queryClient);
}

/** One answer of a list that comes page by page; `next` is the cursor of the page after it, null on the last. */
interface Page {
  readonly rows: readonly unknown[];
  readonly next: string | null;
}

type PagedEndpoint = Endpoint<v.GenericSchema, v.GenericSchema<unknown, Page>>;
type RowOf<E extends PagedEndpoint> = OutputOf<E>["rows"][number];

/** The pages that have come, as one list. */
export interface Pages<E extends PagedEndpoint> {
  readonly rows: readonly RowOf<E>[];
  /** What it counts was counted before anything was done here about the rows: a later page may not count that any more. */
  readonly first: OutputOf<E>;
}

interface PagesOptions<E extends PagedEndpoint> {
  /** Tells one row from the others. */
  readonly keyOf: (row: RowOf<E>) => number | string;
  readonly calling?: Calling;
  /** The rows of the question before stay until the answer. */
  readonly keepPrevious?: boolean;
  /** Every page is asked for anew when Fava is back. */
  readonly refetchOnReconnect?: boolean;
  /** Hears every page before it is shown. */
  readonly onAnswer?: (page: OutputOf<E>) => void;
}

/**
 * Asks a paged endpoint for its first page, and for the next one by `fetchNextPage`; `input` null: it is not asked
 * yet.
 */
export function useEndpointPages<E extends PagedEndpoint>(
  endpoint: E,
  input: InputOf<E> | null,
  { keyOf, calling, onAnswer, keepPrevious = false, refetchOnReconnect = false }: PagesOptions<E>,
): UseInfiniteQueryResult<Pages<E>> {
  return useInfiniteQuery(
    {
      meta: metaOf(calling),
      queryKey: [endpoint.path, "pages", input],
      queryFn:
        input === null
          ? skipToken
          : async ({ signal, pageParam }) => {
              const asked = pageParam === null ? input : { ...(input as object), cursor: pageParam };
              const page = await request(endpoint, asked as InputOf<E>, { quiet: true, ...calling, signal });
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

/** The rows of all pages. One may have moved to a later page since the one before was read: none is shown twice. */
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

/** Changes something by an endpoint, because the person asked for it: a missing answer is a toast unless `calling` says otherwise. */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  {
    calling,
    ...options
  }: Omit<UseMutationOptions<OutputOf<E>, RequestFailure, InputOf<E>>, "mutationFn"> & {
    readonly calling?: Calling;
  } = {},
): UseMutationResult<OutputOf<E>, RequestFailure, InputOf<E>> {
  return useMutation({ ...options, mutationFn: (input) => request(endpoint, input, calling) }, queryClient);
}
