import { EllipsisVertical, ImageMinus, NotebookPen, RotateCcw, ShieldCheck, Trash2 } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { type DeskPerson, nudityReasonId, resettable } from "@fava/wire/moderation.ts";
import { roles } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Menu } from "#ui/Menu.tsx";
import { MenuItem, MenuSeparator } from "#ui/MenuItems.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import type { PersonTools, ResetField } from "./use-person-tools.ts";
import styles from "./Sheets.module.css";

type Asked = { what: "reset"; field: ResetField } | { what: "images" } | { what: "role"; role: 0 | 2 | 3 };

const roleChoices = [0, 2, 3] as const;

/** Only administrators may make the user enter birthday or gender again. */
function mayReset(role: number, field: ResetField): boolean {
  return role >= roles.administrator || (field !== "birthday" && field !== "sex");
}

/** Tools beside the decision: resetting parts of the profile, images, and the role. */
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

/** Asks for a confirmation of an irreversible action; the safe answer has the focus. */
export function ConfirmSheet(props: {
  title: string;
  lead: string;
  yes: string;
  children?: ReactNode;
  onYes: () => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  const cancel = useRef<HTMLButtonElement>(null);
  const yes = () => {
    props.onYes();
    props.onClose();
  };
  return (
    <Sheet
      alert
      row
      title={props.title}
      lead={props.lead}
      initialFocus={cancel}
      onClose={props.onClose}
      foot={
        <>
          <Button ref={cancel} kind="plain" onClick={props.onClose}>
            {t("common.cancel")}
          </Button>
          <Button kind="danger" onClick={yes}>
            {props.yes}
          </Button>
        </>
      }
    >
      {props.children}
    </Sheet>
  );
}

/** The person's images by kind and state, to delete one or all of them; none is shown here. */
function ImagesSheet(props: { person: DeskPerson; tools: PersonTools; onClose: () => void }): ReactNode {
  const t = useT();
  const { person, tools } = props;
  const [isNudity, setNudity] = useState(false);
  const reason = isNudity ? nudityReasonId : undefined;
  const all = () => {
    tools.deleteImages(reason);
    props.onClose();
  };
  return (
    <Sheet
      title={t("desk.images.title", { name: person.nickname })}
      lead={t("desk.images.lead")}
      row
      onClose={props.onClose}
      foot={
        <>
          <Button kind="plain" onClick={props.onClose}>
            {t("common.cancel")}
          </Button>
          <Button kind="danger" disabled={tools.isBusy || person.images.length === 0} onClick={all}>
            {t("desk.images.all", { count: person.images.length })}
          </Button>
        </>
      }
    >
      <Checkbox checked={isNudity} onChange={setNudity}>
        {t("desk.images.nudity")}
      </Checkbox>
      <ul className={styles.images}>
        {person.images.map(({ id, kind, status }, index) => (
          <li key={id}>
            <span>
              {t(`desk.image.${kind}`, { n: index + 1 })}
              <small>{t(statusKey(status))}</small>
            </span>
            <IconButton
              label={t("desk.images.one", { n: index + 1 })}
              icon={<Trash2 size={20} aria-hidden="true" />}
              disabled={tools.isBusy}
              onClick={() => tools.deleteImage(id, reason)}
            />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

function statusKey(status: string) {
  if (status === "approved") return "desk.image.approved";
  return status === "refused" ? "desk.image.refused" : "desk.image.pending";
}
