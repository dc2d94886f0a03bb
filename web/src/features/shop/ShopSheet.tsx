import { exactBeansMax, exactBeansMin, withdrawDays } from "@fava/wire/limits.ts";
import { Clock, Repeat, Scale, ScrollText, ShieldHalf, Undo2 } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useCapChoices } from "#features/beans/cap-change.ts";
import { usePrices } from "#features/beans/prices.ts";
import { useWallet } from "#features/beans/wallet.ts";
import { useBalance } from "#features/call/meter/running-meter.ts";
import { formatBeans, formatMoney, formatNumber } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Note } from "#ui/Note.tsx";
import { QuickChoices } from "#ui/QuickChoices.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { OfferTrouble, PackSkeletons } from "./OfferTrouble.tsx";
import { PackOption } from "./PackOption.tsx";
import styles from "./Shop.module.css";
import type { Purchase } from "./gateway.ts";
import {
  cheapestFirst,
  exactBeans,
  isOutOfRange,
  type Offer,
  purchaseOfBeans,
  purchaseOfPack,
  typedBeans,
} from "./offer.ts";
import { payments, restorePayment, usePayment } from "./payment.ts";
import { useOffer } from "./use-offer.ts";

/** A pack and an exact amount exclude each other. Only a return from a payment preselects one. */
type Wanted = { kind: "nothing" } | { kind: "pack"; id: number } | { kind: "exact"; digits: string };

/** The shop: packs, an exact amount, and an unfinished payment. */
export function ShopSheet(): ReactNode {
  const t = useT();
  const { state, retry } = useOffer();
  const offer = state.name === "ready" ? state.offer : null;
  const payment = usePayment();
  const caps = useCapChoices();
  const [wanted, setWanted] = useState<Wanted>(() =>
    payment.name === "pay" ? wantedOf(payment.choice.purchase) : none,
  );
  const purchase = offer && purchaseOf(offer, wanted);
  useEffect(() => void restorePayment(), []);

  function proceed(): void {
    if (!offer || !purchase) return;
    payments.dispatch({ type: "chosen", purchase, methods: offer.methods, method: null });
    void openOverlay("payment");
    closeOverlay("shop", "done");
  }
  return (
    <Sheet
      widthPx={760}
      title={t("shop.title")}
      onClose={() => closeOverlay("shop")}
      row
      foot={
        <>
          <Due purchase={purchase} />
          <Button kind="ink" disabled={!purchase} onClick={proceed}>
            {t("shop.continue")}
          </Button>
        </>
      }
    >
      <Intro />
      {payment.name === "waiting" && <WaitingLine purchase={payment.purchase} />}
      <Debt />
      {state.name === "loading" && <PackSkeletons />}
      {(state.name === "empty" || state.name === "failed") && <OfferTrouble kind={state.name} onRetry={retry} />}
      {offer && (
        <>
          <Packs offer={offer} wanted={wanted} onPick={(id) => setWanted({ kind: "pack", id })} />
          <ExactAmount
            offer={offer}
            digits={wanted.kind === "exact" ? wanted.digits : ""}
            onChange={(digits) => setWanted(digits === "" ? none : { kind: "exact", digits })}
          />
        </>
      )}
      {caps.length > 0 && <QuickChoices title={t("cap.never")} choices={caps} />}
      <Fine />
    </Sheet>
  );
}

const none: Wanted = { kind: "nothing" };

/** Restores the choice when the user returns from the payment. */
function wantedOf(purchase: Purchase): Wanted {
  return purchase.packId === 0
    ? { kind: "exact", digits: String(purchase.beans) }
    : { kind: "pack", id: purchase.packId };
}

function purchaseOf(offer: Offer, wanted: Wanted): Purchase | null {
  if (wanted.kind === "exact") {
    const beans = exactBeans(wanted.digits);
    return (beans !== null && purchaseOfBeans(offer, beans)) || null;
  }
  const pack = wanted.kind === "pack" && offer.packs.find(({ id }) => id === wanted.id);
  return pack ? purchaseOfPack(offer, pack) : null;
}

function Intro(): ReactNode {
  const t = useT();
  const balance = useBalance();
  const isPaid = usePrices().gender > 0;
  return (
    <div className={styles.intro}>
      <p>{t(isPaid ? "shop.intro" : "shop.introFree")}</p>
      <Chip tone="bean" className={styles.balance}>
        <Bean size={16} />
        {t("shop.now", { count: formatBeans(balance) })}
      </Chip>
    </div>
  );
}

