import type { ReactNode } from "react";
import { formatBeans } from "#lib/format.ts";
import { useUser } from "#lib/session.ts";
import { useCountUp } from "#lib/use-count-up.ts";

/** The balance, which counts up after a purchase; what it stands in names it to screen readers. */
export function BalanceFigure({ balance }: { balance: number }): ReactNode {
  return <span>{formatBeans(useCountUp(balance, { owner: useUser()?.user_id }))}</span>;
}
