import { Inbox, PenLine } from "lucide-react";
import type { ReactNode } from "react";
import { badgeText } from "#lib/unread.ts";
import { formatNumber, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import { BackArrow } from "./BackArrow.tsx";
import { ConversationRows } from "./ConversationRows.tsx";
import { useMessages } from "./messages.ts";
import columnStyles from "./ListColumn.module.css";
import screenStyles from "./ScreenSize.module.css";
import rowStyles from "./ListRow.module.css";
import styles from "./ConversationList.module.css";

/** Message requests apart at the top, then the conversations by their last message (rule MSG-71). */
export function ConversationList(props: {
  titleId: string;
  onNew: () => void;
  onRequests: () => void;
  onClose: () => void;
  /** What a phone shows below a list in which nobody has written. */
  children?: ReactNode;
}): ReactNode {
  const t = useT();
  return (
    <div className={columnStyles.list}>
      <div className={columnStyles.head}>
        <BackArrow label={t("common.back")} onPress={props.onClose} />
        <h1 id={props.titleId}>{t("msg.title")}</h1>
        <IconButton label={t("msg.new")} icon={<PenLine size={21} aria-hidden="true" />} onClick={props.onNew} />
      </div>
      <nav className={columnStyles.rows} aria-label={t("msg.list")}>
        <Requests onOpen={props.onRequests} />
        <ConversationRows box="conversations" />
        {props.children !== undefined && <div className={screenStyles.onlyPhone}>{props.children}</div>}
      </nav>
    </div>
  );
}

function Requests({ onOpen }: { onOpen: () => void }): ReactNode {
  const t = useT();
  const { count, latestNick } = useMessages((state) => state.requests);
  const isOpen = useMessages((state) => state.thread?.conversation?.state === "request_in");
  if (count === 0) return null;
  return (
    <button type="button" className={styles.requests} aria-current={isOpen || undefined} onClick={onOpen}>
      <i aria-hidden="true">
        <Inbox size={20} />
      </i>
      <span className={rowStyles.words}>
        <b>{t("msg.requests")}</b>
        {latestNick !== null && <small>{t("msg.requestsFrom", { name: isolate(latestNick) })}</small>}
      </span>
      <b className={rowStyles.count} aria-hidden="true">
        {badgeText(count)}
      </b>
      <VisuallyHidden>{t("home.requestsCount", { n: count, count: formatNumber(count) })}</VisuallyHidden>
    </button>
  );
}
