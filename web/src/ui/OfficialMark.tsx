import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";
import { useT } from "#lib/i18n.ts";
import { Chip } from "#ui/Chip.tsx";
import styles from "#ui/OfficialMark.module.css";

/** Beside the name of this service's own account: words on a ground of their own, which no name or picture can hold. */
export function OfficialMark(): ReactNode {
  const t = useT();
  return (
    <Chip tone="brand" small className={styles.mark}>
      <ShieldCheck size={14} aria-hidden="true" />
      {t("other.official")}
    </Chip>
  );
}
