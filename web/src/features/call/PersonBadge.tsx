import { Check, Heart, Mars, UserPlus, Venus } from "lucide-react";
import type { ReactNode } from "react";
import type { FollowStatus, RemoteUser } from "@fava/wire/people.ts";
import { isolate } from "#lib/format.ts";
import { type Key, useT } from "#lib/i18n.ts";
import { openProfile } from "#lib/person-links.ts";
import { setFollow, setLike } from "#lib/relation-actions.ts";
import type { Relation } from "#lib/relations.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./CallStage.module.css";

const followTexts: Readonly<Record<FollowStatus, Key>> = {
  0: "people.follow",
  1: "people.following",
  2: "people.friends",
};

/** Avatar, nickname, gender, flag and country of the other person (rule CALL-4), and whether this one likes and follows. */
export function PersonBadge({
  person,
  relation,
  faceless,
}: {
  person: RemoteUser;
  relation: Relation;
  /** The picture is not shown: the avatar is the first letter of the name. */
  faceless: boolean;
}): ReactNode {
  const t = useT();
  const { followStatus } = relation;
  const liked = relation.likeStatus === 1;
  const other = { userId: person.user_id, nickname: person.nickname };
  const name = isolate(person.nickname);
  const FollowIcon = followStatus === 0 ? UserPlus : Check;
  return (
    <div className={styles.who} data-fades>
      <button
        type="button"
        className={styles.profile}
        aria-label={t("people.profileOf", { name })}
        onClick={() => openProfile(person.user_id)}
      >
        <Avatar src={faceless ? "" : person.avatar} name={person.nickname} />
      </button>
      <span className={styles.name}>
        <b>
          <bdi>{person.nickname}</bdi>
        </b>
        <small>
          {person.sex === 1 && <Mars size={16} aria-hidden="true" />}
          {person.sex === 2 && <Venus size={16} aria-hidden="true" />}
          {person.sex !== 0 && <VisuallyHidden>{t(person.sex === 1 ? "call.man" : "call.woman")}</VisuallyHidden>}
          <Flag src={person.country_flag} widthPx={18} />
          <bdi>{person.country_name}</bdi>
        </small>
      </span>
      <IconButton
        className={styles.like ?? ""}
        label={t("people.likeName", { name })}
        aria-pressed={liked}
        icon={<Heart size={22} fill={liked ? "currentColor" : "none"} aria-hidden="true" />}
        onClick={() => void setLike(other, !liked)}
      />
      <button
        type="button"
        className={styles.follow}
        data-status={followStatus}
        aria-pressed={followStatus > 0}
        onClick={() => void setFollow(other, followStatus === 0)}
      >
        <FollowIcon size={18} aria-hidden="true" />
        <span>{t(followTexts[followStatus])}</span>
      </button>
    </div>
  );
}
