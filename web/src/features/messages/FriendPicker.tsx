import { type ReactNode, useId } from "react";
import { friendList } from "@fava/wire/endpoints/social.ts";
import { smallRequestTimeoutMs } from "@fava/wire/limits.ts";
import type { Person } from "@fava/wire/people.ts";
import { noteRelations } from "#features/people/relations.ts";
import { useKnownPresence } from "#features/people/use-known-presence.ts";
import { useT } from "#lib/i18n.ts";
import { useEndpointPages } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { Button } from "#ui/Button.tsx";
import { Flag } from "#ui/Flag.tsx";
import { PresenceAvatar } from "#ui/PresenceAvatar.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { BackArrow } from "./BackArrow.tsx";
import styles from "./Messages.module.css";

function useFriends() {
  const userId = useUser()?.user_id;
  return useEndpointPages(friendList, userId === undefined ? null : { user_id: userId }, {
    keyOf: (person) => person.user_id,
    requestOptions: { timeoutMs: smallRequestTimeoutMs },
    onAnswer: ({ rows: persons }) => noteRelations(persons),
  });
}

/** Beside the list of conversations; the list of friends has the others. */
const facesMax = 12;

/** Friends to write to, those online first. */
export function FriendFaces({ onPick }: { onPick: (externalId: string) => void }): ReactNode {
  const t = useT();
  const questionId = useId();
  const { data } = useFriends();
  if (!data) return null;
  if (data.rows.length === 0) {
    return (
      <div className={styles.nobody}>
        <b>{t("msg.pick.empty")}</b>
        <p>{t("msg.pick.emptyText")}</p>
      </div>
    );
  }
  const isOnline = ({ presence }: Person) => presence === "online";
  const friends = data.rows.toSorted((one, other) => Number(isOnline(other)) - Number(isOnline(one)));
  return (
    <>
      <h2 id={questionId} className={styles.question}>
        {t("msg.pick.lead")}
      </h2>
      <ul className={styles.faces} aria-labelledby={questionId}>
        {friends.slice(0, facesMax).map((person) => (
          <FriendFace key={person.externalId} person={person} onPick={() => onPick(person.externalId)} />
        ))}
      </ul>
    </>
  );
}

function FriendFace({ person, onPick }: { person: Person; onPick: () => void }): ReactNode {
  const t = useT();
  const presence = useKnownPresence(person.presence);
  return (
    <li>
      <button type="button" className={styles.face} onClick={onPick}>
        <PresenceAvatar src={person.avatar} name={person.nickname} presence={presence} sizePx={72} />
        <bdi translate="no">{person.nickname}</bdi>
        {presence && <VisuallyHidden>{t(`msg.presence.${presence}`)}</VisuallyHidden>}
      </button>
    </li>
  );
}

/** Chooses the recipient of a new message: a paged list of friends. */
export function FriendPicker(props: {
  titleId: string;
  onBack: () => void;
  onPick: (externalId: string) => void;
}): ReactNode {
  const t = useT();
  const friends = useFriends();
  const rows = friends.data?.rows ?? [];
  // Hides the failure during a retry.
  const hasFailed = friends.isError && !friends.isFetching;
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <BackArrow label={t("common.back")} onPress={props.onBack} always />
        <h1 id={props.titleId}>{t("msg.pick.title")}</h1>
      </div>
      <div className={styles.rows}>
        <p className={styles.lead}>{t("msg.pick.lead")}</p>
        <ul>
          {rows.map((person) => (
            <Friend key={person.externalId} person={person} onPick={() => props.onPick(person.externalId)} />
          ))}
        </ul>
        {friends.isPending && (
          <div className={styles.loading} role="status">
            <VisuallyHidden>{t("msg.pick.loading")}</VisuallyHidden>
            <Skeleton height="64px" />
            <Skeleton height="64px" />
          </div>
        )}
        {hasFailed && (
          <div className={styles.nobody} role="alert">
            <p>{t("msg.pick.failed")}</p>
            <Button
              kind="outline"
              size="small"
              onClick={() => void (friends.data ? friends.fetchNextPage() : friends.refetch())}
            >
              {t("common.retry")}
            </Button>
          </div>
        )}
        {friends.isSuccess && rows.length === 0 && (
          <div className={styles.nobody} role="status">
            <b>{t("msg.pick.empty")}</b>
            <p>{t("msg.pick.emptyText")}</p>
          </div>
        )}
        {!hasFailed && friends.hasNextPage && (
          <div className={styles.more}>
            <Button
              kind="outline"
              size="small"
              loading={friends.isFetchingNextPage}
              onClick={() => void friends.fetchNextPage()}
            >
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
      <button type="button" className={styles.row} onClick={onPick}>
        <PresenceAvatar src={person.avatar} name={person.nickname} presence={presence} sizePx={52} />
        <span className={styles.words}>
          <b>
            <bdi translate="no">{person.nickname}</bdi>
            <Flag src={person.country_flag} widthPx={16} />
          </b>
          <small>{presence ? t(`msg.presence.${presence}`) : person.country_name}</small>
        </span>
      </button>
    </li>
  );
}
