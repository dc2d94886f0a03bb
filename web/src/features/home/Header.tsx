import { Languages, MessageCircle } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useState } from "react";
import { onlineCountMax, onlineCountMin, onlineCountRefreshMs } from "@fava/wire/limits.ts";
import { useMessageCounts } from "#features/messages/unread.ts";
import { openThread } from "#features/people/person-links.ts";
import { callShown } from "#lib/call-shown.ts";
import { badgeText, formatBeans, formatNumber } from "#lib/format.ts";
import { activateLanguage, useLanguage, useT } from "#lib/i18n.ts";
import { languageChoices } from "#lib/languages.ts";
import { reportFailedChunk } from "#lib/failed-chunk.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { useSettings } from "#lib/settings.ts";
import { useReachability } from "#lib/socket/connection.ts";
import { whilePageVisible } from "#lib/use-page-visible.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Logo } from "#ui/Logo.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuChoices, MenuHeading } from "#ui/MenuItems.tsx";
import { PartBoundary } from "#ui/PartBoundary.tsx";
import { lazyWithTimeout, noTexts } from "#ui/lazy-with-timeout.ts";
import styles from "./Header.module.css";

const BalanceFigure = lazyWithTimeout(
  () => import("#ui/BalanceFigure.tsx").then((part) => part.BalanceFigure),
  noTexts,
);
const UserMenu = lazyWithTimeout(() => import("./UserMenu.tsx").then((part) => part.UserMenu));

/** Logo, online count, language, bean balance, and the avatar menu or the login button. */
export function Header(): ReactNode {
  const t = useT();
  const user = useUser();
  const online = useOnlineCount();
  const reach = useReachability();
  const balance = user?.credit5 ?? 0;
  return (
    <header className={styles.header}>
      <Logo />
      {online !== null && reach === "fine" && (
        <span className={styles.online}>
          <i aria-hidden="true" />
          {t("home.online", { count: formatNumber(online) })}
        </span>
      )}
      <div className={styles.end}>
        <LanguageMenu />
        {user && <MessagesButton />}
        <button
          type="button"
          className={styles.beans}
          translate="no"
          aria-label={t("home.beans", { n: balance, count: formatBeans(balance) })}
          onClick={() => void openOverlay(user ? "shop" : "login")}
        >
          <Bean />
          {user ? (
            <PartBoundary instead={formatBeans(balance)}>
              <Suspense fallback={formatBeans(balance)}>
                <BalanceFigure balance={balance} />
              </Suspense>
            </PartBoundary>
          ) : (
            formatBeans(balance)
          )}
        </button>
        {user ? (
          <PartBoundary>
            <Suspense fallback={<span className={styles.me} />}>
              <UserMenu user={user} />
            </Suspense>
          </PartBoundary>
        ) : (
          <Button kind="ink" size="small" pill onClick={() => void openOverlay("login")}>
            {t("login.open")}
          </Button>
        )}
      </div>
    </header>
  );
}

function LanguageMenu(): ReactNode {
  const t = useT();
  const language = useLanguage();
  return (
    <Menu
      label={t("home.language")}
      widthPx={240}
      trigger={(trigger) => (
        <IconButton {...trigger} label={t("home.language")} icon={<Languages size={20} aria-hidden="true" />} />
      )}
    >
      <MenuHeading>{t("home.language")}</MenuHeading>
      <MenuChoices
        label={t("home.language")}
        options={languageChoices()}
        value={language}
        onChange={(value) => void activateLanguage(value).catch(reportFailedChunk)}
      />
    </Menu>
  );
}

/** Opens the messages, and shows the number of unread messages and requests. */
function MessagesButton(): ReactNode {
  const t = useT();
  const { messages, requests } = useMessageCounts();
  const unread = messages + requests;
  const words = [
    messages > 0 ? t("home.messagesUnread", { n: messages, count: formatNumber(messages) }) : t("home.messages"),
    ...(requests > 0 ? [t("home.requestsCount", { n: requests, count: formatNumber(requests) })] : []),
  ];
  return (
    <IconButton
      className={styles.button}
      label={words.join(" · ")}
      icon={
        <>
          <MessageCircle size={21} className="flip" aria-hidden="true" />
          {unread > 0 && <b aria-hidden="true">{badgeText(unread)}</b>}
        </>
      }
      onClick={() => openThread(null)}
    />
  );
}

/**
 * The number of people online in the header: the true one if the operator chose so, otherwise the specification's
 * cosmetic number, random between 110000 and 111000 and new every 2.6 s (rule HOME-5).
 */
function useOnlineCount(): number | null {
  const settings = useSettings();
  const [shown, setShown] = useState(randomCount);
  const cosmetic = settings?.online_count_mode === "display";
  useEffect(() => (cosmetic ? renewCount(setShown) : undefined), [cosmetic]);
  if (!settings) return null;
  return cosmetic ? shown : settings.online_count;
}

/** Shows a new random number repeatedly while the page is visible and no call covers it; returns how to stop. */
export function renewCount(show: (count: number) => void): () => void {
  return whilePageVisible(() => {
    const timer = setInterval(() => !callShown.getState() && show(randomCount()), onlineCountRefreshMs);
    return () => clearInterval(timer);
  });
}

export function randomCount(random: () => number = Math.random): number {
  return onlineCountMin + Math.floor(random() * (onlineCountMax - onlineCountMin + 1));
}
