import { Heart, UserPlus, Users } from "lucide-react";
import type { ReactNode } from "react";
import type { Person } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { setLike } from "#lib/relation-actions.ts";
import { useRelation, useRelations } from "#lib/relations.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { ListFrame, Nobody } from "./ListFrame.tsx";
import type { CountedTab } from "./people-lists.ts";
import { FollowButton, MessageButton, PresenceWord, refOf, Who } from "./PersonRow.tsx";
import type { ShownList } from "./use-paged-list.ts";
import styles from "./People.module.css";

const icons = { following: UserPlus, fans: Users, friends: Users, likes: Heart } as const;

/** Following, fans, friends or likes. Whoever was just left stays in the list until it is opened anew. */
export function PeopleList({ tab, shown }: { tab: CountedTab; shown: ShownList<Person> }): ReactNode {
  const t = useT();
  const relations = useRelations();
  const { list } = shown;
  const rows = list.status === "ready" ? list.rows.filter((row) => !relations.get(row.user_id)?.hidden) : [];
  const Icon = icons[tab];
  return (
    <ListFrame
      shown={shown}
      rows={rows}
      texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
      empty={
        <Nobody
          icon={<Icon size={44} strokeWidth={1.6} />}
          title={t(`people.empty.${tab}`)}
          text={t(`people.emptyText.${tab}`)}
        />
      }
    >
      {(person) => (
        <li key={person.user_id} className={styles.row}>
          <Who person={person} />
          <PresenceWord userId={person.user_id} />
          <span className={styles.tools}>
            {relations.get(person.user_id)?.followStatus === 2 && <MessageButton person={person} />}
            {tab === "likes" && <LikeButton person={person} />}
            <FollowButton person={person} isFan={tab === "fans" || tab === "friends"} />
          </span>
        </li>
      )}
    </ListFrame>
  );
}

function LikeButton({ person }: { person: Person }): ReactNode {
  const t = useT();
  const liked = (useRelation(person.user_id)?.likeStatus ?? person.likeStatus) === 1;
  return (
    <IconButton
      className={styles.like ?? ""}
      label={t("people.likeName", { name: isolate(person.nickname) })}
      aria-pressed={liked}
      icon={<Heart size={20} fill={liked ? "currentColor" : "none"} />}
      onClick={() => void setLike(refOf(person), !liked)}
    />
  );
}