/** The dialog of a waiting payment was closed, which did not cancel it. */
function WaitingLine({ purchase }: { purchase: Purchase }): ReactNode {
  const t = useT();
  function show(): void {
    void openOverlay("payment");
    closeOverlay("shop");
  }
  return (
    <div className={styles.waiting}>
      <Clock size={20} aria-hidden="true" />
      <p>{t("shop.waiting", { money: formatMoney(purchase.priceMinor, purchase.currencyCode) })}</p>
      <Button kind="outline" size="small" onClick={show}>
        {t("shop.waitingOpen")}
      </Button>
    </div>
  );
}

function Debt(): ReactNode {
  const t = useT();
  const debt = useWallet()?.debt ?? 0;
  if (debt === 0) return null;
  return <Note icon={<Scale size={18} />}>{t("shop.debt", { count: formatBeans(debt) })}</Note>;
}

function Packs(props: { offer: Offer; wanted: Wanted; onPick: (id: number) => void }): ReactNode {
  const t = useT();
  const name = useId();
  const { offer, wanted } = props;
  return (
    <fieldset className={styles.packs}>
      <legend className="visually-hidden">{t("shop.packs")}</legend>
      {cheapestFirst(offer).map((pack) => (
        <PackOption
          key={pack.id}
          offer={offer}
          pack={pack}
          name={name}
          chosen={wanted.kind === "pack" && wanted.id === pack.id}
          onPick={() => props.onPick(pack.id)}
        />
      ))}
    </fieldset>
  );
}

function Due({ purchase }: { purchase: Purchase | null }): ReactNode {
  const t = useT();
  return (
    <p className={styles.due} aria-live="polite">
      {purchase ? (
        <>
          <small>{t("home.beans", { n: purchase.beans, count: formatBeans(purchase.beans) })}</small>
          <b translate="no">{formatMoney(purchase.priceMinor, purchase.currencyCode)}</b>
        </>
      ) : (
        <small>{t("shop.nothing")}</small>
      )}
    </p>
  );
}

function Fine(): ReactNode {
  const t = useT();
  return (
    <div className={styles.fine}>
      <span>
        <Undo2 size={16} className="flip" aria-hidden="true" />
        {t("shop.withdraw", { count: formatNumber(withdrawDays) })}
      </span>
      <span>
        <Repeat size={16} aria-hidden="true" />
        {t("shop.noSubscription")}
      </span>
      <span className={styles.ways}>
        <button type="button" onClick={() => void openOverlay("statement")}>
          <ScrollText size={16} aria-hidden="true" />
          {t("shop.statement")}
        </button>
        <button type="button" onClick={() => void openOverlay("cap")}>
          <ShieldHalf size={16} aria-hidden="true" />
          {t("shop.cap")}
        </button>
      </span>
    </div>
  );
}

const exampleBeans = 3_200;

/** An exact number of beans; the price follows while typing. */
function ExactAmount(props: { offer: Offer; digits: string; onChange: (digits: string) => void }): ReactNode {
  const t = useT();
  const id = useId();
  const { offer, digits } = props;
  const beans = exactBeans(digits);
  const purchase = beans === null ? undefined : purchaseOfBeans(offer, beans);
  const wrong = isOutOfRange(digits);
  return (
    <div className={styles.exact}>
      <label htmlFor={id}>
        {t("shop.exact")}
        <small id={`${id}-range`} data-wrong={wrong || undefined}>
          {t("shop.exactRange", { min: formatBeans(exactBeansMin), max: formatBeans(exactBeansMax) })}
        </small>
      </label>
      <span className={styles.amount}>
        <Bean size={18} />
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          value={digits}
          placeholder={formatBeans(exampleBeans)}
          aria-describedby={`${id}-range`}
          aria-invalid={wrong || undefined}
          onChange={(event) => props.onChange(typedBeans(event.target.value))}
        />
      </span>
      <output htmlFor={id} data-none={purchase === undefined || undefined}>
        {purchase ? formatMoney(purchase.priceMinor, purchase.currencyCode) : "–"}
      </output>
    </div>
  );
}
