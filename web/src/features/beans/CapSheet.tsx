import { type ReactNode, useId, useState } from "react";
import type { OutputOf } from "@fava/wire/endpoint.ts";
import { beanCap } from "@fava/wire/endpoints/beans.ts";
import { capRaiseDelayMs, spendingCapBeansMax } from "@fava/wire/limits.ts";
import { serverNowMs } from "#lib/api/server-clock.ts";
import { typedDigits } from "#lib/digits.ts";
import { formatTime } from "#lib/format-date.ts";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { Field, Input } from "#ui/Field.tsx";
import { Segmented } from "#ui/RadioCards.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { usePrices } from "./prices.ts";
import { useCapChange } from "./cap-change.ts";
import { useWallet } from "./wallet.ts";
import styles from "./Beans.module.css";

interface Choice {
  kind: "own" | "none";
  digits: string;
}

/** The user's own spending cap: lower at once, higher or none after 24 hours. */
export function CapSheet(): ReactNode {
  const t = useT();
  const cap = useWallet()?.cap;
  const [chosen, setChosen] = useState<Choice | null>(null);
  const choice = chosen ?? (cap ? choiceOf(cap) : null);
  // Without a response the user's choice stays.
  const { save, isSaving } = useCapChange(() => closeOverlay("cap", "done"));
  const wanted = choice ? wantedOf(choice) : undefined;
  const change = cap ? capChange(cap, wanted) : "wrong";
  return (
    <Sheet
      widthPx={480}
      title={t("cap.title")}
      lead={t("cap.text")}
      onClose={() => closeOverlay("cap")}
      foot={
        <Button
          kind="ink"
          block
          loading={isSaving}
          disabled={change === "wrong" || change === "same"}
          onClick={() => wanted !== undefined && save(wanted)}
        >
          {t("common.save")}
        </Button>
      }
    >
      {cap && choice ? (
        <>
          <Present cap={cap} />
          <Segmented
            legend={t("cap.kind")}
            hideLegend
            options={[
              { value: "own", label: t("cap.own") },
              { value: "none", label: t("cap.none") },
            ]}
            value={choice.kind}
            onChange={(kind) => setChosen({ ...choice, kind })}
          />
          {choice.kind === "own" && (
            <OwnCap digits={choice.digits} onChange={(digits) => setChosen({ kind: "own", digits })} />
          )}
          <Effect change={choice.kind === "own" && choice.digits === "" ? "same" : change} cap={cap} />
        </>
      ) : (
        <Skeleton height="140px" />
      )}
    </Sheet>
  );
}

/** Without a cap the field is empty: no amount is suggested. */
function choiceOf({ beans }: Cap): Choice {
  return { kind: "own", digits: beans === null ? "" : String(beans) };
}

function wantedOf({ kind, digits }: Choice): number | null | undefined {
  return kind === "none" ? null : (capBeans(digits) ?? undefined);
}

function Present({ cap }: { cap: Cap }): ReactNode {
  const t = useT();
  const spent = formatBeans(cap.spent_today);
  const { pending } = cap;
  return (
    <div className={styles.present}>
      <p>{cap.beans === null ? t("cap.nowNone", { spent }) : t("cap.now", { cap: formatBeans(cap.beans), spent })}</p>
      {pending && (
        <p>
          {pending.beans === null
            ? t("cap.pendingNone", { time: formatTime(pending.from) })
            : t("cap.pending", { time: formatTime(pending.from), cap: formatBeans(pending.beans) })}
        </p>
      )}
    </div>
  );
}

function OwnCap({ digits, onChange }: { digits: string; onChange: (digits: string) => void }): ReactNode {
  const t = useT();
  const prices = usePrices();
  const id = useId();
  const beans = capBeans(digits);
  const isWrong = digits !== "" && beans === null;
  return (
    <Field
      id={id}
      label={t("cap.field")}
      hint={
        beans === null
          ? t("cap.wrong", { max: formatBeans(spendingCapBeansMax) })
          : t("cap.about", { money: prices.inMoney(beans) })
      }
      isWrong={isWrong}
    >
      <Input
        icon={<Bean size={18} />}
        className={styles.amount}
        id={id}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
        value={digits}
        aria-describedby={`${id}-hint`}
        aria-invalid={isWrong || undefined}
        onChange={(event) => onChange(typedCap(event.target.value))}
      />
    </Field>
  );
}

/** Says what saving the choice would do. */
function Effect({ change, cap }: { change: CapChange; cap: Cap }): ReactNode {
  const t = useT();
  const says = {
    wrong: "",
    same: cap.beans === null ? "" : t("cap.same"),
    keep: t("cap.keep"),
    "at-once": t("cap.atOnce"),
    later: t("cap.later", { time: formatTime(serverNowMs() + capRaiseDelayMs) }),
  };
  return (
    <p className={styles.effect} role="status">
      {says[change]}
    </p>
  );
}

export type Cap = OutputOf<typeof beanCap>;

/**
 * The effect of another cap: a lower one applies at once, a higher one or none after 24 hours, and the current one only
 * cancels a pending raise.
 */
export type CapChange = "wrong" | "same" | "keep" | "at-once" | "later";

/** The typed cap, with one digit more than the maximum, so that too high a number is visible. */
export function typedCap(text: string): string {
  return typedDigits(text, String(spendingCapBeansMax).length + 1);
}

/** Beans per day; null if there are no digits, or the number is too high. */
export function capBeans(digits: string): number | null {
  const beans = Number.parseInt(digits, 10);
  return beans <= spendingCapBeansMax ? beans : null;
}

/** What saving `wanted` would do; null: no cap, undefined: an invalid number. */
export function capChange(cap: Pick<Cap, "beans" | "pending">, wanted: number | null | undefined): CapChange {
  if (wanted === undefined) return "wrong";
  if (wanted === cap.beans) return cap.pending ? "keep" : "same";
  if (cap.pending?.beans === wanted) return "same";
  const isLower = wanted !== null && (cap.beans === null || wanted < cap.beans);
  return isLower ? "at-once" : "later";
}
