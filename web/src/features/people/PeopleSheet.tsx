import {
  Ban,
  CalendarOff,
  Check,
  Clock,
  Ellipsis,
  Flag,
  Heart,
  Link2,
  Search,
  ShieldCheck,
  UserPlus,
  Users,
  Video,
} from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { apartList, blockList, recentList } from "@fava/wire/endpoints/social.ts";
import type { Person } from "@fava/wire/people.ts";
import { formatDate, formatDay } from "#lib/format-date.ts";
import { formatNumber, formatSpan, isolate } from "#lib/format.ts";
import { useLanguage, useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay, type OverlayName } from "#lib/overlays.ts";
import { useEndpointPages } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { minuteMs, useNow } from "#lib/use-now.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSeparator } from "#ui/MenuItems.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { ListFrame, EmptyList } from "./ListFrame.tsx";
import { CallButton, FollowButton, MessageButton, PersonRow, refOf } from "./PersonRow.tsx";
import {
  type ApartRow,
  type BlockedRow,
  type CountedList,
  type CountedTab,
  countOf,
  idOf,
  type RecentRow,
  usePeopleLists,
} from "./people-lists.ts";
import { choosePeopleTab, openReport, type PeopleTab, peopleTabs, useChosen } from "./person-links.ts";
import { formatAgo, formatLeft } from "./recent-times.ts";
import { blockPerson, setLike, unblockPerson } from "./relation-actions.ts";
import { noteRelations, useRelation, useRelations } from "./relations.ts";
import { keepApart, noteRecent, useRematchRequest, sendRematchRequest } from "./rematch-requests.ts";
import { startMeeting } from "./rematch.ts";
import styles from "./People.module.css";

/** The lists of people whom the user follows, likes, met or blocked, and of fans and friends. */
export function PeopleSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const { tab } = useChosen();
  const lists = usePeopleLists(tab);
  const relations = useRelations();
  const close = () => closeOverlay("people");
  const counts = {
    following: countOf("following", lists.following.data, relations),
    fans: countOf("fans", lists.fans.data, relations),
    friends: countOf("friends", lists.friends.data, relations),
    likes: countOf("likes", lists.likes.data, relations),
  };
  return (
    <Sheet
      widthPx={1040}
      fullScreen={isMobile}
      title={t("people.title")}
      onBack={isMobile ? close : undefined}
      closable={!isMobile}
      maskClosable
      onClose={close}
    >
      <div className={styles.top}>
        <PeopleTabs chosen={tab} counts={counts} onChoose={choosePeopleTab} />
        <div className={styles.ways}>
          <Way icon={<Search size={18} aria-hidden="true" />} overlay="find">
            {t("find.title")}
          </Way>
          <Way icon={<Link2 size={18} aria-hidden="true" />} overlay="invite">
            {t("invite.short")}
          </Way>
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a panel may begin with words, which keys reach so */}
      <div className={styles.panel} role="tabpanel" id={panelId} aria-labelledby={tabId(tab)} tabIndex={0}>
        {tab === "recent" && <RecentList />}
        {tab === "blocked" && <BlockedList />}
        {tab !== "recent" && tab !== "blocked" && <PeopleList key={tab} tab={tab} list={lists[tab]} />}
      </div>
    </Sheet>
  );
}

/** A way to people who are in no list yet. */
function Way(props: { icon: ReactNode; overlay: OverlayName; children: string }): ReactNode {
  return (
    <Button
      kind="outline"
      size="small"
      pill
      className={styles.small ?? ""}
      icon={props.icon}
      onClick={() => void openOverlay(props.overlay)}
    >
      {props.children}
    </Button>
  );
}

/** The blocked people, what blocking does, and unblocking. */
function BlockedList(): ReactNode {
  const t = useT();
  const userId = useUser()?.user_id;
  const list = useEndpointPages(blockList, userId === undefined ? null : { user_id: userId }, {
    keyOf: idOf,
    refetchOnReconnect: true,
  });
  return (
    <>
      <p className={styles.intro}>{t("people.blockedIntro")}</p>
      <ListFrame
        single
        list={list}
        texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
        empty={
          <EmptyList
            icon={<ShieldCheck size={44} strokeWidth={1.6} />}
            title={t("people.empty.blocked")}
            text={t("people.emptyText.blocked")}
          />
        }
      >
        {(row) => <Blocked key={row.user_id} row={row} />}
      </ListFrame>
      <ApartList />
    </>
  );
}

/**
 * The people whom the user does not want to be matched with for a while, until when, and how to undo that; empty
 * without any.
 */
function ApartList(): ReactNode {
  const t = useT();
  const userId = useUser()?.user_id;
  const list = useEndpointPages(apartList, userId === undefined ? null : { user_id: userId }, {
    keyOf: idOf,
    refetchOnReconnect: true,
  });
  if (list.isPending || list.data?.rows.length === 0) return null;
  return (
    <section className={styles.aparts} aria-labelledby={apartsId}>
      <h3 id={apartsId}>{t("people.apart")}</h3>
      <p className={styles.intro}>{t("people.apartIntro")}</p>
      <ListFrame
        single
        list={list}
        texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
        empty={null}
      >
        {(row) => <Apart key={row.user_id} row={row} />}
      </ListFrame>
    </section>
  );
}

