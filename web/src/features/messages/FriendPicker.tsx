import { type ReactNode, useCallback, useEffect, useState } from "react";
import { friendList } from "@fava/wire/endpoints/social.ts";
import type { Person } from "@fava/wire/people.ts";
import { CallFailure } from "#lib/api/call-failure.ts";
import { smallCall } from "#lib/api/call.ts";
import { useT } from "#lib/i18n.ts";
import { useUser } from "#lib/session.ts";
import { useKnownPresence } from "#lib/use-known-presence.ts";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { BackArrow } from "./BackArrow.tsx";
import { PresenceAvatar } from "./PresenceAvatar.tsx";
import columnStyles from "./ListColumn.module.css";
import rowStyles from "./ListRow.module.css";
import styles from "./FriendPicker.module.css";

/** To whom a new message goes: one of the friends, by pages. */
export function FriendPicker(props: {
  titleId: string;
  onBack: () => void;
  onPick: (externalId: string) => void;
}): ReactNode {
  const t = useT();
  const { friends, more } = useFriends();
  return (
    <div className={columnStyles.list}>
      <div className={columnStyles.head}>
        <BackArrow label={t("common.back")} onPress={props.onBack} always />
        <h1 id={props.titleId}>{t("msg.pick.title")}</h1>
      </div>
      <div className={columnStyles.rows}>
        <p className={styles.lead}>{t("msg.pick.lead")}</p>
        <ul>
          {friends.rows.map((person) => (
            <Friend key={person.externalId} person={person} onPick={() => props.onPick(person.externalId)} />
          ))}
        </ul>
        {friends.load === "loading" && friends.rows.length === 0 && (
          <div className={columnStyles.loading} role="status">
            <VisuallyHidden>{t("msg.pick.loading")}</VisuallyHidden>
            <Skeleton height="64px" />
            <Skeleton height="64px" />
          </div>
        )}
        {friends.load === "failed" && (
          <div className={columnStyles.nobody} role="alert">
            <p>{t("msg.pick.failed")}</p>
            <Button kind="outline" size="small" onClick={more}>
              {t("common.retry")}
            </Button>
          </div>
        )}
        {friends.load === "none" && friends.rows.length === 0 && (
          <div className={columnStyles.nobody} role="status">
            <b>{t("msg.pick.empty")}</b>
            <p>{t("msg.pick.emptyText")}</p>
          </div>
        )}
        {friends.load !== "failed" && friends.next !== null && (
          <div className={columnStyles.more}>
            <Button kind="outline" size="small" loading={friends.load === "loading"} onClick={more}>
              {t("msg.more")}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

function Friend({ person, onPick }: { person: Person; onPick: () => void }): ReactNode {
  const t = useT();
  const presence = useKnownPresence(person.presence);
  return (
    <li>
      <button type="button" className={rowStyles.row} onClick={onPick}>
        <PresenceAvatar src={person.avatar} name={person.nickname} presence={presence} sizePx={52} />
        <span className={rowStyles.words}>
          <b>
            <bdi>{person.nickname}</bdi>
            <Flag src={person.country_flag} widthPx={16} />
          </b>
          <small>{presence ? t(`msg.presence.${presence}`) : person.country_name}</small>
        </span>
      </button>
    </li>
  );
}

interface Friends {
  readonly rows: readonly Person[];
  readonly next: string | null;
  readonly load: "none" | "loading" | "failed";
}

interface Ask {
  readonly cursor: string | null;
  /** Tells a new try from the one before. */
  readonly attempt: number;
}

/** The friends of the signed-in person, page by page; `more` asks for the next one, or again for one that failed. */
function useFriends(): { friends: Friends; more: () => void } {
  const userId = useUser()?.user_id;
  const [friends, setFriends] = useState<Friends>({ rows: [], next: null, load: "loading" });
  const [ask, setAsk] = useState<Ask>({ cursor: null, attempt: 0 });
  useEffect(() => {
    if (userId === undefined) return undefined;
    const owner = new AbortController();
    const input = { user_id: userId, ...(ask.cursor !== null && { cursor: ask.cursor }) };
    smallCall(friendList, input, { signal: owner.signal }).then(
      (page) =>
        setFriends(({ rows }) => {
          const ids = new Set(page.rows.map(({ user_id }) => user_id));
          const known = ask.cursor === null ? [] : rows.filter(({ user_id }) => !ids.has(user_id));
          return { rows: [...known, ...page.rows], next: page.next, load: "none" };
        }),
      (error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        if (error.reason !== "aborted") setFriends((known) => ({ ...known, load: "failed" }));
      },
    );
    return () => owner.abort();
  }, [userId, ask]);
  const { next } = friends;
  const more = useCallback(() => {
    setFriends((known) => ({ ...known, load: "loading" }));
    setAsk(({ attempt }) => ({ cursor: next, attempt: attempt + 1 }));
  }, [next]);
  return { friends, more };
}
