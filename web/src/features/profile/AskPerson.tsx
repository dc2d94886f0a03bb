import { UserRoundSearch } from "lucide-react";
import type { ReactNode } from "react";
import { formatTime } from "#lib/format-date.ts";
import { useT } from "#lib/i18n.ts";
import { Button } from "#ui/Button.tsx";
import { MarkedText } from "#ui/MarkedText.tsx";
import { canAsk, type ProfileEdit, type TextField } from "./use-profile-edit.ts";
import styles from "./Profile.module.css";

/**
 * Below a field: what was found in a rejected text, with a button that asks a moderator to review it, then the promised
 * time.
 */
export function AskPerson({ field, edit }: { field: TextField; edit: ProfileEdit }): ReactNode {
  const t = useT();
  const problem = edit.problems[field];
  const spans = problem?.kind === "found" ? (problem.spans ?? []) : [];
  const asked = edit.asked[field];
  async function ask(button: HTMLButtonElement): Promise<void> {
    const input = button.closest('[role="dialog"]')?.querySelector<HTMLElement>(`[name="${field}"]`);
    await edit.ask(field);
    // The pressed button is gone by now: moves the focus to its field.
    input?.focus();
  }
  return (
    <div className={styles.ask}>
      {spans.length > 0 && (
        <p>
          {t("asked.found")} <MarkedText text={edit.draft[field].trim()} spans={spans} />
        </p>
      )}
      {canAsk(problem) && (
        <Button
          size="small"
          icon={<UserRoundSearch size={18} aria-hidden="true" />}
          loading={edit.asking === field}
          onClick={(event) => void ask(event.currentTarget)}
        >
          {t("asked.press")}
        </Button>
      )}
      <div role="status">
        {asked && (
          <>
            <p>{t("asked.promised", { time: formatTime(asked.dueAtMs) })}</p>
            <p>
              <MarkedText text={asked.text} spans={[]} />
            </p>
          </>
        )}
      </div>
    </div>
  );
}
