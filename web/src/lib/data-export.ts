import { useMemo } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { userExport } from "@fava/wire/endpoints/account.ts";
import { exportLinkMs } from "@fava/wire/limits.ts";
import type { RequestFailure } from "#lib/api/request-failure.ts";
import { endpointQuery, queryClient, useEndpointMutation, useEndpointQuery } from "#lib/query.ts";

export type DataExport = OutputOf<typeof userExport>;

/** Interval of progress requests while the copy is prepared. */
const lookAgainMs = 1_500;
/** The interval after a failed request. */
const lookAfterFailureMs = 5_000;
/** Interval of requests for a ready copy, which renew the address of its file before that expires. */
const renewMs = exportLinkMs / 2;

interface DataExportView {
  /** Undefined until the first response. */
  readonly copy: DataExport | undefined;
  /** The failure of the last request. */
  readonly error: RequestFailure | null;
  readonly look: () => void;
  readonly beginning: boolean;
  readonly begin: () => void;
}

/**
 * A copy of all data of the user; polls its progress until it is ready. `token`: of a ban, instead of the session's.
 */
export function useDataExport(userId: number, token?: string): DataExportView {
  const input = { user_id: userId, begin: 0 } as const;
  const requestOptions = useMemo(() => (token === undefined ? {} : { token }), [token]);
  const {
    data: copy,
    error: lookError,
    refetch,
  } = useEndpointQuery(userExport, input, {
    requestOptions,
    refetchOnReconnect: true,
    refetchIntervalInBackground: true,
    refetchInterval({ state }) {
      if (state.data?.state === "ready") return renewMs;
      if (state.data?.state !== "preparing") return false;
      return state.status === "error" ? lookAfterFailureMs : lookAgainMs;
    },
  });
  const { queryKey } = endpointQuery(userExport, input);
  const beginning = useEndpointMutation(userExport, {
    requestOptions,
    onSuccess: (answer) => void queryClient.setQueryData(queryKey, answer),
  });
  return {
    copy,
    // While the copy is ready, a failed renewal of its address is not shown.
    error: beginning.error ?? (copy?.state === "ready" ? null : lookError),
    look: () => void refetch(),
    beginning: beginning.isPending,
    begin: () => beginning.mutate({ user_id: userId, begin: 1 }),
  };
}
