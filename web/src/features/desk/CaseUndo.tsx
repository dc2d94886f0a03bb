import type { ReactNode } from "react";
import { isolate } from "#lib/format.ts";
import { type Translate, useT } from "#lib/i18n.ts";
import type { PendingCase } from "./case-state.ts";
import { banLength } from "./desk-format.ts";
import { UndoBar } from "./UndoBar.tsx";

/** The decision about a case that can still be undone. */
export function CaseUndo(props: { pending: PendingCase | null; className: string; onUndo: () => void }): ReactNode {
  const t = useT();
  const { pending } = props;
  if (!pending) return null;
  const { operation } = pending.verdict;
  return (
    <UndoBar
      key={pending.row.id}
      text={decidedText(t, pending)}
      hint={operation === 3 || operation === 4 ? t("desk.undo.reads") : t("desk.undo.then")}
      isHeld={pending.isHeld}
      className={props.className}
      onUndo={props.onUndo}
    />
  );
}

function decidedText(t: Translate, { row, verdict }: PendingCase): string {
  const name = isolate(row.person.nickname);
  switch (verdict.operation) {
    case 1:
      return t("desk.did.1", { name });
    case 2:
      return t("desk.did.2", { name });
    case 3:
      return t("desk.did.3", { name, reason: t(`reason.report.${row.reason_id}`) });
    case 4:
      return verdict.hours === 0
        ? t("desk.did.second", { name })
        : t("desk.did.4", { name, length: banLength(t, verdict.hours) });
  }
}
