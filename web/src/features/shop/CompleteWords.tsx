import type { ReactNode } from "react";
import { formatBeans } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Pile } from "./Pile.tsx";
import styles from "./Payment.module.css";

/** "Will soon be added" until the balance has arrived; then the same line says what there is now (rule BEANS-314). */
export function AddedLine({ balance }: { balance: number | null }): ReactNode {
  const t = useT();
  return (
    <span role="status">{balance === null ? t("pay.soon") : t("pay.added", { count: formatBeans(balance) })}</span>
  );
}

export function GoldPile(): ReactNode {
  return (
    <span className={styles.gold}>
      <Pile count={5} />
    </span>
  );
}
