import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { useT } from "#lib/i18n.ts";
import { useRelations } from "#lib/relations.ts";
import { Button } from "#ui/Button.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { ConversationRow } from "./ConversationRow.tsx";
import { nextRowIndex } from "./list-keys.ts";
import { refreshList, useMessages, wantBox, wantMore } from "./messages.ts";
import type { BoxName } from "./messages-state.ts";
import { useMinute } from "./use-minute.ts";
import styles from "./ListColumn.module.css";

const places = [1, 2, 3, 4] as const;

/** The rows of one box; Up, Down, Home and End go through them (rule MSG-73). */
export function ConversationRows({ box: name }: { box: BoxName }): ReactNode {
  const t = useT();
  const list = useRef<HTMLUListElement>(null);
  const box = useMessages((state) => state.boxes[name]);
  const openId = useMessages((state) => state.thread?.externalId ?? null);
  const relations = useRelations();
  const nowMs = useMinute();
  const rows = box.rows.filter(({ userId }) => relations.get(userId)?.hidden !== true);
  if (!box.isKnown && rows.length === 0) {
    return box.failed === "none" ? <Loading /> : <Failed onRetry={() => retry(name)} />;
  }
  // One stop of the Tab key: the open conversation, or the first.
  const stop = rows.some(({ externalId }) => externalId === openId) ? openId : rows[0]?.externalId;
  const pressed = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("[data-conversation]") ?? [])];
    const next = nextRowIndex(event.key, buttons.indexOf(document.activeElement as HTMLElement), buttons.length);
    if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    buttons[next]?.focus();
  };
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the buttons in it */}
      <ul ref={list} onKeyDown={pressed}>
        {rows.map((row) => (
          <ConversationRow
            key={row.externalId}
            row={row}
            isOpen={row.externalId === openId}
            isStop={row.externalId === stop}
            nowMs={nowMs}
          />
        ))}
      </ul>
      {box.next !== null && (
        <div className={styles.more}>
          {box.failed === "more" && <p role="alert">{t("msg.listFailed")}</p>}
          <Button kind="outline" size="small" loading={box.load === "more"} onClick={() => wantMore(name)}>
            {t("msg.more")}
          </Button>
        </div>
      )}
    </>
  );
}

function retry(name: BoxName): void {
  if (name === "requests") wantBox(name);
  else refreshList();
}

function Failed({ onRetry }: { onRetry: () => void }): ReactNode {
  const t = useT();
  return (
    <div className={styles.nobody} role="alert">
      <p>{t("msg.listFailed")}</p>
      <Button kind="outline" size="small" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </div>
  );
}

function Loading(): ReactNode {
  const t = useT();
  return (
    <div className={styles.loading} role="status">
      <VisuallyHidden>{t("msg.loadingList")}</VisuallyHidden>
      {places.map((place) => (
        <Skeleton key={place} height="64px" />
      ))}
    </div>
  );
}
