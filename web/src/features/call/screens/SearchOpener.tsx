import { Shuffle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { openerKey, useQuestionTexts } from "#features/call/chat/icebreakers.ts";
import { announce } from "#lib/announce.ts";
import { useT } from "#lib/i18n.ts";
import styles from "./SearchOpener.module.css";

/** A question to begin the next call with, for the time of a search that started at `sinceMs`; a press shows another. */
export function SearchOpener({ sinceMs }: { sinceMs: number }): ReactNode {
  const t = useT();
  const [turn, setTurn] = useState(0);
  if (!useQuestionTexts(turn)) return null;
  function another(): void {
    setTurn(turn + 1);
    announce(t(openerKey(sinceMs, turn + 1)));
  }
  return (
    <section className={styles.opener} aria-label={t("search.tips")}>
      <p>
        <span>{t("search.tip.hello")}</span>
        <b key={turn}>{t(openerKey(sinceMs, turn))}</b>
      </p>
      <button type="button" aria-label={t("call.bothAgain")} title={t("call.bothAgain")} onClick={another}>
        <Shuffle size={20} aria-hidden="true" />
      </button>
    </section>
  );
}
