import { Ban, Flag } from "lucide-react";
import type { ReactNode } from "react";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openReport } from "#lib/person-links.ts";
import { blockPerson } from "#lib/relation-actions.ts";
import { IconButton } from "#ui/IconButton.tsx";
import styles from "./CallStage.module.css";

/** Report and block, beside the name: one press each, and the face stays free (rule PEOPLE-104). */
export function PersonActions({ match }: { match: MatchedPush }): ReactNode {
  const t = useT();
  const { user_id: userId, nickname } = match.remote;
  const person = { userId, nickname };
  const name = isolate(nickname);
  return (
    <div className={styles.actions} data-fades>
      <IconButton
        kind="video"
        label={t("people.reportName", { name })}
        icon={<Flag size={22} />}
        onClick={() => openReport({ ...person, callId: match.id })}
      />
      <IconButton
        kind="video"
        label={t("people.blockName", { name })}
        icon={<Ban size={22} />}
        onClick={() => void blockPerson(person)}
      />
    </div>
  );
}
