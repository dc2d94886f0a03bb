import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import type { Claim } from "@fava/wire/moderation.ts";
import { formatClock, isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Kbd } from "#ui/Kbd.tsx";
import { useNow } from "./use-now.ts";
import styles from "./ClaimChip.module.css";

/** Who works on the item, and for how long still; a button to claim it where nobody does. */
export function ClaimChip(props: { claim: Claim | null; lostTo: string | null; onClaim: () => void }): ReactNode {
  const t = useT();
  const nowMs = useNow(1_000);
  const { claim } = props;
  const other = props.lostTo ?? (claim && !claim.mine ? claim.name : null);
  if (other !== null)
    return (
      <span className={styles.chip} role="status">
        <Lock size={15} aria-hidden="true" />
        {t("desk.row.with", { name: isolate(other) })}
      </span>
    );
  if (claim)
    return (
      <span className={styles.chip} data-mine>
        <Lock size={15} aria-hidden="true" />
        <span>{t("desk.claim.mine")}</span>
        {formatClock((claim.until - nowMs) / 1_000)}
      </span>
    );
  return (
    <button type="button" className={styles.chip} aria-keyshortcuts="Enter" onClick={props.onClaim}>
      <Lock size={15} aria-hidden="true" />
      {t("desk.claim")}
      <Kbd>Enter</Kbd>
    </button>
  );
}
