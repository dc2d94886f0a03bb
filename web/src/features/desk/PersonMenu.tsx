import { EllipsisVertical, ImageMinus, NotebookPen, RotateCcw, ShieldCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type DeskPerson, resettable } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSeparator } from "#ui/MenuItems.tsx";
import { ConfirmSheet } from "./ConfirmSheet.tsx";
import { ImagesSheet } from "./ImagesSheet.tsx";
import type { PersonTools, ResetField } from "./use-person-tools.ts";

type Asked = { what: "reset"; field: ResetField } | { what: "images" } | { what: "role"; role: 0 | 2 | 3 };

const roleChoices = [0, 2, 3] as const;

/** Birthday and gender are asked anew, which only administrators may do. */
function mayReset(role: number, field: ResetField): boolean {
  return role >= roles.administrator || (field !== "birthday" && field !== "sex");
}

/** Tools beside the decision: taking back parts of the profile, pictures, and the role. */
export function PersonMenu(props: { person: DeskPerson; tools: PersonTools; onNote: () => void }): ReactNode {
  const t = useT();
  const { person, tools } = props;
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const icon = <RotateCcw size={20} className="flip" aria-hidden="true" />;
  return (
    <>
      <Menu
        label={t("desk.tools")}
        widthPx={300}
        trigger={(trigger) => (
          <IconButton
            {...trigger}
            disabled={tools.isBusy}
            label={t("desk.tools")}
            icon={<EllipsisVertical size={20} aria-hidden="true" />}
          />
        )}
      >
        <MenuItem icon={<NotebookPen size={20} aria-hidden="true" />} onSelect={props.onNote}>
          {t("desk.note")}
        </MenuItem>
        <MenuSeparator />
        {resettable
          .filter((field) => mayReset(tools.role, field))
          .map((field) => (
            <MenuItem key={field} icon={icon} onSelect={() => setAsked({ what: "reset", field })}>
              {t(`desk.reset.${field}`)}
            </MenuItem>
          ))}
        {person.images.length > 0 && (
          <MenuItem icon={<ImageMinus size={20} aria-hidden="true" />} onSelect={() => setAsked({ what: "images" })}>
            {t("desk.images.delete")}
          </MenuItem>
        )}
        {tools.role >= roles.administrator && <MenuSeparator />}
        {tools.role >= roles.administrator &&
          roleChoices
            .filter((role) => role !== person.role)
            .map((role) => (
              <MenuItem
                key={role}
                icon={<ShieldCheck size={20} aria-hidden="true" />}
                onSelect={() => setAsked({ what: "role", role })}
              >
                {t(`desk.setRole.${role}`)}
              </MenuItem>
            ))}
      </Menu>
      {asked?.what === "images" && <ImagesSheet person={person} tools={tools} onClose={close} />}
      {asked?.what === "reset" && (
        <ConfirmSheet
          title={t(`desk.reset.${asked.field}`)}
          lead={t("desk.reset.lead", { name: person.nickname })}
          yes={t("desk.reset.yes")}
          onYes={() => tools.reset(asked.field)}
          onClose={close}
        />
      )}
      {asked?.what === "role" && (
        <ConfirmSheet
          title={t(`desk.setRole.${asked.role}`)}
          lead={t("desk.setRole.lead", { name: person.nickname })}
          yes={t("desk.setRole.yes")}
          onYes={() => tools.setRole(asked.role)}
          onClose={close}
        />
      )}
    </>
  );
}
