import { Languages } from "lucide-react";
import { Suspense, type ReactNode } from "react";
import { formatBeans, formatNumber } from "#lib/format.ts";
import { useReach } from "#lib/connection.ts";
import { activateLanguage, useLanguage, useT } from "#lib/i18n.ts";
import { languageChoices } from "#lib/languages.ts";
import { tellMissingPart } from "#lib/missing-part.ts";
import { openOverlay } from "#lib/overlays.ts";
import { useUser } from "#lib/session.ts";
import { Bean } from "#ui/Bean.tsx";
import { Button } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { lazyWithTimeout } from "#ui/lazy-with-timeout.ts";
import { Logo } from "#ui/Logo.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuChoices, MenuHeading } from "#ui/MenuItems.tsx";
import { PartBoundary } from "#ui/PartBoundary.tsx";
import { MessagesButton } from "./MessagesButton.tsx";
import { useOnlineCount } from "./online-count.ts";
import styles from "./Header.module.css";

const UserMenu = lazyWithTimeout(() => import("./UserMenu.tsx").then((part) => part.UserMenu));

/** Logo, online count, language, bean balance, and the avatar menu or the login button (rule HOME-4). */
export function Header(): ReactNode {
  const t = useT();
  const user = useUser();
  const online = useOnlineCount();
  const reach = useReach();
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
          aria-label={t("home.beans", { n: balance, count: formatBeans(balance) })}
          onClick={() => void openOverlay(user ? "shop" : "login")}
        >
          <Bean />
          {formatBeans(balance)}
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
        onChange={(value) => void activateLanguage(value).catch(tellMissingPart)}
      />
    </Menu>
  );
}
