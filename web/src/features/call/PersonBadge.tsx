import { Mars, Venus } from "lucide-react";
import type { ReactNode } from "react";
import type { RemoteUser } from "@fava/wire/people.ts";
import { useT } from "#lib/i18n.ts";
import { Avatar } from "#ui/Avatar.tsx";
import { Flag } from "#ui/Flag.tsx";
import { VisuallyHidden } from "#ui/VisuallyHidden.tsx";
import styles from "./CallStage.module.css";

/** Avatar, nickname, gender, flag and country of the other person (rule CALL-4). */
export function PersonBadge({ person }: { person: RemoteUser }): ReactNode {
  const t = useT();
  return (
    <div className={styles.who}>
      <Avatar src={person.avatar} name={person.nickname} />
      <span className={styles.name}>
        <b>
          <bdi>{person.nickname}</bdi>
          {person.sex === 1 && <Mars size={16} aria-hidden="true" />}
          {person.sex === 2 && <Venus size={16} aria-hidden="true" />}
          {person.sex !== 0 && <VisuallyHidden>{t(person.sex === 1 ? "call.man" : "call.woman")}</VisuallyHidden>}
        </b>
        <small>
          <Flag src={person.country_flag} widthPx={18} />
          {person.country_name}
        </small>
      </span>
    </div>
  );
}
