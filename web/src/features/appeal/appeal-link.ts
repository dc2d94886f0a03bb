import { useEffect, useMemo } from "react";
import { toldAppealPath } from "@fava/wire/notifications.ts";
import { toldAppealToken } from "#features/notifications/appeal-answer.ts";
import { goTo, useAddress } from "#lib/address.ts";
import { queryClient } from "#lib/query.ts";
import { appealQuery } from "./load-appeal.ts";

/**
 * The appeal token of a ban in the address of `/appeal`. It stands behind `#`, which browsers keep to themselves: it
 * reaches no server log and no other page.
 */
const tokenShape = /^#(\d{1,18}\.\d{1,15}\.[\w-]{43})$/;

const toldHash = new URL(toldAppealPath, "https://localhost").hash;

export function appealAddress(token: string): string {
  return `/appeal#${token}`;
}

/** The token in the part of an address behind `#`, or null. */
export function tokenIn(hash: string): string | null {
  return tokenShape.exec(hash)?.[1] ?? null;
}

/**
 * The token that the address holds. What a notification opens holds none: there it is the one that this browser has kept,
 * which then stands in the address, so that a reload and the link that is copied have it.
 */
export function useAppealToken(): string | null {
  const { hash } = useAddress();
  const kept = useMemo(() => (hash === toldHash ? keptToken() : null), [hash]);
  useEffect(() => {
    if (kept === null) return;
    goTo(appealAddress(kept), { replace: true });
    // A page that was open shows what was known then.
    void queryClient.invalidateQueries({ queryKey: appealQuery(kept).queryKey }, { cancelRefetch: false });
  }, [kept]);
  return kept ?? tokenIn(hash);
}

function keptToken(): string | null {
  const kept = toldAppealToken();
  return kept === null ? null : tokenIn(`#${kept}`);
}
