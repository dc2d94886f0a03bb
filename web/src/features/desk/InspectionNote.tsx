import { ScanEye } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { useDeskInfo } from "./desk-info.ts";
import styles from "./InspectionNote.module.css";

/** Says what software does not do at present; nothing while it does all. */
export function InspectionNote(): ReactNode {
  const t = useT();
  const state = useDeskInfo()?.inspection ?? "on";
  if (state === "on") return null;
  return (
    <p className={styles.note} role="status">
      <ScanEye size={16} aria-hidden="true" />
      {t(`desk.inspection.${state}`)}
    </p>
  );
}
