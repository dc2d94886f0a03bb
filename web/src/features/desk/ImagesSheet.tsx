import { Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type DeskPerson, nudityReasonId } from "@fava/wire/moderation.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { Checkbox } from "#ui/Checkbox.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import type { PersonTools } from "./use-person-tools.ts";
import styles from "./ImagesSheet.module.css";

/** The person's pictures by kind and state, to delete one or all of them; none is shown here. */
export function ImagesSheet(props: { person: DeskPerson; tools: PersonTools; onClose: () => void }): ReactNode {
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
