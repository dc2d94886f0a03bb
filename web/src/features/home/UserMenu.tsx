import {
  Ban,
  FileText,
  Gavel,
  LifeBuoy,
  Lock,
  LogOut,
  ShieldCheck,
  ShieldUser,
  Tags,
  UserPen,
  Users,
} from "lucide-react";
import type { ReactNode } from "react";
import { type OwnUser, roles } from "@fava/wire/people.ts";
import { openPeople } from "#features/people/person-links.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openOverlay } from "#lib/overlays.ts";
import { signOut } from "#lib/session.ts";
import { setTheme, themes, useTheme } from "#lib/theme.ts";
import { useIsMobile } from "#lib/use-media-query.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Bean } from "#ui/Bean.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuLink, MenuSegments, MenuSeparator } from "#ui/MenuItems.tsx";
import styles from "./Header.module.css";

/**
 * The user menu, with the desk and the prices for authorized roles: terms and privacy open a new window on a desktop,
 * and are pages on a phone.
 */
export function UserMenu({ user }: { user: OwnUser }): ReactNode {
  const t = useT();
  const isMobile = useIsMobile();
  const theme = useTheme();
  return (
    <Menu
      label={t("home.account")}
      openOnHover
      trigger={(trigger) => (
        <button {...trigger} type="button" className={styles.me} aria-label={t("home.account")}>
          <Avatar src={user.avatar} name={user.nickname} />
        </button>
      )}
    >
      <div className={styles.who} role="presentation">
        <Avatar src={user.avatar} name={user.nickname} sizePx={48} />
        <p>
          <b dir="auto" translate="no">
            {user.nickname}
          </b>
          <small>
            {t("menu.accountNumber")} {isolate(user.user_no.replace(/^(\d{4})(\d{4})$/, "$1 $2"))}
          </small>
        </p>
      </div>
      <MenuItem icon={<UserPen size={20} aria-hidden="true" />} onSelect={() => void openOverlay("profile")}>
        {t("menu.profile")}
      </MenuItem>
      <MenuItem icon={<Users size={20} aria-hidden="true" />} onSelect={() => openPeople("recent")}>
        {t("menu.people")}
      </MenuItem>
      <MenuItem icon={<Ban size={20} aria-hidden="true" />} onSelect={() => openPeople("blocked")}>
        {t("menu.blocked")}
      </MenuItem>
      <MenuItem icon={<Bean size={20} />} onSelect={() => void openOverlay("statement")}>
        {t("menu.beans")}
      </MenuItem>
      <MenuItem icon={<ShieldUser size={20} aria-hidden="true" />} onSelect={() => void openOverlay("account")}>
        {t("menu.account")}
      </MenuItem>
      {user.role >= roles.moderator && (
        <MenuLink icon={<Gavel size={20} aria-hidden="true" />} href="/reportReview">
          {t("menu.desk")}
        </MenuLink>
      )}
      {user.role >= roles.administrator && (
        <MenuLink icon={<Tags size={20} aria-hidden="true" />} href="/admin">
          {t("admin.title")}
        </MenuLink>
      )}
      <MenuItem icon={<LifeBuoy size={20} aria-hidden="true" />} onSelect={() => void openOverlay("contact")}>
        {t("menu.contact")}
      </MenuItem>
      <MenuLink icon={<ShieldCheck size={20} aria-hidden="true" />} href="/safety">
        {t("menu.safety")}
      </MenuLink>
      <MenuLink icon={<FileText size={20} aria-hidden="true" />} href="/userAgreement" newWindow={!isMobile}>
        {t("menu.terms")}
      </MenuLink>
      <MenuLink icon={<Lock size={20} aria-hidden="true" />} href="/privacyPolicy" newWindow={!isMobile}>
        {t("menu.privacy")}
      </MenuLink>
      <MenuSegments
        label={t("menu.theme")}
        options={themes.map((value) => ({ value, text: t(`menu.theme.${value}`) }))}
        value={theme}
        onChange={setTheme}
      />
      <MenuSeparator />
      <MenuItem icon={<LogOut size={20} className="flip" aria-hidden="true" />} onSelect={() => void signOut()}>
        {t("menu.signOut")}
      </MenuItem>
    </Menu>
  );
}
