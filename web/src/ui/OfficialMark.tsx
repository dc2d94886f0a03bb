import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Chip } from "#ui/Chip.tsx";
import styles from "#ui/OfficialMark.module.css";

/** Beside the name of the service's own account: a label that no name or image can imitate. */
export function OfficialMark(): ReactNode {
  const t = useT();
  return (
    <Chip tone="brand" small className={styles.mark}>
      <ShieldCheck size={14} aria-hidden="true" />
      {t("other.official")}
    </Chip>
  );
}
