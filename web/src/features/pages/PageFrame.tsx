import { Languages } from "lucide-react";
import type { ReactNode } from "react";
import { activateLanguage, useLanguage, useT, type Key } from "#lib/i18n.ts";
import { type Language, languageChoices } from "#lib/languages.ts";
import { buttonClass } from "#ui/Button.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Link } from "#ui/Link.tsx";
import { Logo } from "#ui/Logo.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuChoices, MenuHeading } from "#ui/MenuItems.tsx";
import { showToast } from "#ui/toast-store.ts";
import { thisYear } from "./operator-facts.ts";
import styles from "./PageFrame.module.css";

const links: readonly (readonly [path: string, text: Key])[] = [
  ["/safety", "page.safety"],
  ["/notice", "notice.title"],
  ["/aboutUs", "page.about"],
  ["/communityRules", "page.rules"],
  ["/transparency", "page.transparency"],
  ["/userAgreement", "page.terms"],
  ["/privacyPolicy", "page.privacy"],
  ["/accessibility", "page.accessibility"],
];

/** Header and footer of the static pages; `bare` leaves the footer out, `noStart` its button. */
export function PageFrame(props: { children: ReactNode; bare?: boolean; noStart?: boolean }): ReactNode {
  const { children, bare = false, noStart = false } = props;
  const t = useT();
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        <Link to="/" aria-label={t("page.homeLink")}>
          <Logo />
        </Link>
        <LanguageMenu />
        {!noStart && (
          <Link to="/" className={buttonClass({ kind: "go", size: "small", pill: true })}>
            {t("page.start")}
          </Link>
        )}
      </header>
      {children}
      {!bare && (
        <footer className={styles.foot}>
          <p>{t("page.copyright", { year: thisYear })}</p>
          <nav aria-label={t("page.more")}>
            {links.map(([path, text]) => (
              <Link key={path} to={path}>
                {t(text)}
              </Link>
            ))}
          </nav>
        </footer>
      )}
    </div>
  );
}

function LanguageMenu(): ReactNode {
  const t = useT();
  const language = useLanguage();
  const choose = async (value: Language) => {
    try {
      await activateLanguage(value);
    } catch (error) {
      console.error("loading the language failed", error);
      showToast({ type: "error", text: t("error.server") });
    }
  };
  return (
    <Menu
      label={t("page.language")}
      widthPx={248}
      trigger={(trigger) => (
        <IconButton {...trigger} label={t("page.language")} icon={<Languages size={20} aria-hidden="true" />} />
      )}
    >
      <MenuHeading>{t("page.language")}</MenuHeading>
      <MenuChoices
        label={t("page.language")}
        options={languageChoices()}
        value={language}
        onChange={(value) => void choose(value)}
      />
    </Menu>
  );
}