function Apart({ row }: { row: ApartRow }): ReactNode {
  const t = useT();
  const [isOver, setOver] = useState(false);
  return (
    <NamedRow row={row} line={t("people.apartUntil", { day: formatDate(row.until) })}>
      <Button
        kind="outline"
        size="small"
        pill
        className={styles.small ?? ""}
        aria-disabled={isOver}
        onClick={() => {
          if (!isOver) void keepApart({ userId: row.user_id, nickname: row.nickname }, false).then(setOver);
        }}
      >
        {t(isOver ? "people.apartTakenBack" : "people.apartTakeBack")}
        <VisuallyHidden> {isolate(row.nickname)}</VisuallyHidden>
      </Button>
    </NamedRow>
  );
}

/** A row with only a person's name. */
function NamedRow(props: { row: BlockedRow | ApartRow; line: string; children: ReactNode }): ReactNode {
  const { row, line, children } = props;
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        <Avatar src={row.avatar} name={row.nickname} sizePx={52} />
        <span className={styles.words}>
          <b>
            <bdi translate="no">{row.nickname}</bdi>
          </b>
          <small>{line}</small>
        </span>
      </span>
      <span className={styles.tools}>{children}</span>
    </li>
  );
}

function Blocked({ row }: { row: BlockedRow }): ReactNode {
  const t = useT();
  const relation = useRelation(row.user_id);
  const free = relation !== null && !relation.hidden;
  return (
    <NamedRow row={row} line={t("people.blockedOn", { day: formatDay(new Date(row.at).toISOString().slice(0, 10)) })}>
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
    </NamedRow>
  );
}

const icons = { following: UserPlus, fans: Users, friends: Users, likes: Heart } as const;

