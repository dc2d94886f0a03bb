import type { UseQueryResult } from "@tanstack/react-query";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { appealStatus } from "@fava/wire/endpoints/appeals.ts";
import { codes } from "@fava/wire/codes.ts";
import { endpointQuery } from "#lib/query.ts";

export type AppealStatus = OutputOf<typeof appealStatus>;

/** `none`: the address contains no token of a ban, or an invalid one. */
type AppealState =
  | { readonly kind: "loading" }
  | { readonly kind: "none" }
  | { readonly kind: "failed" }
  | { readonly kind: "ready"; readonly token: string; readonly status: AppealStatus };

/** The query for a ban and its appeal by the token, without a session. */
export function appealQuery(token: string | null) {
  const input = token === null ? null : { appeal_token: token };
  return endpointQuery(appealStatus, input, { requestOptions: { token: "" } });
}

/** What the page shows for the token in its address. */
export function appealState(
  token: string | null,
  { data, error }: Pick<UseQueryResult<AppealStatus>, "data" | "error">,
): AppealState {
  if (token === null) return { kind: "none" };
  if (data) return { kind: "ready", token, status: data };
  if (!error) return { kind: "loading" };
  return { kind: error.code === codes.badInput ? "none" : "failed" };
}
