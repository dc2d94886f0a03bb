import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { closeOverlay, openOverlay } from "#lib/overlays.ts";
import { choosePeopleTab, useChosen } from "#lib/person-links.ts";
import { useRelations } from "#lib/relations.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { BlockedList } from "./BlockedList.tsx";
import { countOf, usePeopleLists } from "./people-lists.ts";
import { PeopleList } from "./PeopleList.tsx";
import { panelId, PeopleTabs, tabId } from "./PeopleTabs.tsx";
import { RecentList } from "./RecentList.tsx";
import styles from "./People.module.css";

/** Whom one follows, likes and is liked by, whom one met, and whom one has blocked. */
export function PeopleSheet(): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const { tab } = useChosen();
  const lists = usePeopleLists(tab);
  const relations = useRelations();
  const close = () => closeOverlay("people");
  const counts = {
    following: countOf("following", lists.following.list, relations),
    fans: countOf("fans", lists.fans.list, relations),
    friends: countOf("friends", lists.friends.list, relations),
    likes: countOf("likes", lists.likes.list, relations),
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
        <IconButton
          kind="filled"
          label={t("find.title")}
          icon={<Search size={20} aria-hidden="true" />}
          onClick={() => void openOverlay("find")}
        />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a panel may begin with words, which keys reach so */}
      <div className={styles.panel} role="tabpanel" id={panelId} aria-labelledby={tabId(tab)} tabIndex={0}>
        {tab === "recent" && <RecentList />}
        {tab === "blocked" && <BlockedList />}
        {tab !== "recent" && tab !== "blocked" && <PeopleList key={tab} tab={tab} shown={lists[tab]} />}
      </div>
    </Sheet>
  );
}
