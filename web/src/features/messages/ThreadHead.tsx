import { Ban, Ellipsis, Flag as ReportFlag, Heart, User, UserCheck, UserPlus, VideoOff, X } from "lucide-react";
import type { ReactNode } from "react";
import type { Conversation } from "@fava/wire/messages.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { useMeetWish, wishToMeet } from "#lib/meet-wishes.ts";
import { openProfile } from "#lib/person-links.ts";
import { blockPerson, setFollow, setLike } from "#lib/relation-actions.ts";
import { useRelation } from "#lib/relations.ts";
import { useKnownPresence } from "#lib/use-known-presence.ts";
import { Flag } from "#ui/Flag.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSeparator } from "#ui/MenuItems.tsx";
import { BackArrow } from "./BackArrow.tsx";
import { MeetButton } from "./MeetButton.tsx";
import { choose } from "./messages.ts";
import type { Thread } from "./messages-state.ts";
import { personRef, reportThread } from "./person-of.ts";
import { PresenceAvatar } from "./PresenceAvatar.tsx";
import screenStyles from "./ScreenSize.module.css";
import styles from "./ThreadHead.module.css";

/** With whom, whether the person is there, and what can be done about the person. */
export function ThreadHead({ thread, onClose }: { thread: Thread; onClose: () => void }): ReactNode {
  const t = useT();
  const { conversation } = thread;
  const isPerson = conversation !== null && conversation.state !== "official";
  return (
    <header className={styles.head}>
      <BackArrow label={t("msg.back")} onPress={() => choose(null)} />
      {conversation ? <Who conversation={conversation} isPerson={isPerson} /> : <span className={styles.who} />}
      {isPerson && <MeetButton conversation={conversation} />}
      {isPerson && conversation.state !== "request_in" && <PersonMenu thread={thread} conversation={conversation} />}
      <IconButton
        className={screenStyles.onlyDesk}
        label={t("msg.close")}
        icon={<X size={22} aria-hidden="true" />}
        onClick={onClose}
      />
    </header>
  );
}

function Who({ conversation, isPerson }: { conversation: Conversation; isPerson: boolean }): ReactNode {
  const t = useT();
  const { userProfile, country_name: country } = conversation;
  const presence = useKnownPresence(conversation.presence);
  const shown = (
    <>
      <PresenceAvatar src={userProfile.avatar} name={userProfile.nick} presence={presence} sizePx={46} />
      <span>
        <b>
          <bdi>{userProfile.nick}</bdi>
          <Flag src={conversation.country_flag} widthPx={18} />
        </b>
        <small>{presence ? t(`msg.presence.${presence}`) : country}</small>
      </span>
    </>
  );
  if (!isPerson) return <span className={styles.who}>{shown}</span>;
  return (
    <button
      type="button"
      className={styles.who}
      aria-label={t("msg.profileOf", { name: isolate(userProfile.nick) })}
      onClick={() => openProfile(conversation.userId)}
    >
      {shown}
    </button>
  );
}

function PersonMenu({ thread, conversation }: { thread: Thread; conversation: Conversation }): ReactNode {
  const t = useT();
  const relation = useRelation(conversation.userId) ?? conversation;
  const meet = useMeetWish(conversation.userId)?.meet;
  const person = personRef(conversation);
  const follows = relation.followStatus !== 0;
  const likes = relation.likeStatus !== 0;
  const label = t("msg.menu", { name: isolate(conversation.userProfile.nick) });
  return (
    <Menu
      label={label}
      widthPx={260}
      trigger={(trigger) => <IconButton {...trigger} label={label} icon={<Ellipsis size={22} aria-hidden="true" />} />}
    >
      <MenuItem icon={<User size={20} aria-hidden="true" />} onSelect={() => openProfile(conversation.userId)}>
        {t("msg.profile")}
      </MenuItem>
      <MenuItem
        icon={follows ? <UserCheck size={20} aria-hidden="true" /> : <UserPlus size={20} aria-hidden="true" />}
        onSelect={() => void setFollow(person, !follows)}
      >
        {t(follows ? "msg.unfollow" : "msg.follow")}
      </MenuItem>
      <MenuItem
        icon={<Heart size={20} fill={likes ? "currentColor" : "none"} aria-hidden="true" />}
        onSelect={() => void setLike(person, !likes)}
      >
        {t(likes ? "msg.unlike" : "msg.like")}
      </MenuItem>
      {meet === "both" && (
        <MenuItem
          icon={<VideoOff size={20} aria-hidden="true" />}
          onSelect={() => void wishToMeet(conversation.userId, false)}
        >
          {t("msg.meetNo")}
        </MenuItem>
      )}
      <MenuSeparator />
      <MenuItem icon={<Ban size={20} aria-hidden="true" />} onSelect={() => void blockPerson(person)}>
        {t("msg.block")}
      </MenuItem>
      <MenuItem icon={<ReportFlag size={20} aria-hidden="true" />} onSelect={() => reportThread(thread)}>
        {t("msg.report")}
      </MenuItem>
    </Menu>
  );
}
