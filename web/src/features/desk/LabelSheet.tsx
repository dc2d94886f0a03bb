import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { type DeskPerson, labelIds } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import { useDialogKeys } from "./use-desk-keys.ts";
import type { PersonTools } from "./use-person-tools.ts";
import styles from "./LabelSheet.module.css";

/** Labels to put on a person or take off, by a press or their digit; it stays open for more than one. */
export function LabelSheet(props: { person: DeskPerson; tools: PersonTools; onClose: () => void }): ReactNode {
  const t = useT();
  const { person, tools } = props;
  const toggle = (id: (typeof labelIds)[number]) => tools.label(id, !person.labels.includes(id));
  useDialogKeys((key) => {
    const id = labelIds.find((one) => String(one) === key);
    if (id === undefined) return false;
    toggle(id);
    return true;
  });
  return (
    <Sheet
      title={t("desk.labels.title", { name: isolate(person.nickname) })}
      lead={t("desk.labels.lead")}
      onClose={props.onClose}
    >
      <ul className={styles.labels}>
        {labelIds.map((id) => (
          <li key={id}>
            <button
              type="button"
              aria-pressed={person.labels.includes(id)}
              aria-disabled={tools.isBusy || undefined}
              onClick={() => toggle(id)}
            >
              <Kbd>{id}</Kbd>
              <span>{t(`desk.label.${id}`)}</span>
              {person.labels.includes(id) && <Check size={20} aria-hidden="true" />}
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
