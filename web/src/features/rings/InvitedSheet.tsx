import { Phone } from "lucide-react";
import { type ReactNode, useState } from "react";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { callInvited, leaveInvited, takeInvitationBack, useInvitedFriend } from "./invitations.ts";
import styles from "./Invite.module.css";

/** A friend has opened the user's link: the user calls them, or declines. */
export function InvitedSheet(): ReactNode {
  const t = useT();
  const waiting = useInvitedFriend();
  const [isDeclining, setDeclining] = useState(false);
  // The friend who was shown last, for the closing animation.
  const [shown, setShown] = useState(waiting);
  if (waiting && waiting !== shown) setShown(waiting);
  if (!shown) return null;
  const { nickname, avatar } = shown.friend;
  const name = isolate(nickname);
  async function decline(id: string): Promise<void> {
    setDeclining(true);
    await takeInvitationBack(id);
    setDeclining(false);
  }
  return (
    <Sheet
      key={shown.id}
      alert
      centre
      art={
        <span className={styles.face} aria-hidden="true">
          <Avatar src={avatar} name={nickname} sizePx={96} />
        </span>
      }
      title={t("invite.opened", { name })}
      lead={t("invite.openedText", { name })}
      onClose={() => leaveInvited(shown.id)}
      foot={
        <>
          <Button kind="quiet" loading={isDeclining} onClick={() => void decline(shown.id)}>
            {t("ring.decline")}
          </Button>
          <Button kind="go" icon={<Phone size={20} aria-hidden="true" />} onClick={() => callInvited(shown)}>
            {t("ring.callName", { name })}
          </Button>
        </>
      }
    />
  );
}
