import { codes } from "@fava/wire/codes.ts";
import type { Endpoint, InputOf, OutputOf } from "@fava/wire/endpoint.ts";
import { adminHourList } from "@fava/wire/endpoints/hours.ts";
import { adminJobs } from "@fava/wire/endpoints/jobs.ts";
import { adminAuthorityList, type AuthorityRow } from "@fava/wire/endpoints/notices.ts";
import { adminCspReports } from "@fava/wire/endpoints/operator.ts";
import { adminShopInfo } from "@fava/wire/endpoints/shop.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { queryClient, useEndpointMutation, useEndpointQuery } from "#lib/query.ts";

export type ShopInfo = OutputOf<typeof adminShopInfo>;
export type Job = OutputOf<typeof adminJobs>["rows"][number];
export type PlannedHour = OutputOf<typeof adminHourList>["rows"][number];
export type CspReport = OutputOf<typeof adminCspReports>["rows"][number];
export type AdminPack = ShopInfo["packs"][number];
export type OrderReview = ShopInfo["reviews"][number];
export type FilterPriceName = keyof ShopInfo["prices"];

/** Loaded data is stale after this time, because another administrator may have changed it. */
const staleMs = 30_000;
/** Retry delays after a failed load; the last one repeats. */
const retryDelaysMs = [2_000, 5_000, 15_000, 60_000] as const;

const fresh = {
  staleTime: staleMs,
  refetchInterval: staleMs,
  refetchOnWindowFocus: true,
  refetchOnReconnect: "always",
  retry: true,
  retryDelay: (failures: number) => retryDelaysMs[Math.min(failures, retryDelaysMs.length - 1)] ?? staleMs,
} as const;

/** Prices, packs, their history and the orders in review, or undefined until they are loaded. */
export function useShopInfo(): ShopInfo | undefined {
  return useEndpointQuery(adminShopInfo, {}, fresh).data;
}

/** The periodic jobs of all servers, or undefined until they are loaded. */
export function useJobs(): readonly Job[] | undefined {
  return useEndpointQuery(adminJobs, {}, fresh).data?.rows;
}

/** The planned hours for a language or a topic, or undefined until they are loaded. */
export function useHours(): readonly PlannedHour[] | undefined {
  return useEndpointQuery(adminHourList, {}, fresh).data?.rows;
}

/** Reports of browsers about the content security policy, or undefined until they are loaded. */
export function useCspReports(): readonly CspReport[] | undefined {
  return useEndpointQuery(adminCspReports, {}, fresh).data?.rows;
}

/** The requests of authorities, or undefined until they are loaded. */
export function useAuthorities(): readonly AuthorityRow[] | undefined {
  const user = useUser();
  return useEndpointQuery(adminAuthorityList, user && { user_id: user.user_id }, fresh).data?.rows;
}

interface Change<E extends Endpoint> {
  readonly isPending: boolean;
  /**
   * Why the last attempt failed. The server's own words for a rejected field are English and for logs, so the text only
   * names the field.
   */
  readonly problem: string | null;
  readonly mutate: (input: InputOf<E>) => void;
  /** Clears the problem. */
  readonly reset: () => void;
}

/** A change to what the page shows; `refused` is shown when the server rejects it. Loads the page's data again afterwards. */
export function useChange<E extends Endpoint>(
  endpoint: E,
  refused: Key,
  onSettled: (problem: string | null) => void,
): Change<E> {
  const t = useT();
  const problemOf = (error: RequestFailure | null) => {
    const isRefused = error?.code === codes.badInput || error?.code === codes.refused;
    return error && t(isRefused ? refused : "error.server");
  };
  const { isPending, error, mutate, reset } = useEndpointMutation(endpoint, {
    onSettled(_, failure) {
      for (const { path } of [adminShopInfo, adminAuthorityList, adminHourList])
        void queryClient.invalidateQueries({ queryKey: [path] });
      onSettled(problemOf(failure));
    },
  });
  return { isPending, problem: problemOf(error), mutate, reset };
}
