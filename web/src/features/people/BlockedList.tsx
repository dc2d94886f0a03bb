import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { formatDay } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { unblockPerson } from "#lib/relation-actions.ts";
import { useRelation } from "#lib/relations.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { ListFrame, Nobody } from "./ListFrame.tsx";
import { type BlockedRow, idOf, loadBlocked } from "./people-lists.ts";
import { usePagedList } from "./use-paged-list.ts";
import styles from "./People.module.css";

/** Whom one has blocked, what that does, and the way back (rule PEOPLE-113). */
export function BlockedList(): ReactNode {
  const t = useT();
  const shown = usePagedList(loadBlocked, idOf);
  const rows = shown.list.status === "ready" ? shown.list.rows : [];
  return (
    <>
      <p className={styles.intro}>{t("people.blockedIntro")}</p>
      <ListFrame
        single
        shown={shown}
        rows={rows}
        texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
        empty={
          <Nobody
            icon={<ShieldCheck size={44} strokeWidth={1.6} />}
            title={t("people.empty.blocked")}
            text={t("people.emptyText.blocked")}
          />
        }
      >
        {(row) => <Blocked key={row.user_id} row={row} />}
      </ListFrame>
    </>
  );
}

function Blocked({ row }: { row: BlockedRow }): ReactNode {
  const t = useT();
  const relation = useRelation(row.user_id);
  const free = relation !== null && !relation.hidden;
  const day = formatDay(new Date(row.at).toISOString().slice(0, 10));
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        <Avatar src={row.avatar} name={row.nickname} sizePx={52} />
        <span className={styles.words}>
          <b>
            <bdi>{row.nickname}</bdi>
          </b>
          <small>{t("people.blockedOn", { day })}</small>
        </span>
      </span>
      <span className={styles.tools}>
        <Button
          kind="outline"
          size="small"
          pill
          className={styles.small ?? ""}
          aria-disabled={free}
          onClick={() => {
            if (!free) void unblockPerson({ userId: row.user_id, nickname: row.nickname });
          }}
        >
          {t(free ? "people.unblocked" : "people.unblock")}
          <VisuallyHidden> {isolate(row.nickname)}</VisuallyHidden>
        </Button>
      </span>
    </li>
  );
}
