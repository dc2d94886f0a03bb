import { useEffect, useMemo } from "react";
import { notifiedAppealPath } from "@fava/wire/notifications.ts";
import { subscribedAppealToken } from "#features/notifications/appeal-answer.ts";
import { goTo, useAddress } from "#lib/address.ts";
import { queryClient } from "#lib/query.ts";
import { appealQuery } from "./load-appeal.ts";

/**
 * The appeal token of a ban in the address of `/appeal`. It is the fragment after `#`, which browsers do not send: it
 * reaches no server log and no other page.
 */
const tokenShape = /^#(\d{1,18}\.\d{1,15}\.[\w-]{43})$/;

const toldHash = new URL(notifiedAppealPath, "https://localhost").hash;

export function appealAddress(token: string): string {
  return `/appeal#${token}`;
}

/** The token in the fragment of an address, or null. */
export function tokenIn(hash: string): string | null {
  return tokenShape.exec(hash)?.[1] ?? null;
}

/**
 * The token in the address. The address of a notification has none: the token is the one stored in this browser, which
 * then replaces the address, so that a reload and a copied link contain it.
 */
export function useAppealToken(): string | null {
  const { hash } = useAddress();
  const kept = useMemo(() => (hash === toldHash ? keptToken() : null), [hash]);
  useEffect(() => {
    if (kept === null) return;
    goTo(appealAddress(kept), { replace: true });
    // An open page shows an older state.
    void queryClient.invalidateQueries({ queryKey: appealQuery(kept).queryKey }, { cancelRefetch: false });
  }, [kept]);
  return kept ?? tokenIn(hash);
}

function keptToken(): string | null {
  const kept = subscribedAppealToken();
  return kept === null ? null : tokenIn(`#${kept}`);
}
