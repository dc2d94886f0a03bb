import type { ReactNode } from "react";
import type { CaseDetail } from "@fava/wire/moderation.ts";
import { isolate } from "#lib/format.ts";
import { useT } from "#lib/i18n.ts";
import { Evidence } from "./Evidence.tsx";
import type { Looks } from "./use-looks.ts";

/** The same moment as its sender and the other saw it, side by side. */
export function MomentFrames(props: {
  moment: CaseDetail["moments"][number];
  name: string;
  looks: Looks;
  className: string;
}): ReactNode {
  const t = useT();
  const { moment, looks } = props;
  const toggle = (id: string | null) => () => {
    if (id === null) return;
    if (looks.of(id)?.phase === "shown") looks.hide([id]);
    else looks.show([id]);
  };
  const ends = [
    { id: moment.own, caption: t("desk.evidence.sent", { name: isolate(props.name) }) },
    { id: moment.received, caption: t("desk.evidence.seen") },
  ];
  return (
    <section className={props.className} aria-label={t("desk.evidence")}>
      {ends.map(({ id, caption }) => (
        <Evidence key={caption} id={id} caption={caption} atMs={moment.at} look={looks.of(id)} onToggle={toggle(id)} />
      ))}
    </section>
  );
}
