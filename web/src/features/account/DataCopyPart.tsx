import { Download, FileArchive } from "lucide-react";
import type { ReactNode } from "react";
import { formatDate } from "#lib/format-date.ts";
import { formatPercent } from "#lib/format-percent.ts";
import { formatSize } from "#lib/format-size.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import { Button, buttonClass } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { type DataCopy, useExport } from "./use-export.ts";
import styles from "./Account.module.css";

const parts = ["profile", "messages", "relations", "beans", "reports", "signIns"] as const;

/** A copy of everything kept about the person: none, being prepared, ready, or failed (rule DATA-52). */
export function DataCopyPart({ userId }: { userId: number }): ReactNode {
  const t = useT();
  const { copy, problem, asking, begin } = useExport(userId);
  return (
    <>
      <ul className={styles.contents}>
        {parts.map((part) => (
          <li key={part}>{t(`account.part.${part}`)}</li>
        ))}
      </ul>
      {copy ? (
        <div className={styles.copy}>
          <i aria-hidden="true">{copy.state === "ready" ? <Download size={20} /> : <FileArchive size={20} />}</i>
          <p role="status">
            <b>
              <bdi>{copy.state === "ready" ? copy.name : titleOf(t, copy.state)}</bdi>
            </b>
            <small>{copyText(t, copy)}</small>
          </p>
          {copy.state === "preparing" && <progress max={100} value={copy.percent} aria-label={t("account.copy")} />}
          {copy.state === "ready" && (
            <a className={buttonClass({ kind: "ink", size: "small", pill: true })} href={copy.url} download={copy.name}>
              {t("account.download")}
            </a>
          )}
          {(copy.state === "none" || copy.state === "failed") && (
            <Button kind="ink" size="small" pill loading={asking} onClick={begin}>
              {t(copy.state === "none" ? "account.copyBegin" : "common.retry")}
            </Button>
          )}
        </div>
      ) : (
        problem === null && <Skeleton height="60px" />
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {t(problem === "too-often" ? "account.copyOften" : "account.failed")}
        </p>
      )}
    </>
  );
}

function titleOf(t: Translate, state: "none" | "preparing" | "failed"): string {
  return t(state === "failed" ? "account.copyFailed" : state === "none" ? "account.copyNone" : "account.copy");
}

function copyText(t: Translate, copy: DataCopy): string {
  switch (copy.state) {
    case "none":
      return t("account.copyNoneText");
    case "preparing":
      return t("account.copyPreparing", { percent: formatPercent(copy.percent) });
    case "ready":
      return t("account.copyReady", { size: formatSize(copy.size_bytes), day: formatDate(copy.until) });
    case "failed":
      return t("account.copyFailedText");
  }
}
