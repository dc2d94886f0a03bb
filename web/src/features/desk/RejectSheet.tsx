import type { ReactNode } from "react";
import { pictureReasonIds } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { Sheet } from "#ui/Sheet.tsx";
import type { PictureReason } from "./review-state.ts";
import { useDialogKeys } from "./use-desk-keys.ts";
import styles from "./LabelSheet.module.css";

/** Why a picture is rejected: the owner is told the same reason. */
export function RejectSheet(props: {
  name: string;
  onReject: (reason: PictureReason) => void;
  onClose: () => void;
}): ReactNode {
  const t = useT();
  useDialogKeys((key) => {
    const reason = pictureReasonIds.find((id) => String(id) === key);
    if (reason === undefined) return false;
    props.onReject(reason);
    return true;
  });
  return (
    <Sheet
      title={t("desk.review.rejectTitle", { name: isolate(props.name) })}
      lead={t("desk.review.rejectLead")}
      onClose={props.onClose}
    >
      <ul className={styles.labels}>
        {pictureReasonIds.map((id) => (
          <li key={id}>
            <button type="button" onClick={() => props.onReject(id)}>
              <Kbd>{id}</Kbd>
              <span>{t(`desk.rejectFor.${id}`)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
