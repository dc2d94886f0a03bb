import { Keyboard, Lightbulb, MessageCircle, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import styles from "./WaitingTips.module.css";

export function WaitingTips(): ReactNode {
  const t = useT();
  return (
    <section className={styles.tips}>
      <h2>{t("search.tips")}</h2>
      <ul>
        <li>
          <Lightbulb size={20} aria-hidden="true" />
          {t("search.tip.light")}
        </li>
        <li>
          <MessageCircle size={20} aria-hidden="true" />
          {t("search.tip.hello")}
        </li>
        <li>
          <Keyboard size={20} aria-hidden="true" />
          {t("search.tip.keys")}
        </li>
        <li>
          <ShieldAlert size={20} aria-hidden="true" />
          {t("search.tip.panic")}
        </li>
      </ul>
    </section>
  );
}
