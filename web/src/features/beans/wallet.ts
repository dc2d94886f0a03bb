import { useEffect } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { beanWallet } from "@fava/wire/endpoints/beans.ts";
import { request } from "#lib/api/request.ts";
import { RemoteValue, useRemote } from "#lib/remote-value.ts";
import { currentUser, session, useUser } from "#lib/session.ts";

/** Balance, debt, spending cap, and the rate by which the user's beans are shown in money. */
export type Wallet = OutputOf<typeof beanWallet>;

/**
 * The server pushes neither the day's spending nor the start of a pending cap, so the wallet is loaded again after this
 * time.
 */
const walletStaleMs = 60_000;

/** The wallet of the signed-in user, with the user's id, so that another user never sees it. */
let present: { userId: number; remote: RemoteValue<Wallet | null> } | null = null;
const nobody = new RemoteValue<Wallet | null>({
  staleMs: Number.POSITIVE_INFINITY,
  load: () => Promise.resolve(null),
});

/** The wallet of the signed-in user; undefined without one, and until it is loaded. */
export function useWallet(): Wallet | undefined {
  const user = useUser();
  const remote = user ? walletOf(user.user_id) : nobody;
  const balance = user?.credit5;
  useEffect(() => {
    // If the balance changed, debt, cap and rate may have changed as well.
    const known = remote.peek();
    if (known && known.balance !== balance) remote.invalidate();
  }, [remote, balance]);
  return useRemote(remote) ?? undefined;
}

/** The wallet has changed, for instance by a new cap: loads it again for those who show it. */
export function refreshWallet(): void {
  const user = currentUser();
  if (user) walletOf(user.user_id).invalidate();
}

function walletOf(userId: number): RemoteValue<Wallet | null> {
  if (present?.userId !== userId) {
    const load = () => request(beanWallet, { user_id: userId }, { quiet: true });
    present = { userId, remote: new RemoteValue({ staleMs: walletStaleMs, load }) };
  }
  return present.remote;
}

session.subscribe((now) => {
  if (now.status === "anonymous") present = null;
});
