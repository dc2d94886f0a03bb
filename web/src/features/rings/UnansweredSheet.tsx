import type { ReactNode } from "react";
import { useEndNotice } from "#features/call/machine/call-store.ts";
import { openThread } from "#features/people/person-links.ts";
import { useRelation } from "#features/people/relations.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import styles from "./Invite.module.css";

/** The friend did not answer: the same text for every reason. Only friends can write to each other. */
export function UnansweredSheet(): ReactNode {
  const t = useT();
  const notice = useEndNotice("not-taken");
  const isFriend = useRelation(notice?.friend.userId ?? 0)?.followStatus === 2;
  if (!notice) return null;
  const { friend } = notice;
  const name = isolate(friend.nickname);
  function write(externalId: string): void {
    closeOverlay("not-taken");
    openThread(externalId);
  }
  return (
    <Sheet
      centre
      art={
        <span className={styles.face} aria-hidden="true">
          <Avatar src={friend.avatar} name={friend.nickname} sizePx={96} />
        </span>
      }
      title={t("ring.notTaken", { name })}
      lead={t(isFriend ? "ring.notTakenText" : "invite.notTakenText")}
      onClose={() => closeOverlay("not-taken")}
      foot={
        <>
          <Button kind={isFriend ? "quiet" : "ink"} onClick={() => closeOverlay("not-taken")}>
            {t("common.ok")}
          </Button>
          {isFriend && (
            <Button kind="ink" onClick={() => write(friend.externalId)}>
              {t("people.messageName", { name })}
            </Button>
          )}
        </>
      }
    />
  );
}