/** Following, fans, friends or likes. A person who was just removed stays in the list until it is opened again. */
function PeopleList({ tab, list }: { tab: CountedTab; list: CountedList }): ReactNode {
  const t = useT();
  const relations = useRelations();
  const Icon = icons[tab];
  return (
    <ListFrame
      list={list}
      isShown={(row) => !relations.get(row.user_id)?.hidden}
      texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
      empty={
        <EmptyList
          icon={<Icon size={44} strokeWidth={1.6} />}
          title={t(`people.empty.${tab}`)}
          text={t(`people.emptyText.${tab}`)}
        />
      }
    >
      {(person) => (
        <PersonRow key={person.user_id} person={person}>
          {relations.get(person.user_id)?.followStatus === 2 && (
            <>
              <CallButton person={person} />
              <MessageButton person={person} />
            </>
          )}
          {tab === "likes" && <LikeButton person={person} />}
          <FollowButton person={person} isFan={tab === "fans" || tab === "friends"} />
        </PersonRow>
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

const panelId = "people-panel";
const apartsId = "people-aparts";
const tabId = (tab: PeopleTab): string => `people-tab-${tab}`;

/** One Tab stop; arrow keys move between the tabs, and the chosen one is scrolled into view. */
function PeopleTabs(props: {
  chosen: PeopleTab;
  counts: Readonly<Partial<Record<PeopleTab, number | null>>>;
  onChoose: (tab: PeopleTab) => void;
}): ReactNode {
  const t = useT();
  const bar = useRef<HTMLDivElement>(null);
  const isMobile = useIsMobile();
  const { chosen, counts } = props;
  useEffect(() => {
    bar.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [chosen, isMobile]);
  function pressed(event: KeyboardEvent): void {
    const next = tabAfter(chosen, event.key, document.documentElement.dir === "rtl");
    if (!next) return;
    event.preventDefault();
    props.onChoose(next);
    document.getElementById(tabId(next))?.focus();
  }
  return (
    <div
      ref={bar}
      className={styles.tabs}
      role="tablist"
      tabIndex={-1}
      aria-label={t("people.tabs")}
      onKeyDown={pressed}
    >
      {peopleTabs.map((tab) => {
        const count = counts[tab];
        return (
          <button
            key={tab}
            type="button"
            role="tab"
            id={tabId(tab)}
            aria-selected={tab === chosen}
            aria-controls={panelId}
            tabIndex={tab === chosen ? 0 : -1}
            onClick={() => props.onChoose(tab)}
          >
            {t(`people.tab.${tab}`)}
            {typeof count === "number" && <small>{formatNumber(count)}</small>}
          </button>
        );
      })}
    </div>
  );
}

/** The tab to which a key moves, around both ends; null for any other key. */
export function tabAfter(present: PeopleTab, key: string, rightToLeft: boolean): PeopleTab | null {
  const last = peopleTabs.length - 1;
  const at = peopleTabs.indexOf(present);
  const forwards = rightToLeft ? "ArrowLeft" : "ArrowRight";
  const backwards = rightToLeft ? "ArrowRight" : "ArrowLeft";
  const places: Readonly<Record<string, number>> = {
    [forwards]: at === last ? 0 : at + 1,
    [backwards]: at === 0 ? last : at - 1,
    Home: 0,
    End: last,
  };
  return peopleTabs[places[key] ?? -1] ?? null;
}

/**
 * The people of calls in the last 24 hours: meet again if both want to, or not for 90 days; report and block later than
 * in the call.
 */
function RecentList(): ReactNode {
  const t = useT();
  const nowMs = useNow(minuteMs);
  const relations = useRelations();
  const userId = useUser()?.user_id;
  const list = useEndpointPages(recentList, userId === undefined ? null : { user_id: userId }, {
    keyOf: ({ person }) => person.user_id,
    refetchOnReconnect: true,
    onAnswer({ rows }) {
      noteRelations(rows.map(({ person }) => person));
      noteRecent(rows);
    },
  });
  const isShown = ({ person, until }: RecentRow) => until > nowMs && !relations.get(person.user_id)?.hidden;
  return (
    <>
      <p className={styles.intro}>{t("people.recentIntro")}</p>
      <ListFrame
        single
        list={list}
        isShown={isShown}
        texts={{ loading: t("people.loading"), failed: t("people.notLoaded") }}
        empty={
          <EmptyList
            icon={<Clock size={44} strokeWidth={1.6} />}
            title={t("people.empty.recent")}
            text={t("people.emptyText.recent")}
          />
        }
      >
        {(row) => <Recent key={row.person.user_id} row={row} nowMs={nowMs} />}
      </ListFrame>
    </>
  );
}

function Recent({ row, nowMs }: { row: RecentRow; nowMs: number }): ReactNode {
  const t = useT();
  const language = useLanguage();
  const { person, seconds } = row;
  const { user_id: userId, nickname } = person;
  const name = isolate(nickname);
  const menuLabel = t("msg.menu", { name });
  const ago = formatAgo(row.met_at, nowMs, language);
  const known = useRematchRequest(userId);
  const apartUntilMs = known ? known.apartUntilMs : (row.apart_until ?? null);
  const met = seconds < 60 ? t("people.metShort", { ago }) : t("people.met", { ago, time: formatSpan(seconds) });
  const kind = row.kind_word === undefined ? null : t("kind.recent", { word: t(`kind.${row.kind_word}`) });
  const line = apartUntilMs === null ? (kind ?? met) : t("people.apartUntil", { day: formatDate(apartUntilMs) });
  return (
    <PersonRow
      isRecent
      person={person}
      line={line}
      beside={
        <>
          {kind !== null && <VisuallyHidden>{kind}</VisuallyHidden>}
          <span className={styles.left}>{t("people.left", { time: formatLeft(row.until, nowMs) })}</span>
        </>
      }
    >
      <MeetButton row={row} isApart={apartUntilMs !== null} />
      <Menu
        label={menuLabel}
        trigger={(trigger) => (
          <IconButton {...trigger} label={menuLabel} icon={<Ellipsis size={22} aria-hidden="true" />} />
        )}
      >
        <MenuItem
          icon={<CalendarOff size={20} aria-hidden="true" />}
          checked={apartUntilMs !== null}
          onSelect={() => void keepApart({ userId, nickname }, apartUntilMs === null)}
        >
          {t("people.apartName", { name })}
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          icon={<Flag size={20} aria-hidden="true" />}
          onSelect={() => openReport({ userId, nickname, callId: row.call_id })}
        >
          {t("people.reportName", { name })}
        </MenuItem>
        <MenuItem icon={<Ban size={20} aria-hidden="true" />} onSelect={() => void blockPerson(refOf(person))}>
          {t("people.blockName", { name })}
        </MenuItem>
      </Menu>
    </PersonRow>
  );
}

/** Green only when both want to; the other user does not learn of it before. "Not again" must be undone first. */
function MeetButton({ row: { person, meet: listed }, isApart }: { row: RecentRow; isApart: boolean }): ReactNode {
  const t = useT();
  const userId = person.user_id;
  const { meet, isWaitedFor } = useRematchRequest(userId) ?? { meet: listed, isWaitedFor: false };
  const name = <VisuallyHidden> {isolate(person.nickname)}</VisuallyHidden>;
  const look = { size: "small", pill: true, className: styles.small ?? "" } as const;
  if (meet === "both") {
    return (
      <Button
        {...look}
        kind="go"
        icon={<Video size={18} fill="currentColor" aria-hidden="true" />}
        onClick={() => startMeeting({ userId, nickname: person.nickname })}
      >
        {t(isWaitedFor ? "people.waits" : "people.both")}
        {name}
      </Button>
    );
  }
  const asked = meet === "asked";
  return (
    <Button
      {...look}
      kind={asked ? "quiet" : "outline"}
      aria-pressed={asked}
      aria-disabled={isApart || undefined}
      icon={asked ? <Check size={18} aria-hidden="true" /> : <Video size={18} aria-hidden="true" />}
      onClick={() => {
        if (!isApart) void sendRematchRequest(userId, !asked);
      }}
    >
      {t(asked ? "people.asked" : "people.meet")}
      {name}
    </Button>
  );
}
