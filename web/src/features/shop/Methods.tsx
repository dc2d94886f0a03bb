import { CreditCard, Landmark, Smartphone, Wallet } from "lucide-react";
import { type ReactNode, useId } from "react";
import type { PayType } from "@fava/wire/gateway.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import styles from "./Shop.module.css";

const icons: Readonly<Record<string, typeof CreditCard>> = {
  card: CreditCard,
  bank: Landmark,
  wallet: Smartphone,
};

/** The payment methods; a single one is shown as well. */
export function Methods(props: {
  methods: readonly PayType[];
  method: PayType | null;
  onPick: (method: PayType) => void;
  /** Whether the methods are small, and side by side. */
  compact?: boolean;
  disabled?: boolean;
}): ReactNode {
  const t = useT();
  const name = useId();
  if (props.methods.length === 0) return <p role="alert">{t("pay.noMethods")}</p>;
  return (
    <fieldset className={styles.methods} data-compact={props.compact || undefined} disabled={props.disabled}>
      <legend>{t("pay.how")}</legend>
      {props.methods.map((method) => {
        const chosen = isSame(method, props.method);
        return (
          <label
            key={`${method.channel_type} ${method.id}`}
            className={`${styles.choice} ${styles.method}`}
            data-on={chosen || undefined}
          >
            <input type="radio" name={name} checked={chosen} onChange={() => props.onPick(method)} />
            {!props.compact && <MethodIcon method={method} />}
            <b>{isolate(method.pay_name)}</b>
            <span className={styles.dot} aria-hidden="true" />
          </label>
        );
      })}
    </fieldset>
  );
}

function MethodIcon({ method }: { method: PayType }): ReactNode {
  const Icon = icons[method.id] ?? Wallet;
  return (
    <i className={styles.methodIcon} aria-hidden="true">
      <Icon size={20} />
    </i>
  );
}

function isSame(one: PayType, other: PayType | null): boolean {
  return other !== null && one.id === other.id && one.channel_type === other.channel_type;
}
