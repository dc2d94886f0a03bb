import { Clock, Lock, UsersRound } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { CaseRow } from "@fava/wire/moderation.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { formatAge } from "./desk-format.ts";
import styles from "./Queue.module.css";

/** Reason, person, age, reporters and claim of one case; the worst have a dot. */
export function QueueRow(props: { row: CaseRow; isOpen: boolean; nowMs: number; onOpen: () => void }): ReactNode {
  const t = useT();
  const { row, isOpen } = props;
  const { claim, person } = row;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className={styles.row}
      aria-current={isOpen || undefined}
      // Once it is open, Space and Enter mean the case and no longer the row.
      data-desk-free={isOpen || undefined}
      data-locked={(claim && !claim.mine) || undefined}
      onClick={props.onOpen}
    >
      <Avatar src={person.avatar} name={person.nickname} sizePx={40} />
      <span className={styles.text}>
        <b>{t(`reason.report.${row.reason_id}`)}</b>
        <span className={styles.who}>
          <span dir="auto">{person.nickname}</span> · {isolate(person.user_no)}
        </span>
        <span className={styles.meta}>
          <span>
            <Clock size={13} aria-hidden="true" />
            {formatAge(row.opened_at, props.nowMs)}
          </span>
          {row.reporters > 0 && (
            <span>
              <UsersRound size={13} aria-hidden="true" />
              <span aria-hidden="true">{formatNumber(row.reporters)}</span>
              <VisuallyHidden>{t("desk.row.reporters", { count: row.reporters })}</VisuallyHidden>
            </span>
          )}
          {claim && (
            <span data-lock>
              <Lock size={13} aria-hidden="true" />
              {claim.mine ? t("desk.row.mine") : t("desk.row.with", { name: isolate(claim.name) })}
            </span>
          )}
          {row.is_paused && <span>{t("desk.row.paused")}</span>}
          {row.state === "second" && <span>{t("desk.row.second")}</span>}
        </span>
      </span>
      {row.harm === 1 && (
        <span className={styles.dot}>
          <VisuallyHidden>{t("desk.row.urgent")}</VisuallyHidden>
        </span>
      )}
    </button>
  );
}
