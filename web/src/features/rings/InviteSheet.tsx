import { Copy, Link2, Phone, Share2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { invite, type Invitation, inviteList } from "@fava/wire/endpoints/invitations.ts";
import { formatLeft } from "#features/people/recent-times.ts";
import { tellFailure } from "#features/people/relation-actions.ts";
import { onSocial } from "#features/people/social-messages.ts";
import { request } from "#lib/api/request.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { closeOverlay } from "#lib/overlays.ts";
import { useEndpointQuery } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { Input } from "#ui/Field.tsx";
import { IconTile } from "#ui/IconTile.tsx";
import { LoadFailure } from "#ui/LoadFailure.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { copyText } from "#ui/copy-text.ts";
import { invitationAddress } from "./invitation-link.ts";
import { callInvited, takeInvitationBack } from "./invitations.ts";
import styles from "./Invite.module.css";

/** The addresses of links made on this page, by invitation; the server has only hashes. */
const addresses = new Map<string, string>();

/** Links to a direct call: making, sharing and taking back, and who has opened them. */
export function InviteSheet(): ReactNode {
  const t = useT();
  const userId = useUser()?.user_id;
  const list = useEndpointQuery(inviteList, userId === undefined ? null : { user_id: userId }, {
    refetchOnReconnect: true,
  });
  const { refetch } = list;
  const [isMaking, setMaking] = useState(false);
  const nowMs = useNow(minuteMs);
  useEffect(() => {
    const load = () => void refetch();
    return onSocial({
      frame: (frame) => frame.type === "social" && frame.event.kind.startsWith("invite") && load(),
      sessionNew: load,
    });
  }, [refetch]);
  async function make(): Promise<void> {
    if (userId === undefined) return;
    setMaking(true);
    try {
      const { id, token } = await request(invite, { user_id: userId });
      addresses.set(id, invitationAddress(token));
      await refetch();
    } catch (error) {
      tellFailure(error);
    } finally {
      setMaking(false);
    }
  }
  const rows = list.data?.rows.filter(({ until }) => until > nowMs) ?? [];
  return (
    <Sheet
      widthPx={520}
      art={
        <IconTile>
          <Link2 size={28} />
        </IconTile>
      }
      title={t("invite.title")}
      lead={t("invite.lead")}
      maskClosable
      onClose={() => closeOverlay("invite")}
      foot={
        <Button kind={rows.length === 0 ? "go" : "quiet"} loading={isMaking} onClick={() => void make()}>
          {t("invite.make")}
        </Button>
      }
    >
      {list.isError && <LoadFailure text={t("people.notLoaded")} onRetry={refetch} />}
      <ul className={styles.links} aria-live="polite">
        {rows.map((row) => (
          <Row key={row.id} row={row} nowMs={nowMs} onOver={() => void refetch()} />
        ))}
      </ul>
    </Sheet>
  );
}

interface RowProps {
  row: Invitation;
  nowMs: number;
  /** The user has taken the invitation back. */
  onOver: () => void;
}

function Row({ row: { id, until, opener }, nowMs, onOver }: RowProps): ReactNode {
  const t = useT();
  const [isEnding, setEnding] = useState(false);
  const name = opener && isolate(opener.nickname);
  const address = opener ? undefined : addresses.get(id);
  async function takeBack(): Promise<void> {
    setEnding(true);
    if (await takeInvitationBack(id)) onOver();
    setEnding(false);
  }
  return (
    <li>
      {opener && <Avatar src={opener.avatar} name={opener.nickname} sizePx={48} />}
      <p>
        <b>{name === null ? t("invite.notOpened") : t("invite.opened", { name })}</b>
        <small>{t("people.left", { time: formatLeft(until, nowMs) })}</small>
      </p>
      <Button kind="plain" size="small" loading={isEnding} onClick={() => void takeBack()}>
        {t(opener ? "ring.decline" : "invite.takeBack")}
      </Button>
      {opener && name !== null && (
        <Button
          kind="go"
          size="small"
          icon={<Phone size={18} aria-hidden="true" />}
          onClick={() => callInvited({ id, friend: friendOf(opener) })}
        >
          {t("ring.call")}
          <VisuallyHidden> {name}</VisuallyHidden>
        </Button>
      )}
      {address !== undefined && <Address address={address} />}
    </li>
  );
}

function Address({ address }: { address: string }): ReactNode {
  const t = useT();
  return (
    <div className={styles.address}>
      <Input
        readOnly
        aria-label={t("invite.address")}
        value={address}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button kind="ink" icon={<Copy size={20} aria-hidden="true" />} onClick={() => void copyText(t, address)}>
        {t("common.copy")}
      </Button>
      {"share" in navigator && (
        <Button
          kind="quiet"
          icon={<Share2 size={20} aria-hidden="true" />}
          // Rejected if the user closes the list of apps.
          onClick={() => void navigator.share({ url: address }).catch(() => undefined)}
        >
          {t("invite.share")}
        </Button>
      )}
    </div>
  );
}

function friendOf({ user_id: userId, externalId, nickname, avatar }: NonNullable<Invitation["opener"]>) {
  return { userId, externalId, nickname, avatar };
}
