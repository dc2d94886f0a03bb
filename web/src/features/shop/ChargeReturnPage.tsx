import { type ReactNode, useEffect, useState } from "react";
import { identifierLengthMax } from "@fava/wire/limits.ts";
import { useAddress } from "#lib/address.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { useSession } from "#lib/session.ts";
import { writeStored } from "#lib/storage.ts";
import { useDocumentTitle } from "#lib/use-document-title.ts";
import { buttonClass } from "#ui/Button.tsx";
import { Link } from "#ui/Link.tsx";
import { Logo } from "#ui/Logo.tsx";
import { AddedLine, GoldHeap, OrderFacts, WithdrawNote } from "./OrderFacts.tsx";
import { WindowArt } from "./WaitingView.tsx";
import { chargeStatus } from "./charge-status.ts";
import { askOrder } from "./payment.ts";
import { followReturn, type ReturnState } from "./return-watch.ts";
import styles from "./Shop.module.css";

const words: Readonly<Record<Exclude<ReturnState["name"], "complete">, { title: Key; text: Key }>> = {
  checking: { title: "return.checkingTitle", text: "return.checkingText" },
  late: { title: "return.lateTitle", text: "return.lateText" },
  failed: { title: "pay.failedTitle", text: "pay.failedText" },
  expired: { title: "pay.expiredTitle", text: "pay.expiredText" },
  review: { title: "pay.reviewTitle", text: "pay.reviewText" },
  elsewhere: { title: "return.elsewhereTitle", text: "return.elsewhereText" },
};

/** The page to which the payment provider returns the user, in the payment window. */
export function ChargeReturnPage(): ReactNode {
  const t = useT();
  const state = useReturn();
  const order = state.name === "complete" ? state.order : null;
  const title = t(state.name === "complete" ? "pay.completeTitle" : words[state.name].title);
  useDocumentTitle(title);
  return (
    <main className={styles.page}>
      <Logo />
      {order ? <GoldHeap beans={order.beans} balance={order.balance} /> : <WindowArt />}
      <h1>{title}</h1>
      <p role={order ? undefined : "status"}>
        {state.name === "complete" ? <AddedLine balance={state.order.balance} /> : t(words[state.name].text)}
      </p>
      {order && <OrderFacts order={order} />}
      {order && <WithdrawNote until={order.withdraw_until} />}
      {state.name !== "checking" && <p data-strong>{t("return.close")}</p>}
      <Link to="/" className={buttonClass({ kind: "quiet", size: "medium", block: true })}>
        {t("return.home")}
      </Link>
    </main>
  );
}

function useReturn(): ReturnState {
  const { status } = useSession();
  const orderNo = new URLSearchParams(useAddress().search).get("order_no") ?? "";
  const [state, setState] = useState<ReturnState>({ name: "checking" });
  const isKnown = status === "signed-in" && orderNo !== "" && orderNo.length <= identifierLengthMax;
  useEffect(() => {
    if (!isKnown) return undefined;
    const owner = new AbortController();
    void followReturn({
      ask: () => askOrder(orderNo, false),
      show: setState,
      tellPaid: () => writeStored("chargeStatus", chargeStatus.paid),
      signal: owner.signal,
    });
    return () => owner.abort();
  }, [isKnown, orderNo]);
  if (isKnown || status === "restoring" || status === "signing-in") return state;
  return { name: "elsewhere" };
}
