import { Ban, Flag, Heart, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { MatchedPush } from "@fava/wire/pushes.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { openReport } from "#lib/person-links.ts";
import { blockPerson, setLike } from "#lib/relation-actions.ts";
import type { Relation } from "#lib/relations.ts";
import { IconButton } from "#ui/IconButton.tsx";
import { Kbd } from "#ui/Kbd.tsx";
import { flee } from "./call.ts";
import styles from "./CallStage.module.css";

/** Panic, like, report and block, at the edge of the picture: one press each, and the face stays free (rule PEOPLE-104). */
export function PersonActions({ match, relation }: { match: MatchedPush; relation: Relation }): ReactNode {
  const t = useT();
  const { user_id: userId, nickname } = match.remote;
  const person = { userId, nickname };
  const name = isolate(nickname);
  const liked = relation.likeStatus === 1;
  return (
    <div className={styles.actions}>
      <span className={styles.panic}>
        <IconButton
          kind="video"
          label={t("panic.button")}
          aria-keyshortcuts="X"
          icon={<ShieldAlert size={22} />}
          onClick={flee}
        />
        <Kbd>X</Kbd>
      </span>
      <IconButton
        kind="video"
        className={styles.like ?? ""}
        label={t("people.likeName", { name })}
        aria-pressed={liked}
        icon={<Heart size={22} fill={liked ? "currentColor" : "none"} />}
        onClick={() => void setLike(person, !liked)}
      />
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
