import { EllipsisVertical, FolderOpen, Network, Unlink } from "lucide-react";
import type { ReactNode } from "react";
import type { DeskPerson } from "@fava/wire/moderation.ts";
import { formatShortDate } from "#lib/format-date.ts";
import { isolate } from "#lib/format.ts";
import { useT, type Translate } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem } from "#ui/MenuItems.tsx";
import type { PersonTools } from "./use-person-tools.ts";
import styles from "./PersonPanel.module.css";

type Same = DeskPerson["same"][number];

/** Accounts with the same address or device, which proves nothing. */
export function PersonSame(props: {
  person: DeskPerson;
  tools: PersonTools;
  onOpenCase: (id: string) => void;
}): ReactNode {
  const t = useT();
  const { same } = props.person;
  if (same.length === 0) return null;
  return (
    <section className={styles.section}>
      <h3>
        <Network size={16} aria-hidden="true" />
        {t("desk.same")}
        <span>{same.length}</span>
      </h3>
      <ul className={styles.same}>
        {same.map((row) => (
          <li key={row.user_id}>
            <Avatar src={row.avatar} name={row.nickname} sizePx={32} />
            <div>
              <b dir="auto">{row.nickname}</b>
              <small>{factsOf(t, row)}</small>
            </div>
            <SameMenu row={row} tools={props.tools} onOpenCase={props.onOpenCase} />
          </li>
        ))}
      </ul>
      <p className={styles.hint}>{t("desk.same.hint")}</p>
    </section>
  );
}

function factsOf(t: Translate, { user_no, what, is_banned, seen_at, open_case }: Same): string {
  const state = is_banned
    ? t("desk.same.banned")
    : open_case === null
      ? t("desk.same.seen", { day: formatShortDate(seen_at) })
      : t("desk.same.reported");
  return [isolate(user_no), t(`desk.same.${what}`), state].join(" · ");
}

function SameMenu({ row, tools, onOpenCase }: { row: Same; tools: PersonTools; onOpenCase: (id: string) => void }) {
  const t = useT();
  const { open_case: caseId } = row;
  return (
    <Menu
      label={t("desk.same.menu", { name: row.nickname })}
      widthPx={290}
      trigger={(trigger) => (
        <IconButton
          {...trigger}
          label={t("desk.same.menu", { name: row.nickname })}
          icon={<EllipsisVertical size={18} aria-hidden="true" />}
        />
      )}
    >
      <MenuItem
        icon={<FolderOpen size={20} aria-hidden="true" />}
        onSelect={() => (caseId === null ? tools.judgeLink(row, 2) : onOpenCase(caseId))}
      >
        {t(caseId === null ? "desk.same.open" : "desk.same.toCase")}
      </MenuItem>
      <MenuItem icon={<Unlink size={20} aria-hidden="true" />} onSelect={() => tools.judgeLink(row, 1)}>
        {t("desk.same.unrelated")}
      </MenuItem>
    </Menu>
  );
}
