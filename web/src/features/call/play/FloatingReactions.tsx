import type { CSSProperties, ReactNode } from "react";
import { ReactionSign } from "#ui/ReactionSign.tsx";
import styles from "./FloatingReactions.module.css";
import { useShownReactions, type Whose } from "./reactions.ts";

/** Reactions beside each other, before they share a lane. */
const lanes = 5;

/** The reactions that rise over the user's own or the partner's picture. They were announced when they arrived. */
export function FloatingReactions({ whose }: { whose: Whose }): ReactNode {
  const shown = useShownReactions(whose);
  if (shown.length === 0) return null;
  return (
    <div className={styles.place} data-whose={whose}>
      {shown.map(({ id, reaction }) => (
        <span key={id} className={styles.sign} style={{ "--lane": (id * 2) % lanes } as CSSProperties}>
          <ReactionSign reaction={reaction} />
        </span>
      ))}
    </div>
  );
}
