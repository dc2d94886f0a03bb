import { Check, Copy, Flag, X } from "lucide-react";
import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { copiedMs } from "@fava/wire/limits.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { beginReport } from "./begin-report.ts";
import { useFacts } from "./operator-facts.ts";
import { templateText } from "./template-text.ts";
import styles from "./SafetyActions.module.css";

/** The three things to press: report, copy what to write, leave (rules PAGE-46 to PAGE-49). */
export function SafetyActions(props: { template: string; onReport: () => void; onLeave: () => void }): ReactNode {
  const t = useT();
  const facts = useFacts();
  const [copied, setCopied] = useState<"no" | "yes" | "failed">("no");
  useEffect(() => {
    if (copied !== "yes") return;
    const timer = setTimeout(() => setCopied("no"), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(templateText(props.template, facts, ""));
      setCopied("yes");
    } catch (error) {
      console.warn("not copied", error);
      setCopied("failed");
    }
  };
  const leave = (event: MouseEvent) => {
    event.preventDefault();
    props.onLeave();
  };
  return (
    <>
      <div className={styles.act}>
        <button type="button" className={styles.report} onClick={() => void beginReport(props.onReport)}>
          <Flag size={20} aria-hidden="true" />
          {t("safety.report")}
        </button>
        <button type="button" onClick={() => void copy()}>
          {copied === "yes" ? <Check size={18} aria-hidden="true" /> : <Copy size={18} aria-hidden="true" />}
          {t("safety.copy")}
        </button>
      </div>
      <p className={styles.copied} role="status">
        {copied === "yes" && t("safety.copied")}
        {copied === "failed" && t("safety.notCopied")}
      </p>
      <a href="/" className={styles.leave} aria-keyshortcuts="Escape" onClick={leave}>
        <X size={18} aria-hidden="true" />
        {t("safety.leave")}
        <Kbd>Esc</Kbd>
      </a>
    </>
  );
}
